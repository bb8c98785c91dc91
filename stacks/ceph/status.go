package ceph

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/jsondoc"
)

// Status is the output of ceph status.
type Status struct {
	Health string   // HEALTH_OK, HEALTH_WARN, HEALTH_ERR
	Checks []string // "POOL_NEAR_FULL: 1 pool(s) nearfull", those that are muted too
	OSDs   int      // that exist
	In     int      // that hold data
	Up     int
	States map[string]int // placement groups by state: active+clean
}

// ReadStatus reads ceph status --format json.
func ReadStatus(text []byte) (Status, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil {
		return Status{}, fmt.Errorf("ceph status: %w", err)
	}
	s := Status{Health: n.At("health", "status").Text(), States: map[string]int{}}
	if s.Health == "" {
		return Status{}, fmt.Errorf("ceph status: no health in it")
	}
	n.At("health", "checks").Fields(func(name string, check jsondoc.Node) {
		text := name
		if message := check.At("summary", "message").Text(); message != "" {
			text += ": " + message
		}
		s.Checks = append(s.Checks, text)
	})
	slices.Sort(s.Checks)
	osds := n.At("osdmap")
	if inner := osds.At("osdmap"); inner.IsObject() {
		osds = inner // Nautilus
	}
	for key, to := range map[string]*int{"num_osds": &s.OSDs, "num_in_osds": &s.In, "num_up_osds": &s.Up} {
		if *to, err = count(osds, key); err != nil {
			return Status{}, err
		}
	}
	for _, state := range n.At("pgmap", "pgs_by_state").List() {
		pgs, err := count(state, "count")
		if err != nil {
			return Status{}, err
		}
		s.States[state.At("state_name").Text()] += pgs
	}
	return s, nil
}

// most exceeds any count in a real cluster.
const most = 1 << 30

// count returns a whole number; 0 if absent.
func count(n jsondoc.Node, key string) (int, error) {
	v, _, err := n.At(key).NotNegative(key, 1)
	if err == nil && v > most {
		err = fmt.Errorf("line %d: %s is %g, which is impossible", n.At(key).Line(), key, v)
	}
	if err != nil {
		return 0, fmt.Errorf("ceph's %w", err)
	}
	return int(v), nil
}

type groupState struct{ state, word string }

// lacking lists the placement group states in which copies are missing or being made, with
// words for them, and busy all that take time from clients.
var (
	lacking = []groupState{{"recover", "recovering"}, {"backfill", "backfilling"}, {"degraded", "degraded"}, {"undersized", "undersized"}}
	busy    = slices.Concat(lacking, []groupState{
		{"peering", "peering"}, {"scrubbing+deep", "deep-scrubbing"}, {"scrubbing", "scrubbing"},
		{"snaptrim", "trimming snapshots"}, {"stale", "stale"}, {"down", "down"},
	})
)

// Disturbed returns why figures taken at present are unreliable: health other than
// OK, and what the OSDs do besides serving clients. It is empty if all is well.
// Muted checks count too: muting does not make a cluster faster.
func (s Status) Disturbed() []string {
	var why []string
	switch {
	case s.Health != "HEALTH_OK" && len(s.Checks) > 0:
		why = append(why, s.Health+" ("+strings.Join(s.Checks, "; ")+")")
	case s.Health != "HEALTH_OK":
		why = append(why, s.Health)
	case len(s.Checks) > 0:
		why = append(why, "muted checks ("+strings.Join(s.Checks, "; ")+")")
	}
	return append(why, s.groups(busy)...)
}

// Lacking says which copies are missing or being made; "" if none.
func (s Status) Lacking() string { return strings.Join(s.groups(lacking), ", ") }

// groups counts the placement groups in some states.
func (s Status) groups(in []groupState) (all []string) {
	for _, b := range in {
		pgs := 0
		for state, n := range s.States {
			deep := strings.Contains(state, "scrubbing+deep")
			if strings.Contains(state, b.state) && (b.state != "scrubbing" || !deep) {
				pgs += n
			}
		}
		if pgs > 0 {
			all = append(all, fmt.Sprintf("%d placement groups %s", pgs, b.word))
		}
	}
	return all
}

// Settling reports whether placement groups are only peering, which takes seconds:
// after a pool was created, removed or reconfigured.
func (s Status) Settling() bool {
	for _, check := range s.Checks {
		if !strings.HasPrefix(check, "PG_AVAILABILITY") {
			return false
		}
	}
	settling := len(s.Checks) > 0
	for state, n := range s.States {
		switch {
		case n == 0 || state == "active+clean":
		case strings.Contains(state, "peering") || strings.Contains(state, "creating") || state == "unknown" || state == "active":
			settling = true
		default:
			return false
		}
	}
	return settling
}

// ReadVersion reads ceph version --format json: 16.2.15.
func ReadVersion(text []byte) (string, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil {
		return "", fmt.Errorf("ceph version: %w", err)
	}
	words := strings.Fields(n.At("version").Text())
	if len(words) < 3 || words[0] != "ceph" || words[1] != "version" {
		return "", fmt.Errorf("ceph version: %w", errShape)
	}
	return words[2], nil
}
