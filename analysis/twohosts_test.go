package analysis

import (
	"math/rand/v2"
	"slices"
	"testing"

	"assay"
)

// Of two hosts nobody can tell which is as it should be, but where they differ is said, and
// so is where the two ways between them do.
func TestTwoHosts(t *testing.T) {
	for _, c := range []struct {
		name string
		slow func(host, peer, metric, title, network string) float64
		tone Tone
		most string // network and title
		from float64
	}{
		{"alike", func(_, _, _, _, _ string) float64 { return 1 }, Note, "", 0},
		{"a slow drive", func(host, _, _, title, _ string) float64 {
			if host == "pve2" && title == "4 KiB random read" {
				return 10
			}
			return 1
		}, Doubt, " 4 KiB random read", 2e4},
		{"a slow way", func(host, _, _, _, network string) float64 {
			if host == "pve2" && network == "storage" {
				return 10
			}
			return 1
		}, Doubt, "storage TCP, one flow", 1.1e9},
		{"a fifth slower", func(host, _, metric, _, _ string) float64 {
			if host == "pve2" && metric == "memory.read.bandwidth" {
				return 1.2
			}
			return 1
		}, Note, "", 0},
	} {
		run := world{dice: rand.New(rand.NewPCG(5, 6)), scatter: .01, hosts: .01, slow: c.slow}.run() // #nosec G404 -- a simulation
		run.Inventory.Hosts = run.Inventory.Hosts[:2]
		run.Results = slices.DeleteFunc(run.Results, func(r assay.Result) bool {
			s := r.Trial.Subject
			return s.Host > "pve2" || s.Peer > "pve2"
		})
		found := Of(run)
		at := slices.IndexFunc(found.Verdict, func(p Point) bool { _, is := p.Says.(TwoHosts); return is })
		if at < 0 {
			t.Errorf("%s: nothing says that there are two: %+v", c.name, found.Verdict)
			continue
		}
		p, two := found.Verdict[at], found.Verdict[at].Says.(TwoHosts)
		most := ""
		if m := two.Most; m != nil {
			if most = m.Network + " " + m.Title; m.Values[0] < .9*c.from || m.Values[0] > 1.1*c.from || m.Ratio < 9 || m.Ratio > 11 {
				t.Errorf("%s: %+v", c.name, m)
			}
		}
		if p.Tone != c.tone || most != c.most || two.Rows != 8 || (two.Alike == 8) != (c.name == "alike") {
			t.Errorf("%s: %s, most in %q, %d of %d alike", c.name, p.Tone, most, two.Alike, two.Rows)
		}
	}
	if found := Of(alikeRun(func(*assay.Facts) {})); slices.ContainsFunc(found.Verdict, func(p Point) bool { _, is := p.Says.(TwoHosts); return is }) {
		t.Error("four hosts are two")
	}
}
