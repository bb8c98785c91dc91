package audit

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"assay"
)

// severalAtOnce turns the result of one host into that of three running at once:
// the total first, then the figures of each host.
func severalAtOnce(r *assay.Result) {
	for i := range r.Repeats {
		own := r.Repeats[i].Measurements
		var all []assay.Measurement
		add := func(times float64, label, value string) {
			for _, m := range own {
				m.Labels = maps.Clone(m.Labels)
				m.Labels[label] = value
				m.Value *= times
				all = append(all, m)
			}
		}
		add(3, "clients", "3")
		for _, host := range []string{"h", "i", "j"} {
			add(1, "host", host)
		}
		r.Repeats[i].Measurements = all
	}
}

// The bytes of three hosts are not compared with the device of one; only its
// own are.
func TestWhatSeveralHostsDidIsHeldAgainstOne(t *testing.T) {
	for _, name := range []string{"randread", "seqwrite"} {
		w := good()
		r := w.only(name)
		said := func() (rules []string) {
			for _, f := range Audit(w.evidence()) {
				if f.Severity == assay.Rejects || f.Severity == assay.Warns {
					rules = append(rules, f.Rule)
				}
			}
			return rules
		}
		before := said()
		severalAtOnce(r)
		if mistaken := said(); !slices.Contains(mistaken, "device-reconcile") {
			t.Fatalf("%s: the total held against one device: %v", name, mistaken)
		}
		r.Trial.Others = []assay.Subject{{Host: "i"}, {Host: "j"}}
		if got := said(); !slices.Equal(got, before) {
			t.Errorf("%s: on three hosts at once: %v, on one: %v", name, got, before)
		}
	}
}

// If one of several hosts was throttled, the common result is spoiled and the
// host is named.
func TestTheStateOfAnotherHostIsLookedAt(t *testing.T) {
	w := good()
	r := w.only("cpu")
	severalAtOnce(r)
	r.Trial.Others = []assay.Subject{{Host: "i"}, {Host: "j"}}
	for n := range r.Repeats {
		idle, slowed := *r.Repeats[n].Watch, *r.Repeats[n].Watch
		throttled(92, 100, 9.2)(n, &slowed)
		r.Repeats[n].Watches = map[string]*assay.Watch{"i": &idle, "j": &slowed}
	}
	var said []string
	for _, f := range cpuQuota.Check(w.evidence()) {
		if f.Severity == assay.Warns {
			said = append(said, f.Message)
		}
	}
	if len(said) != 1 || !strings.HasPrefix(said[0], "j: ") {
		t.Errorf("said %q, want one about j", said)
	}
}

// A device that exists only while it is lent is in no inventory: the volume names it.
func TestADeviceThatWasAttachedIsHeldAgainstTheTool(t *testing.T) {
	w := good()
	r := w.only("randread")
	w.facts.Dirs = nil
	for _, f := range deviceReconcile.Check(w.evidence()) {
		if f.Severity != assay.NotChecked {
			t.Fatalf("nothing is known of the device, and it said %+v", f)
		}
	}
	r.Scratch.Devices = []string{"rbd0"}
	for i := range r.Repeats {
		w := *r.Repeats[i].Watch
		w.Before.Devices = map[string]assay.DeviceCounts{"rbd0": {}}
		w.After.Devices = map[string]assay.DeviceCounts{"rbd0": {ReadBytes: 512}}
		r.Repeats[i].Watch = &w
	}
	found := deviceReconcile.Check(w.evidence())
	if len(found) != 1 || found[0].Severity != assay.Rejects || !strings.Contains(found[0].Arithmetic, " at rbd0 against ") {
		t.Errorf("said %+v", found)
	}
}
