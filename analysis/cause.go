package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/inventory/traits"
	"assay/limits"
)

// cause looks for what may make a host odd: a fact in which it differs from all
// the others, in the direction that would explain it, or else a label that only
// it has. next is what to do about it, with what that rests on.
func (b *builder) cause(g *misfit) (cause, next string) {
	if g.pair {
		return "", fmt.Sprintf("Check the cable and ports between %s and %s: the other paths of %s perform as expected.", g.Host, g.Peer, prose.And(g.Networks))
	}
	look := map[string]func(*misfit) string{
		"network": b.networkCause, "storage": b.driveCause, "cpu": b.cpuCause, "memory": b.memoryCause, "thermal": b.heatCause,
	}[g.Section]
	if look != nil {
		cause = look(g)
	}
	if cause == "" {
		cause = b.labelCause(g)
	}
	return cause, g.advice(cause)
}

// advice is what to do next. It names the figures that it rests on.
func (g *misfit) advice(cause string) string {
	o, metric := g.first, g.row.Metric
	rests := fmt.Sprintf("it has %s, the others %s%s", quantity.Of(metric, o.mid), span(metric, o.from, o.to), o.once())
	switch {
	case g.Section == "network" && cause != "":
		return fmt.Sprintf("Give %s the same link as the others on %s, or avoid latency-sensitive workloads on it: %s.", g.Host, prose.And(g.Networks), rests)
	case g.Section == "network":
		return fmt.Sprintf("Check the cable, port and interface of %s on %s: %s.", g.Host, prose.And(g.Networks), rests)
	case g.Section == "thermal":
		return fmt.Sprintf("Check the fan, thermal paste and airflow of %s: under the same load %s.", g.Host, strings.NewReplacer("it has", "it heats up by", "the others ", "the others by ").Replace(rests))
	case g.Section == "storage" && cause != "":
		return fmt.Sprintf("Give %s a drive like the others', or avoid storage-heavy workloads on it: %s.", g.Host, rests)
	case g.Section == "storage":
		return fmt.Sprintf("Check the drive of %s, its I/O limits and other workloads on it: %s.", g.Host, rests)
	}
	return fmt.Sprintf("Check what differs on %s (see assay hosts): %s.", g.Host, rests)
}

// differs gives a number of the host and the least of the others', where the
// host's is below all of theirs. Unknown numbers are 0 and say nothing.
func (b *builder) differs(g *misfit, of func(assay.Facts) float64) (own, least float64, is bool) {
	facts := b.run.Inventory.Facts
	if own = of(facts[g.Host]); own <= 0 {
		return 0, 0, false
	}
	for _, h := range g.others() {
		v := of(facts[h])
		if v <= 0 {
			return 0, 0, false
		}
		if least == 0 || v < least {
			least = v
		}
	}
	return own, least, least > own
}

// alone gives a word of the host that none of the others has; all must be known.
func (b *builder) alone(g *misfit, of func(assay.Facts) string) (own string, is bool) {
	facts := b.run.Inventory.Facts
	own = of(facts[g.Host])
	for _, h := range g.others() {
		if v := of(facts[h]); v == "" || v == own {
			return "", false
		}
	}
	return own, own != ""
}

func (b *builder) networkCause(g *misfit) string {
	if g.row.Metric == "net.rtt.median" {
		return ""
	}
	own, least, slow := b.linkSpeeds(g)
	if slow {
		return fmt.Sprintf("its link is %s, theirs %s", quantity.Rate(own), quantity.Rate(least))
	}
	return likeALink(g.rate)
}

// linkSpeeds gives the speed of the interface that carried the host's traffic
// and the least of the others', in bit/s. Where the interface or its speed is
// not known, as with a bridge, the fastest of the host is taken.
func (b *builder) linkSpeeds(g *misfit) (own, least float64, slow bool) {
	carried := b.interfaces(g.Networks)
	return b.differs(g, func(f assay.Facts) float64 {
		fastest := 0.
		for _, n := range f.NICs {
			if n.Name == carried[f.Host] && n.Speed > 0 {
				return n.Speed
			}
			if !n.Virtual && n.State != "down" {
				fastest = max(fastest, n.Speed)
			}
		}
		return fastest
	})
}

// interfaces says which interface carried the traffic of each host on the first
// of these networks, as its trials say.
func (b *builder) interfaces(networks []string) map[string]string {
	out := map[string]string{}
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		if s.Kind != assay.KindLink || len(networks) == 0 || s.Network != networks[0] {
			continue
		}
		for _, rep := range r.Counted() {
			for _, m := range rep.Measurements {
				ends := [2]string{s.Host, s.Peer}
				if m.Labels["direction"] == "reverse" {
					ends = [2]string{s.Peer, s.Host}
				}
				for i, label := range []string{"interface", "peer_interface"} {
					if device := m.Labels[label]; device != "" {
						out[ends[i]] = device
					}
				}
			}
		}
	}
	return out
}

// likeALink says that a throughput is what a slower link would carry.
func likeALink(bytesPerSecond float64) string {
	if bits := limits.LikeALine(bytesPerSecond); bits > 0 {
		return fmt.Sprintf("that is what a %s link carries, although its hardware facts do not show one", quantity.Rate(bits))
	}
	return ""
}

// byFact looks in the table of traits for what may explain the figure, in the
// direction that would: a setting first, then what there is less of, then what is
// another one.
func (b *builder) byFact(g *misfit, directions ...traits.Direction) string {
	for _, by := range directions {
		for _, t := range traits.Host {
			for _, e := range t.Explains {
				if e.By != by || e.Section != g.Section || !strings.Contains(g.row.Title, e.Load) {
					continue
				}
				if own, theirs, is := b.explains(g, t, e); is {
					return strings.NewReplacer("{own}", own, "{theirs}", theirs).Replace(e.Words)
				}
			}
		}
	}
	return ""
}

// explains gives what the host has of a trait, and what stands for the others,
// where the trait explains the host's figure.
func (b *builder) explains(g *misfit, t traits.Trait[assay.Facts], e traits.Explanation) (own, theirs string, is bool) {
	facts, others := b.run.Inventory.Facts, g.others()
	own = t.Text(facts[g.Host])
	if e.By == traits.Less {
		_, least, is := b.differs(g, t.Number)
		if !is {
			return "", "", false
		}
		at := slices.IndexFunc(others, func(h string) bool { return t.Number(facts[h]) == least })
		return own, t.Text(facts[others[at]]), true
	}
	if _, is = b.alone(g, t.Text); !is || e.By == traits.Setting && !e.Slow(own) {
		return "", "", false
	}
	return own, t.Text(facts[others[0]]), true
}

func (b *builder) driveCause(g *misfit) string {
	if cause := b.byFact(g, traits.Setting, traits.Less); cause != "" {
		return cause
	}
	if n := b.mediaErrors(g.Host); n > 0 && !slices.ContainsFunc(g.others(), func(h string) bool { return b.mediaErrors(h) > 0 }) {
		return fmt.Sprintf("its drive has %s media errors, theirs have none", errorCount(n))
	}
	return b.byFact(g, traits.Another)
}

func errorCount(v float64) string { return quantity.Of("smart.media_errors", v) }

// mediaErrors adds up what the drives of a host say of themselves.
func (b *builder) mediaErrors(host string) float64 {
	n := 0.
	for _, r := range b.run.Results {
		if v := r.Values("smart.media_errors"); r.Trial.Subject.Host == host && len(v) > 0 {
			n += v[len(v)-1]
		}
	}
	return n
}

func (b *builder) cpuCause(g *misfit) string {
	return cmp.Or(b.byFact(g, traits.Setting, traits.Less, traits.Another), b.coolingLabel(g))
}

func (b *builder) memoryCause(g *misfit) string { return b.byFact(g, traits.Less) }

func (b *builder) heatCause(g *misfit) string {
	return cmp.Or(b.coolingLabel(g), b.byFact(g, traits.Another))
}

// coolingKeys are labels that have to do with heat, and only with heat.
var coolingKeys = []string{"cooling", "cooler", "fan", "fans", "case", "airflow", "heatsink"}

func (b *builder) coolingLabel(g *misfit) string {
	return b.label(g, func(key string) bool { return slices.Contains(coolingKeys, key) })
}

func (b *builder) labelCause(g *misfit) string {
	return b.label(g, func(key string) bool { return !slices.Contains(coolingKeys, key) })
}

// label names a label whose value only this host has. A label that each host
// has with another value tells nobody apart: the others must agree.
func (b *builder) label(g *misfit, wanted func(key string) bool) string {
	own := b.labelsOf(g.Host)
	for _, key := range slices.Sorted(maps.Keys(own)) {
		if !wanted(key) {
			continue
		}
		values := map[string]bool{}
		for _, h := range g.others() {
			values[b.labelsOf(h)[key]] = true
		}
		if len(values) == 1 && !values[own[key]] {
			return "label " + key + "=" + own[key]
		}
	}
	return ""
}
