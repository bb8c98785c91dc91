package hypotheses

import (
	"slices"
	"strings"
	"testing"

	"assay"
)

// saysOf returns what the clues of a fault say of a suspect.
func saysOf(t *testing.T, s *Suspect, id string) string {
	t.Helper()
	h := known(t, id)
	return strings.Join(scaleOf(s).look(&h).says, "; ")
}

// A counter that no other host has is not compared: a missing figure is never a zero.
func TestCountersThatNoOtherHostHas(t *testing.T) {
	for id, want := range map[string]struct{ alone, beside string }{
		"drive-failing": {"its drive has 12 media errors", "its drive has 12 media errors, theirs have none"},
		"drive-hot":     {"", "its drive is at 82 °C, theirs at 40 °C"},
		"cpu-throttles": {"its CPU throttled 40 times per repeat", "its CPU throttled 40 times per repeat, theirs 0"},
		"link-errors":   {"its interface counted 800 errors in a repeat", "its interface counted 800 errors in a repeat, theirs 0"},
		"link-drops":    {"its interface dropped 9,000 packets in a repeat", "its interface dropped 9,000 packets in a repeat, theirs 0"},
		"link-busy": {"its link was busy with other outgoing traffic: 3.2 Gb/s besides the tests",
			"its link was busy with other outgoing traffic: 3.2 Gb/s besides the tests, theirs 8 Mb/s"},
		"link-flaps":   {"its interface lost its link 6 times during the run", "its interface lost its link 6 times during the run, theirs never"},
		"memory-swaps": {"it swapped 286 MiB in a repeat", "it swapped 286 MiB in a repeat, the others 0 B"},
		"disk-busy":    {"its drive was busy with other work: 18.0 MB/s besides the tests", "its drive was busy with other work: 18.0 MB/s besides the tests, theirs 0 B/s"},
		"steal":        {"20 % of its CPU time was stolen", "20 % of its CPU time was stolen, theirs 0 %"},
		"clock-rate":   {"", "its clock runs at 90 % of real time, and what it measures is wrong by as much"},
	} {
		h := known(t, id)
		s := sick(h, typical(h))
		for _, other := range s.Others {
			c := s.Counted[other]
			c.Sent, c.LinksLost = map[string]float64{"eth0": 1e6}, map[string]float64{"eth0": 0}
			s.Counted[other] = c
		}
		if got := saysOf(t, s, id); got != want.beside {
			t.Errorf("%s: %q, want %q", id, got, want.beside)
		}
		for _, other := range s.Others {
			s.Counted[other] = NothingCounted()
		}
		if got := saysOf(t, s, id); got != want.alone {
			t.Errorf("%s, the others' unknown: %q, want %q", id, got, want.alone)
		}
		s.Counted = map[string]Counted{s.Host: s.Counted[s.Host]}
		if got := saysOf(t, s, id); got != want.alone {
			t.Errorf("%s, the others not counted: %q, want %q", id, got, want.alone)
		}
	}
}

// Whatever is planted, nothing is said of others of whom nothing is known.
func TestNothingIsSaidOfUnknownHosts(t *testing.T) {
	for _, h := range named() {
		s := sick(h, typical(h))
		for _, other := range slices.Concat(s.Others, []string{s.Peer}) {
			s.Facts[other], s.Counted[other] = assay.Facts{Host: other}, NothingCounted()
		}
		if got := saysOf(t, s, h.ID); strings.Contains(got, "theirs") || strings.Contains(got, "the others") {
			t.Errorf("%s: %q", h.ID, got)
		}
	}
}

// Other hosts' drives may have errors, too, if they are far fewer.
func TestOtherHostsHaveMediaErrors(t *testing.T) {
	for _, c := range []struct {
		own, theirs float64
		want        string
	}{
		{519, 100, "its drive has 519 media errors, theirs have at most 100"},
		{519, 104, ""},
		{1, 0, "its drive has 1 media error, theirs have none"},
		{3, -1, "its drive has 3 media errors"},
		{0, 0, ""},
	} {
		h := known(t, "drive-failing")
		s := sick(h, typical(h))
		for host := range s.Counted {
			errors := -1.
			switch host {
			case s.Host:
				errors = c.own
			case s.Others[1]:
				errors = c.theirs
			}
			counted := s.Counted[host]
			counted.MediaErrors = errors
			s.Counted[host] = counted
		}
		if got := saysOf(t, s, "drive-failing"); got != c.want {
			t.Errorf("%v against %v: %q, want %q", c.own, c.theirs, got, c.want)
		}
	}
}

// A label that says where a host is explains no slow drive: racks are judged by their links.
func TestAHostAloneInItsRack(t *testing.T) {
	for _, name := range []string{"rack", "switch", "room"} {
		s := sound("pve1", "")
		for host := range s.Labels {
			s.Labels[host] = map[string]string{name: "a"}
		}
		s.Labels["pve1"] = map[string]string{name: "b"}
		for _, l := range storage {
			s.Seen[l] = Sight{Odd: true, Ratio: 10}
		}
		c := s.Counted["pve1"]
		c.MediaErrors = 12
		s.Counted["pve1"] = c
		if causes := Weigh(s); causes[0].ID != "drive-failing" {
			t.Errorf("%s: %s at %.2f", name, causes[0].ID, causes[0].Probability)
		}
	}
}

// The health of a cluster that all hosts share explains nothing about one of them, and a
// warning that is about no copies, such as noout, explains nothing at all.
func TestReplicationThatResyncs(t *testing.T) {
	const degraded = "12 placement groups degraded"
	for _, c := range []struct {
		name        string
		own, theirs assay.StackFacts
		want        bool
	}{
		{"a warning on all", assay.StackFacts{Kind: "ceph", Health: "HEALTH_WARN"}, assay.StackFacts{Kind: "ceph", Health: "HEALTH_WARN"}, false},
		{"a warning", assay.StackFacts{Kind: "ceph", Health: "HEALTH_WARN"}, assay.StackFacts{}, false},
		{"lacking copies on all", assay.StackFacts{Kind: "ceph", Lacking: degraded}, assay.StackFacts{Kind: "ceph", Lacking: degraded}, false},
		{"lacking fewer and fewer", assay.StackFacts{Kind: "ceph", Lacking: degraded}, assay.StackFacts{Kind: "ceph", Lacking: "9 placement groups degraded"}, false},
		{"lacking copies", assay.StackFacts{Kind: "ceph", Lacking: degraded}, assay.StackFacts{}, true},
		{"DRBD syncs", assay.StackFacts{Kind: "drbd", Health: "Inconsistent"}, assay.StackFacts{Kind: "drbd", Health: "UpToDate"}, true},
	} {
		s := sound("pve1", "")
		for host, f := range s.Facts {
			f.Stack = &c.theirs
			if host == "pve1" {
				f.Stack = &c.own
			}
			s.Facts[host] = f
		}
		for _, l := range storage {
			s.Seen[l] = Sight{Odd: true, Ratio: 10}
		}
		if causes := Weigh(s); (causes[0].ID == "replication-resyncs") != c.want {
			t.Errorf("%s: %s %s", c.name, causes[0].ID, causes[0].Evidence)
		}
	}
}

// A host whose processes were not watched does not count as idle.
func TestUnwatchedProcessesAreUnknown(t *testing.T) {
	s := sound("pve1", "")
	s.Counted["pve1"] = NothingCounted()
	if a := hogged(s); a.Is != Unknown {
		t.Errorf("not watched: %+v", a)
	}
	c := NothingCounted()
	c.Share = 0
	s.Counted["pve1"] = c
	if a := hogged(s); a.Is != No {
		t.Errorf("watched, and nothing ran: %+v", a)
	}
}

// Of a bond of unlike links only their sum is known: that is compared with what the others'
// links carry together.
func TestABondOfUnlikeLinks(t *testing.T) {
	for speed, want := range map[float64]Is{11e9: Yes, 20e9: No} {
		s := sound("pve1", "")
		for host, f := range s.Facts {
			bond := assay.NICFacts{Name: "eth0", Speed: 10e9, Members: 2, State: "up", Virtual: true, Driver: assay.Bonding}
			if host == "pve1" {
				bond.Speed, bond.Members = speed, 0
			}
			f.NICs = []assay.NICFacts{bond}
			s.Facts[host] = f
		}
		if a := slowerInterface(s); a.Is != want {
			t.Errorf("%g: %+v, want %v", speed, a, want)
		}
	}
}
