package analysis

import (
	"slices"
	"strings"

	"assay"
	"assay/plan/multiclient"
)

// Away is a host that could not be queried, or that was lost during the run.
type Away struct {
	Host   string        `json:"host"`
	Absent assay.Absence `json:"absent"` // Gone is set where the host was lost during the run
	None   int           `json:"none"`   // trials that have no figure for that
	Fewer  int           `json:"fewer"`  // trials that rest on fewer repeats than were planned
	Missed int           `json:"missed"` // repeats of both that were not made
}

// During reports whether the host was lost during the run rather than away from
// its start.
func (a Away) During() bool { return a.Absent.Gone != "" }

// awayHosts returns the hosts of a run that were away, in inventory order, and
// what that cost. A host whose loss cost nothing, because the run was resumed
// later, is left out.
func awayHosts(run assay.Run) []Away {
	var out []Away
	losses := lossesOf(run)
	for _, h := range run.Inventory.Hosts {
		if h.Name == "" {
			continue // runs by others often name no host
		}
		a := Away{Host: h.Name}
		switch loss, lost := losses[h.Name]; {
		case h.Absent != nil:
			a.Absent = *h.Absent
			a.Absent.Gone = ""
		case lost:
			a.Absent = assay.Absence{Word: assay.Unknown, Why: loss.why, Hint: loss.hint, Gone: h.Name}
		default:
			continue
		}
		a.Absent.Why = withoutHost(a.Absent.Why, h.Name)
		a.count(run)
		if a.During() && a.None+a.Fewer == 0 {
			continue
		}
		out = append(out, a)
	}
	return out
}

// count adds up what the loss of a host cost. A trial between two lost hosts
// counts for the one that its reason names, or else for the first.
func (a *Away) count(run assay.Run) {
	if !a.During() {
		return
	}
	for _, r := range run.Results {
		if host := goneOf(r.Trial); host != "" {
			if host == a.Host {
				a.None, a.Missed = a.None+1, a.Missed+r.Trial.Repeats
			}
			continue
		}
		counted := len(r.Counted())
		if r.Trial.Absent == nil && isEnd(r.Trial, a.Host) && counted > 0 && counted < r.Trial.Repeats {
			a.Fewer, a.Missed = a.Fewer+1, a.Missed+r.Trial.Repeats-counted
		}
	}
}

func isEnd(t assay.Trial, host string) bool {
	return t.Peer == host || slices.ContainsFunc(multiclient.Subjects(t), func(s assay.Subject) bool { return s.Host == host })
}

// goneOf returns the host whose loss left a trial without a number, or "" if
// none did.
func goneOf(t assay.Trial) string {
	if t.Absent == nil {
		return ""
	}
	return t.Absent.Gone
}

// loss is why a host was lost during a run, and what to do about it.
type loss struct{ why, hint string }

// lossesOf returns the hosts that were lost during a run and why: from a trial
// or, if all of a host's trials have some figures, from the run's own note.
func lossesOf(run assay.Run) map[string]loss {
	lost := map[string]loss{}
	for i := range run.Results {
		absent := run.Results[i].Trial.Absent
		if absent == nil || absent.Gone == "" {
			continue
		}
		if _, known := lost[absent.Gone]; !known {
			lost[absent.Gone] = loss{strings.TrimPrefix(absent.Why, assay.WentAway(absent.Gone, "")), absent.Hint}
		}
	}
	for _, h := range run.Inventory.Hosts {
		begin := assay.WentAway(h.Name, "")
		for _, n := range run.Notes {
			why, is := strings.CutPrefix(n.Text, begin)
			if _, known := lost[h.Name]; is && !known && n.ID == assay.NoteHostGone {
				lost[h.Name] = loss{why: why}
			}
		}
	}
	return lost
}

// withoutHost strips the host from a reason that is printed after its name.
func withoutHost(why, host string) string {
	why = strings.TrimPrefix(why, assay.WentAway(host, ""))
	return strings.TrimPrefix(strings.Replace(why, "host "+host+": ", "", 1), host+": ")
}

// Shortfall is why some repeats of a trial with figures do not count.
type Shortfall struct {
	Counted, Planned int
	Gone             string        // the host that went away, if any
	Failed           *assay.Repeat // else the first that failed
}

// fewer returns why some repeats of a trial with figures do not count: one of its
// hosts was lost, or a repeat failed; nil if neither.
func (b *builder) fewer(r assay.Result) *Shortfall {
	s := Shortfall{Counted: len(r.Counted()), Planned: r.Trial.Repeats}
	if s.Counted == 0 {
		return nil
	}
	for _, a := range b.away {
		if s.Counted < s.Planned && a.During() && isEnd(r.Trial, a.Host) {
			s.Gone = a.Host
			return &s
		}
	}
	i := slices.IndexFunc(r.Repeats, func(rep assay.Repeat) bool { return rep.Outcome == assay.Broke })
	if i < 0 {
		return nil
	}
	s.Failed = &r.Repeats[i]
	return &s
}

// absence returns why a result has no figures, or nil if it has some. Details
// of a lost host appear only once, in the list of hosts that were away.
func (b *builder) absence(r assay.Result) *assay.Absence {
	a := absence(r)
	if host := goneOf(r.Trial); a != nil && host != "" {
		return &assay.Absence{Word: a.Word, Why: host + " went away", Gone: host}
	}
	return a
}

// unasked returns the cell to show for a host that could not be queried.
func (b *builder) unasked(host string) (SideCell, bool) {
	for _, a := range b.away {
		if a.Host == host && !a.During() {
			return SideCell{Absent: &assay.Absence{Word: a.Absent.Word, Why: host + " could not be queried: " + a.Absent.Why, Hint: a.Absent.Hint}}, true
		}
	}
	return SideCell{}, false
}
