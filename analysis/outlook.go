package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/internal/quantity"
	"assay/limits"
)

// Outlook is what a figure would be.
type Outlook struct {
	Value     float64     `json:"value"`
	Low       float64     `json:"low"`
	High      float64     `json:"high"`
	Sum       string      `json:"sum"`
	Ceilings  []TierLimit `json:"ceilings"`
	Binds     string      `json:"binds"` // what would allow no more
	Unknown   string      `json:"unknown,omitempty"`
	Unchanged bool        `json:"unchanged,omitempty"`
	Risk      string      `json:"risk,omitempty"`
}

// least is the hardware limit that allows least; nil where none is known.
func least(all []TierLimit) *TierLimit {
	for i := range all {
		if !all[i].Load {
			return &all[i]
		}
	}
	return nil
}

// later is a bandwidth under other limits. What ran at a limit goes on at the same share of
// the next one; what was far below all of them is held back by something that no limit
// tells, and gains nothing.
func (p Prediction) later(after Prediction) *Outlook {
	was, is := least(p.Ceilings), least(after.Ceilings)
	o := &Outlook{Ceilings: after.Ceilings, Value: p.Now, Low: p.Now, High: p.Now, Unchanged: true}
	switch {
	case was == nil || is == nil:
		o.Unknown = "what limits it: " + strings.Join(append(slices.Clone(p.Missing), after.Missing...), ", ")
		return o
	case sameLimits(p.Ceilings, after.Ceilings):
		o.Binds = was.Name
		return o
	}
	o.Binds = is.Name
	share := p.Now / was.Value
	switch {
	case share > beyond:
		o.Unknown = "what limits it: it exceeds " + was.Name
	case is.Value > was.Value && share < bindsFrom:
		o.Binds = "not " + was.Name + ", of which it uses " + fmt.Sprintf("%.0f %%", 100*share)
	case is.Value < was.Value && p.Now <= bindsFrom*is.Value:
		// The lower limit is still far away.
	default:
		if is.Value < was.Value { // at its new limit, as others are at theirs
			share = max(share, bindsFrom)
		}
		share = min(share, 1)
		o.Value, o.Low, o.High, o.Unchanged = share*is.Value, bindsFrom*share*is.Value, is.Value, false
		o.Sum = fmt.Sprintf("%s of %s", percentWords(share), is.Name)
		if is.Sum != "" {
			o.Sum += ": " + is.Sum + " = " + quantity.Megabytes(is.Value)
		}
	}
	return o
}

func percentWords(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func sameLimits(a, b []TierLimit) bool {
	return slices.EqualFunc(a, b, func(x, y TierLimit) bool { return math.Abs(x.Value-y.Value) <= 1e-9*x.Value })
}

// laterAtDepthOne is the rate of synchronous writes after changes of what they wait for.
func (b *builder) laterAtDepthOne(p Prediction, changes []Change) *Outlook {
	r := b.result(p.Trial)
	s := r.Trial.Subject
	whole := 1 / p.Now
	o := &Outlook{Value: p.Now, Low: p.Now, High: p.Now, Unchanged: true, Ceilings: p.Ceilings, Binds: "latency at depth 1"}
	node := b.nodeOf(s.Host)
	saved, unsure := 0., 0.
	var terms []string
	for _, c := range changes {
		switch {
		case (c.What == ChangeDrive && c.Value == 0 || c.What == ChangeSync) && c.means(s.Tier, s.Host, node, s.Name):
			flush, known := b.flushOf(s, whole)
			if !known {
				o.Unknown = "how much of it is the flush: measure it with assay run --suite layers"
				return o
			}
			saved, unsure = saved+flush, unsure+.1*flush
			terms = append(terms, "the flush "+quantity.Time(flush))
			if c.What == ChangeSync {
				o.Risk = "a power failure loses the writes of the last seconds that were acknowledged"
			}
		case c.What == ChangeNIC && c.means(s.Host, node) && b.replicated(s):
			link := b.goodput(TierColumn{Host: s.Host, Node: b.nodeOnly(s.Host)}, false)
			if faster := limits.Line(c.Value, limits.TCPPacket(1500, false, false)); link.Known() && faster.Value > link.Value {
				d := float64(p.Size)/link.Value - float64(p.Size)/faster.Value
				saved, unsure = saved+d, unsure+.5*d
				terms = append(terms, "the transfer "+quantity.Time(d))
			}
		case c.What == ChangeReplicas && c.means(s.Tier, s.Name) && b.replicated(s) && c.Value == 1:
			if rtt, _ := b.roundTrip(s.Host); rtt > 0 {
				saved, unsure = saved+rtt, unsure+.5*rtt
				terms = append(terms, "the round trip "+quantity.Time(rtt))
			}
		}
	}
	if saved <= 0 {
		return o
	}
	rest := max(whole-saved, .01*whole)
	o.Value, o.Low, o.High, o.Unchanged = 1/rest, 1/(rest+unsure+.1*rest), 1/(.9*rest), false
	o.Sum = fmt.Sprintf("1 / (%s - %s)", quantity.Time(whole), strings.Join(terms, " - "))
	return o
}

// flushOf is how much of a synchronous write its flush is, from the same write without.
func (b *builder) flushOf(s assay.Subject, whole float64) (flush float64, known bool) {
	for _, r := range b.run.Results {
		load, _, is := layerLoadOf(r)
		if v := middle(r, "storage.write.iops"); is && load == LayerWrite && r.Trial.Subject.ID == s.ID && v > 0 && (b.cachedWrite(r) || !b.rejectedAny(r, "storage.write.iops")) {
			return max(whole-1/v, 0), true
		}
	}
	return 0, false
}
