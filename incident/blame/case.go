package blame

import (
	"slices"
	"time"

	"assay/incident"
	"assay/internal/order"
)

// Sureness is how sure a cause is.
type Sureness int

// The grades of sureness.
const (
	Possible Sureness = iota + 1
	// Likely is what an expert on these faults would bet four to one on: it is reported
	// together with the rivals that the texts leave.
	Likely
	VeryLikely
	Certain
)

// String returns the name of the grade.
func (s Sureness) String() string {
	return [...]string{"unknown", "possible", "likely", "very likely", "certain"}[max(0, min(int(s), 4))]
}

// MarshalText makes JSON use the name.
func (s Sureness) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Cause is what a rule found.
type Cause struct {
	Rule     string           `json:"rule"`
	Layer    incident.Layer   `json:"layer"`
	Host     string           `json:"host,omitempty"`
	Device   string           `json:"device,omitempty"`
	Says     string           `json:"says"` // the verdict in a few words: "a replicated volume (iSCSI), not a drive"
	Why      string           `json:"why"`
	How      Sureness         `json:"how"`
	Evidence []incident.Event `json:"evidence"`
	Cleared  []string         `json:"cleared,omitempty"` // what rules out the alternatives
	Next     []Step           `json:"next,omitempty"`
	// explains lists the kinds of events that follow from this cause.
	explains []incident.Kind
	// anywhere reports whether it explains them on other hosts too.
	anywhere bool
}

// Step is a next step to take.
type Step struct {
	What    string `json:"what"`
	Command string `json:"command,omitempty"`
}

// Case is what rules judge.
type Case struct {
	incident.Log
}

// of returns the events of these kinds, in time order.
func (c *Case) of(kinds ...incident.Kind) []incident.Event {
	var found []incident.Event
	for _, e := range c.Events {
		if slices.Contains(kinds, e.Kind) {
			found = append(found, e)
		}
	}
	return found
}

// has reports whether there is an event of one of these kinds.
func (c *Case) has(kinds ...incident.Kind) bool {
	return slices.ContainsFunc(c.Events, func(e incident.Event) bool { return slices.Contains(kinds, e.Kind) })
}

// few is the most lines that somebody picks out of a log to show what broke.
const few = 12

// excerpt reports whether the texts are just a few lines of a log.
func (c *Case) excerpt() bool { return c.Lines <= few && !c.has(incident.Booted, incident.Rebooted) }

// hasOn is has for one host.
func (c *Case) hasOn(host string, kind incident.Kind) bool {
	return slices.ContainsFunc(c.Events, func(e incident.Event) bool { return e.Kind == kind && e.Host == host })
}

// sameHost reports whether two lines may be of one host: those of pasted texts often name
// none.
func sameHost(a, b string) bool { return a == b || a == "" || b == "" }

// place is a device on a host.
type place struct{ host, device string }

// byDevice groups events by their whole device, in the order of each device's first
// event.
func byDevice(events []incident.Event) (places []place, of map[place][]incident.Event) {
	of = map[place][]incident.Event{}
	for _, e := range events {
		p := place{e.Host, incident.Whole(e.Device)}
		if of[p] == nil {
			places = append(places, p)
		}
		of[p] = append(of[p], e)
	}
	return places, of
}

// total returns how many lines events stand for.
func total(events []incident.Event) int {
	n := 0
	for _, e := range events {
		n += e.Count
	}
	return n
}

// devices returns the distinct devices that events name.
func devices(events []incident.Event) []string {
	var all []string
	for _, e := range events {
		if d := incident.ControllerOf(e.Device); d != "" && !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all
}

// shortly is the longest time between a cause and its consequence.
const shortly = 3 * time.Minute

// precedes reports whether one of the events began shortly before one of those
// that follow, or at the same time, or, without times, in an earlier line.
func precedes(events, follow []incident.Event) bool {
	for _, a := range events {
		for _, b := range follow {
			if d, ok := b.First.Since(a.First); ok {
				if d >= 0 && d <= shortly {
					return true
				}
				continue
			}
			if a.Source.File == b.Source.File && a.Source.Line < b.Source.Line {
				return true
			}
		}
	}
	return false
}

// longhorn reports whether the texts name Longhorn volumes.
func (c *Case) longhorn() bool {
	return slices.ContainsFunc(c.Stack.All(), func(d incident.Device) bool {
		return d.Volume == "longhorn" || len(d.Volume) > 3 && containsFold(d.Volume, "longhorn")
	})
}

// quote returns at most n events, the earliest of each kind first.
func quote(n int, groups ...[]incident.Event) []incident.Event {
	var all, rest []incident.Event
	seen := map[incident.Kind]bool{}
	for _, g := range groups {
		for _, e := range g {
			if !seen[e.Kind] {
				all = append(all, e)
			} else {
				rest = append(rest, e)
			}
			seen[e.Kind] = true
		}
	}
	all = append(all, rest...)
	all = all[:min(len(all), n)]
	order.Stable(all, incident.Compare)
	return all
}
