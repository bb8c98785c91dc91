package analysis

import (
	"math"
	"slices"
	"strings"

	"assay"
	"assay/analysis/hypotheses"
	"assay/stats"
)

// Effect is one figure in which a host or path stands out.
type Effect struct {
	Title   string  `json:"title,omitempty"` // of the row; "" on a network
	Metric  string  `json:"metric"`
	Network string  `json:"network,omitempty"`
	Ways    Ways    `json:"ways,omitempty"`
	Own     float64 `json:"own"`
	From    float64 `json:"from"` // the others', least
	To      float64 `json:"to"`
	Ratio   float64 `json:"ratio"` // to the others' median, or its inverse
	Low     float64 `json:"low"`   // interval of the ratio
	High    float64 `json:"high"`
	Once    bool    `json:"once,omitempty"` // some of its figures are single readings
}

// effect is an Effect with the loads that it tests.
type effect struct {
	Effect
	loads   []hypotheses.Load
	repeats []float64
}

// diagnose merges everything that one fault explains into one outlier with that fault:
// whatever stands out about one host or path is weighed together. What is better than
// the others needs no explanation.
func (b *builder) diagnose(misfits []*misfit, s *Side) []Outlier {
	var out []Outlier
	for _, g := range misfits {
		if g.Better {
			out = append(out, g.Outlier)
		}
	}
	misfits = slices.DeleteFunc(misfits, func(g *misfit) bool { return lossExplains(b.signs, g) })
	known := b.known(s)
	for _, who := range b.suspects(misfits, s, known) {
		var own []*misfit
		for _, g := range misfits {
			if !g.Better && g.Host == who[0] && g.Peer == who[1] {
				own = append(own, g)
			}
		}
		out = append(out, b.explained(known.of(who[0], who[1]), own, s)...)
	}
	return out
}

// lossExplains reports whether a slow path is one on which a host loses packets: then the
// path itself is not at fault.
func lossExplains(signs []Sign, g *misfit) bool {
	oneWay := !slices.ContainsFunc(g.effects, func(e effect) bool { return e.Ways != OneOfPath })
	return g.Peer != "" && !g.Better && slices.ContainsFunc(signs, func(s Sign) bool {
		lossy := s.Metric == resentMetric || s.Metric == "net.udp.loss"
		if !lossy || s.Peer != "" || !slices.Contains(g.Networks, s.Network) {
			return false
		}
		switch s.Ways {
		case FromHost:
			return oneWay && s.Host == g.Host
		case ToHost:
			return oneWay && s.Host == g.Peer
		}
		return s.Host == g.Host || s.Host == g.Peer
	})
}

// suspects returns the hosts and paths that stand out, or that have a fact worth
// reporting by itself, each once, as host and peer.
func (b *builder) suspects(misfits []*misfit, s *Side, known evidence) [][2]string {
	var all [][2]string
	add := func(host, peer string) {
		if who := [2]string{host, peer}; host != "" && !slices.Contains(all, who) {
			all = append(all, who)
		}
	}
	for _, g := range misfits {
		if !g.Better {
			add(g.Host, g.Peer)
		}
	}
	for _, sign := range b.signs {
		add(sign.Host, sign.Peer)
	}
	for _, stray := range known.lone() {
		add(stray.From, stray.To)
	}
	measured := s.measured()
	for _, h := range s.Hosts {
		if _, asked := b.run.Inventory.Facts[h]; asked && measured[h] {
			add(h, "")
		}
	}
	return all
}

// explained weighs one suspect and returns an outlier for each of its faults.
func (b *builder) explained(suspect hypotheses.Suspect, own []*misfit, s *Side) []Outlier {
	var effects []effect
	for _, g := range own {
		effects = append(effects, g.effects...)
		for _, n := range g.Networks {
			suspect.Networks = appendOnce(suspect.Networks, n)
		}
		suspect.Rate = max(suspect.Rate, g.rate)
	}
	var signs []Sign
	for _, sign := range b.signs {
		if sign.Host == suspect.Host && sign.Peer == suspect.Peer {
			signs = append(signs, sign)
			suspect.Networks = appendOnce(suspect.Networks, sign.Network)
		}
	}
	if len(suspect.Networks) == 0 {
		for _, stray := range suspect.Strays {
			suspect.Networks = appendOnce(suspect.Networks, stray.Network)
		}
	}
	suspect.Seen = b.sights(s, suspect.Host, suspect.Peer, effects, signs)
	suspect.Tested = b.tested(suspect.Host, suspect.Peer)
	suspect.Others = b.comparedWith(suspect, own, s)
	suspect = b.inItsDirectories(suspect, s, effects)
	suspect.Spread, suspect.Figure, suspect.FigureText = steadiness(effects)
	var out []Outlier
	for _, networks := range s.looks(suspect) {
		suspect.Networks, suspect.Interfaces = networks, b.interfaces(networks)
		for _, cause := range hypotheses.Weigh(&suspect) {
			if !slices.ContainsFunc(out, func(o Outlier) bool { return o.Why.ID == cause.ID }) {
				out = append(out, outlierOf(suspect, own, signs, cause))
			}
		}
	}
	// Whatever no fault explains is reported too.
	left := func(loads []hypotheses.Load) bool {
		return !slices.ContainsFunc(out, func(o Outlier) bool { return o.Why != nil && meets(loads, o.Why.Explains) })
	}
	for _, g := range own {
		if slices.ContainsFunc(g.effects, func(e effect) bool { return left(e.loads) }) {
			o := g.Outlier
			for _, e := range g.effects {
				o.Effects = append(o.Effects, e.Effect)
			}
			out = append(out, o)
		}
	}
	for _, sign := range signs {
		if left(loadsOf(sign.Metric, sign.Ways)) {
			out = append(out, Outlier{
				Standout: Standout{Host: sign.Host, Peer: sign.Peer, Section: "network", Networks: []string{sign.Network}},
				Ways:     sign.Ways, Signs: []Sign{sign},
			})
		}
	}
	return out
}

// looks returns the networks on which to look at a suspect's interfaces: those with something
// odd, together; otherwise all of its networks one by one, for the settings of its interfaces.
func (s *Side) looks(suspect hypotheses.Suspect) [][]string {
	if len(suspect.Networks) > 0 {
		return [][]string{suspect.Networks}
	}
	all := [][]string{}
	for i := range s.Networks {
		m := &s.Networks[i]
		seen := slices.ContainsFunc(all, func(l []string) bool { return l[0] == m.Network })
		if !seen && slices.Contains(m.Hosts, suspect.Host) && (suspect.Peer == "" || slices.Contains(m.Hosts, suspect.Peer)) {
			all = append(all, []string{m.Network})
		}
	}
	if len(all) == 0 {
		return [][]string{nil}
	}
	return all
}

func meets(a, b []hypotheses.Load) bool {
	return slices.ContainsFunc(a, func(l hypotheses.Load) bool { return slices.Contains(b, l) })
}

func appendOnce(all []string, s string) []string {
	if slices.Contains(all, s) {
		return all
	}
	return append(all, s)
}

// outlierOf returns what one fault explains about a suspect.
func outlierOf(s hypotheses.Suspect, own []*misfit, signs []Sign, cause hypotheses.Cause) Outlier {
	o := Outlier{Standout: Standout{Host: s.Host, Peer: s.Peer, Section: cause.Layer, Least: math.Inf(1)}, Why: &cause}
	sections := map[string]bool{}
	var heat []Effect
	for _, g := range own {
		for _, e := range g.effects {
			if !meets(e.loads, cause.Explains) {
				continue
			}
			sections[g.Section] = true
			o.Likely = o.Likely || g.Likely
			if e.Metric == "thermal.rise" {
				heat = append(heat, e.Effect)
			} else {
				o.take(e.Effect)
			}
		}
	}
	o.warm(heat)
	if len(sections) == 1 {
		for section := range sections {
			o.Section = section
		}
	}
	for _, sign := range signs {
		if meets(loadsOf(sign.Metric, sign.Ways), cause.Explains) {
			o.Signs = append(o.Signs, sign)
			o.Networks = appendOnce(o.Networks, sign.Network)
			if len(sections) == 0 {
				o.Section, o.Ways = "network", sign.Ways
			}
		}
	}
	if len(o.Effects) == 0 {
		o.Least = 0
	}
	if len(o.Networks) == 0 && cause.Layer == "network" {
		o.Networks = s.Networks
	}
	return o
}

// take adds an effect to an outlier.
func (o *Outlier) take(e Effect) {
	o.Effects = append(o.Effects, e)
	if e.Ratio > o.Greatest {
		o.Greatest = e.Ratio
		o.Worst = e.apart()
		o.Ways = e.Ways
	}
	o.Least = min(o.Least, e.Ratio)
	o.Rows = appendOnce(o.Rows, e.row())
	if e.Network != "" {
		o.Networks = appendOnce(o.Networks, e.Network)
	}
}

// warm adds effects on temperatures. Their ratio is no speed: where the host is also slow,
// the farthest off is kept apart.
func (o *Outlier) warm(effects []Effect) {
	alone, greatest := len(o.Effects) == 0, 0.
	for _, e := range effects {
		switch {
		case alone:
			o.take(e)
			continue
		case e.Ratio > greatest:
			apart := e.apart()
			o.Heat, greatest = &apart, e.Ratio
		}
		o.Effects = append(o.Effects, e)
	}
}

func (e Effect) apart() Apart {
	return Apart{Title: e.Title, Metric: e.Metric, Own: e.Own, From: e.From, To: e.To, Once: e.Once}
}

// row names the table row or the matrix that an effect is in.
func (e Effect) row() string {
	if e.Network == "" {
		return e.Title
	}
	return e.Network + ": " + e.Title
}

// comparedWith returns the hosts that a suspect is compared with: those measured
// alike.
func (b *builder) comparedWith(suspect hypotheses.Suspect, own []*misfit, s *Side) []string {
	hosts := s.Hosts
	if len(own) > 0 {
		hosts = own[0].hosts
	}
	return slices.DeleteFunc(slices.Clone(hosts), func(h string) bool {
		_, asked := b.run.Inventory.Facts[h]
		return h == suspect.Host || h == suspect.Peer || !asked
	})
}

// steadiness returns the widest spread of repeats among the slow storage figures, and
// the slowest figure with its text; 0 if there are too few repeats.
func steadiness(effects []effect) (spread, figure float64, text string) {
	greatest := 0.
	for _, e := range effects {
		if !strings.HasPrefix(e.Metric, "storage.") {
			continue
		}
		if len(e.repeats) < likelyRepeats {
			return 0, 0, ""
		}
		spread = max(spread, stats.CoV(e.repeats))
		if e.Ratio > greatest {
			greatest, figure, text = e.Ratio, e.Own, quantityOf(e.Metric, e.Own)
		}
	}
	return spread, figure, text
}

// interfaces returns which interface carried each host's traffic on the first of these
// networks, according to its trials. Of several it takes the fastest: on a ring, a line
// is as slow as the neighbour at its other end.
func (b *builder) interfaces(networks []string) map[string]string {
	if len(networks) == 0 {
		return nil
	}
	if out, known := b.carriers[networks[0]]; known {
		return out
	}
	out := map[string]string{}
	for i := range b.run.Results {
		r := &b.run.Results[i]
		s := r.Trial.Subject
		if s.Kind != assay.KindLink || s.Network != networks[0] {
			continue
		}
		for _, rep := range r.Counted() {
			for _, m := range rep.Measurements {
				ends := [2]string{s.Host, s.Peer}
				if m.Labels["direction"] == "reverse" {
					ends = [2]string{s.Peer, s.Host}
				}
				for i, label := range []string{"interface", "peer_interface"} {
					if device := m.Labels[label]; b.lineOf(ends[i], device) >= b.lineOf(ends[i], out[ends[i]]) && device != "" {
						out[ends[i]] = device
					}
				}
			}
		}
	}
	if b.carriers == nil {
		b.carriers = map[string]map[string]string{}
	}
	b.carriers[networks[0]] = out
	return out
}

// lineOf returns the speed of an interface in bit/s, or 0 if it is not known.
func (b *builder) lineOf(host, device string) float64 {
	for _, n := range b.run.Inventory.Facts[host].NICs {
		if n.Name == device {
			return n.Rate()
		}
	}
	return 0
}
