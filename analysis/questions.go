package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"assay"
	"assay/analysis/hypotheses"
	"assay/analysis/sampled"
	"assay/plan/sampling"
)

// Question is a suspect with several faults left, and what would decide between them.
type Question struct {
	Host, Peer string
	Faults     []string // their names, the likeliest first
	Tests      []Test
}

// Who returns the suspect's name as deciding trials use it.
func (q Question) Who() string { return suspectName(q.Host, q.Peer) }

// Test is one case to be measured, on some subjects.
type Test struct {
	Case     string
	Set      map[string]string // settings that depend on what was measured
	Subjects []string          // ids: the suspect's, then those to compare with
}

// UDP rates that fit any line, in bit/s.
const (
	slowest = 5e6
	fastest = 30e6
)

// Questions returns what the run leaves open and a measurement would decide, gravest
// suspect first.
func (f Found) Questions() []Question {
	var all []Question
	for _, o := range f.Outliers {
		if o.Better || !openTo(o.Why) {
			continue
		}
		q := Question{Host: o.Host, Peer: o.Peer}
		if o.Why.Known() {
			q.Faults = append(q.Faults, o.Why.Name)
		}
		for _, r := range o.Why.Rivals {
			q.Faults = append(q.Faults, r.Name)
		}
		for _, test := range o.Why.Tests() {
			if t, can := f.test(o, test); can {
				q.Tests = append(q.Tests, t)
			}
		}
		if len(q.Tests) > 0 {
			all = append(all, q)
		}
	}
	return append(all, f.followUps...)
}

// followUps returns the hosts of sampled networks that may have a fault, and the further
// links that would tell.
func (b *builder) followUps(all []Matrix) []Question {
	var out []Question
	for i := range all {
		m := &all[i]
		if m.Metric != rateMetric || !m.isSampled() {
			continue
		}
		for _, s := range sampled.Suspects(b.sampledWays(m, all)) {
			t := Test{Case: hypotheses.TestFlow}
			for _, p := range s.Ways {
				if id := b.linkID(m.Network, p); id != "" {
					t.Subjects = append(t.Subjects, id)
				}
			}
			if len(t.Subjects) > 0 {
				out = append(out, Question{Host: s.Host, Faults: []string{"a slow or lossy link"}, Tests: []Test{t}})
			}
		}
	}
	return out
}

// linkID returns the subject of a way, or "" if there is none.
func (b *builder) linkID(network string, p sampling.Pair) string {
	for _, s := range b.run.Inventory.Subjects {
		if s.Kind == assay.KindLink && s.Network == network && s.Host == p.From && s.Peer == p.To {
			return s.ID
		}
	}
	return ""
}

// test returns what a case is to be measured on; false if there is nothing.
func (f Found) test(o Outlier, name string) (Test, bool) {
	t := Test{Case: name}
	if name == hypotheses.TestBurst {
		t.Subjects = f.cpusFor(o)
		return t, len(t.Subjects) > 1
	}
	if o.Section == "network" {
		if t.Subjects = f.slowWays(o); len(t.Subjects) == 0 {
			return t, false
		}
		if name == hypotheses.TestUDP {
			t.Set = map[string]string{"rate": f.lowRate(t.Subjects)}
			if t.Subjects = append(t.Subjects, f.soundLink(o)...); len(t.Subjects) < 2 {
				return t, false
			}
		}
		return t, true
	}
	if own := f.directoryOf(o); own != "" && meets(o.Why.Explains, loadsOfTest[name]) {
		t.Subjects = []string{own}
	}
	return t, len(t.Subjects) > 0
}

// loadsOfTest maps a storage test to the loads whose slowness it explains.
var loadsOfTest = map[string][]hypotheses.Load{
	hypotheses.TestReads:  {hypotheses.RandomReads},
	hypotheses.TestWrites: {hypotheses.RandomWrites, hypotheses.SyncWrites},
}

// slowWays returns links of a suspect on which it stands out: one for each affected
// direction, to hosts that are fine.
func (f Found) slowWays(o Outlier) []string {
	var out []string
	sent, received := false, false
	for _, l := range f.links(o.Networks) {
		from, to := l.Host == o.Host, l.Peer == o.Host
		if o.Peer != "" && !touches(l, o.Host, o.Peer) || o.Peer == "" && (f.suspected(l.Host, o.Section) && !from || f.suspected(l.Peer, o.Section) && !to) {
			continue
		}
		if from && !sent && o.Ways != ToHost {
			sent, out = true, append(out, l.ID)
		}
		if to && !received && o.Ways != FromHost && o.Ways != OneOfPath {
			received, out = true, append(out, l.ID)
		}
	}
	return out
}

// soundLink returns a link between two unsuspected hosts.
func (f Found) soundLink(o Outlier) []string {
	for _, l := range f.links(o.Networks) {
		if !f.suspected(l.Host, o.Section) && !f.suspected(l.Peer, o.Section) && !touches(l, o.Host, "") && (o.Peer == "" || !touches(l, o.Peer, "")) {
			return []string{l.ID}
		}
	}
	return nil
}

// links returns the links of the first of these networks on which one TCP flow was
// measured.
func (f Found) links(networks []string) []assay.Subject {
	var out []assay.Subject
	for _, r := range f.Run.Results {
		s := r.Trial.Subject
		if len(networks) > 0 && s.Network == networks[0] && r.Trial.Decides == "" && len(r.Values("net.tcp.throughput")) > 0 &&
			!slices.ContainsFunc(out, func(l assay.Subject) bool { return l.ID == s.ID }) {
			out = append(out, s)
		}
	}
	return out
}

// lowRate returns a quarter of what one flow carried on the slowest of these
// links.
func (f Found) lowRate(links []string) string {
	least := math.Inf(1)
	for _, id := range links {
		least = min(least, 8*oneFlowOf(f.Run.Results, assay.Subject{ID: id}))
	}
	rate := min(max(least/4, slowest), fastest)
	return fmt.Sprintf("%.0fM", rate/1e6)
}

// cpusFor returns the CPU of a suspect and that of an unsuspected host.
func (f Found) cpusFor(o Outlier) []string {
	var own, sound string
	for _, r := range f.Run.Results {
		s := r.Trial.Subject
		isSound := !slices.ContainsFunc(f.Outliers, func(other Outlier) bool { return !other.Better && (other.Host == s.Host || other.Peer == s.Host) })
		switch {
		case s.Kind != assay.KindCPU || len(r.Counted()) == 0:
		case s.Host == o.Host:
			own = s.ID
		case sound == "" && isSound:
			sound = s.ID
		}
	}
	if own == "" || sound == "" {
		return nil
	}
	return []string{own, sound}
}

// suspected reports whether anything is wrong with a host in a section, or with a path
// that ends at it.
func (f Found) suspected(host, section string) bool {
	return slices.ContainsFunc(f.Outliers, func(o Outlier) bool {
		return !o.Better && o.Section == section && (o.Host == host || o.Peer == host)
	})
}

// parseBits parses the rates that lowRate formats.
func parseBits(text string) (float64, bool) {
	if len(text) < 2 || text[len(text)-1] != 'M' {
		return 0, false
	}
	n, err := strconv.ParseFloat(text[:len(text)-1], 64)
	return n * 1e6, err == nil
}
