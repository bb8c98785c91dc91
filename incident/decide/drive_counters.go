package decide

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/incident"
	"assay/incident/blame"
	"assay/incident/read"
)

//go:embed drive_counters.sh
var countersScript string

// driveCounters reads a drive's own counters before and after the other reads.
var driveCounters = Decider{ID: "drive-counters", Reads: func(log incident.Log, v blame.Verdict) []Read {
	var all []Read
	for _, s := range suspects(v) {
		if d := log.Stack.Find(s.Host, s.Device); d.Transport != "" && !d.Transport.Real() || d.Transport == incident.MMC || !attached(s.Device) {
			continue
		}
		all = append(all, Read{Host: s.Host, Device: s.Device, Longest: 30 * time.Second, around: true,
			What:  fmt.Sprintf("ask %s for its SMART counters before and after the other reads", place(s.Host, s.Device)),
			Shows: "media errors that grow are the drive's own; CRC errors that grow are its cable's or port's",
			argv:  shell(countersScript, s.Device),
			judge: func(said []string) Shown { return countersShow(place(s.Host, s.Device), said) },
		})
	}
	return all
}}

// attached reports whether a device name is of a kind that has SMART.
func attached(name string) bool {
	return strings.HasPrefix(name, "sd") || strings.HasPrefix(name, "nvme")
}

// counted are the counters, by the layer they point to.
var counted = []struct {
	layer incident.Layer
	kinds []incident.Kind
}{
	{incident.Drive, []incident.Kind{incident.SMARTPending, incident.SMARTMedia, incident.SMARTRealloc}},
	{incident.Link, []incident.Kind{incident.SMARTCRC}},
}

// countersShow reports which counters grew. A missing counter counts as 0.
func countersShow(named string, said []string) Shown {
	if len(said) != 2 {
		return Shown{Absent: "failed: it was asked once, not twice"}
	}
	var seen [2]map[incident.Kind]float64
	for i, text := range said {
		if why, refused := strings.CutPrefix(strings.TrimSpace(text), "absent "); refused {
			return Shown{Absent: why}
		}
		var err error
		if seen[i], err = countersOf(text); err != nil {
			return Shown{Absent: err.Error()}
		}
	}
	var s Shown
	var grew []string
	for _, c := range counted {
		for _, k := range c.kinds {
			if was, is := seen[0][k], seen[1][k]; is > was {
				grew = append(grew, fmt.Sprintf("%s: %g, then %g", k, was, is))
				if !slices.Contains(s.For, c.layer) {
					s.For = append(s.For, c.layer)
				}
			}
		}
	}
	if len(grew) == 0 {
		s.Says = "The SMART counters of " + named + " did not move."
		return s
	}
	s.Says = "The SMART counters of " + named + " grew while it was read: " + strings.Join(grew, "; ") + "."
	return s
}

// countersOf parses a SMART report. It fails if the report has no known counter.
func countersOf(text string) (map[incident.Kind]float64, error) {
	r := read.New()
	if err := r.Read("SMART", "", strings.NewReader(text)); err != nil {
		return nil, err
	}
	of := map[incident.Kind]float64{}
	known := false
	for _, e := range r.Log().Events {
		known = known || e.Kind == incident.SMARTClean
		for _, c := range counted {
			if slices.Contains(c.kinds, e.Kind) {
				known = true
				of[e.Kind] += e.Value
			}
		}
	}
	if !known {
		return nil, fmt.Errorf("not supported: no SMART counters that are known")
	}
	return of, nil
}
