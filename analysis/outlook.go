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

// Outlook is the predicted value of a figure.
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

// least returns the lowest hardware limit, or nil if none is known.
func least(all []TierLimit) *TierLimit {
	for i := range all {
		if !all[i].Load {
			return &all[i]
		}
	}
	return nil
}

// softness is the exponent of jointly: 1 means one limit after the other, infinity the lowest
// alone.
const softness = 2

// jointly returns what all hardware limits allow together: less than the lowest if others are
// near it, since the others idle for part of the time that one takes. 0 if none is known.
func jointly(all []TierLimit) float64 {
	sum := 0.
	for _, l := range all {
		if !l.Load && l.Value > 0 {
			sum += math.Pow(l.Value, -softness)
		}
	}
	if sum == 0 {
		return 0
	}
	return math.Pow(sum, -1./softness)
}

// later returns a bandwidth under other limits. What ran at what its limits jointly allow
// keeps the same share of the new ones; what ran at less than half of that is held back by
// something outside the limits, and gains nothing. In between, the result moves evenly from
// one to the other, and the interval covers both.
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
	case p.Now > beyond*was.Value:
		o.Unknown = "what limits it: it exceeds " + was.Name
		return o
	}
	allowed, allows := jointly(p.Ceilings), jointly(after.Ceilings)
	share := p.Now / allowed
	o.Binds = is.Name
	switch {
	case allows >= allowed && share < farBelow:
		o.Binds = "not " + was.Name + ", of which it uses " + percentWords(p.Now/was.Value)
		return o
	case share < farBelow && p.Now <= bindsFrom*allows:
		return o // the lower limits are still far away
	}
	// bound is the value if its limits alone held it back, free if they did not at all.
	bound, free := min(share*allows, is.Value), min(p.Now, is.Value)
	weight := min(max((share-farBelow)/(bindsFrom-farBelow), 0), 1)
	o.Value, o.Unchanged = math.Pow(free, 1-weight)*math.Pow(bound, weight), false
	switch weight {
	case 0:
		o.Low, o.High = bindsFrom*free, free
	case 1:
		o.Low, o.High = bindsFrom*bound, beyond*is.Value
	default:
		o.Low, o.High = min(free, bindsFrom*bound), max(free, bound)
		o.Binds += ", if " + was.Name + " did before"
	}
	o.Sum = fmt.Sprintf("%s of %s", percentWords(o.Value/is.Value), is.Name)
	if is.Sum != "" {
		o.Sum += ": " + is.Sum + " = " + quantity.Megabytes(is.Value)
	}
	return o
}

func percentWords(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func sameLimits(a, b []TierLimit) bool {
	return slices.EqualFunc(a, b, func(x, y TierLimit) bool { return math.Abs(x.Value-y.Value) <= 1e-9*x.Value })
}

// transferCounts is the share of a write's time above which its transfer to a drive of another
// rate is worth reporting.
const transferCounts = .05

// laterAtDepthOne returns the rate of synchronous writes after changes to what they wait
// for.
func (b *builder) laterAtDepthOne(p Prediction, changes []Change) *Outlook {
	r := b.result(p.Trial)
	s := r.Trial.Subject
	whole := 1 / p.Now
	o := &Outlook{Value: p.Now, Low: p.Now, High: p.Now, Unchanged: true, Ceilings: p.Ceilings, Binds: "latency at depth 1"}
	node := b.nodeOf(s.Host)
	saved, fewer, more, noFlush := 0., 0., 0., false // s, and by how much less or more it may be
	var terms []string
	for _, c := range changes {
		switch {
		case c.What == ChangeDrive && c.Value == 0 && c.means(s.Tier, s.Host, node, s.Name) && b.needsNoFlush(s):
			noFlush = true
		case (c.What == ChangeDrive && c.Value == 0 || c.What == ChangeSync) && c.means(s.Tier, s.Host, node, s.Name):
			flush, word, known := b.flushSaved(c, r, whole)
			if !known {
				o.Unknown = "how much of it is the flush: measure it with assay run --suite layers"
				return o
			}
			saved, fewer = saved+flush, fewer+.1*flush
			terms = append(terms, word+" "+quantity.Time(flush))
			if c.What == ChangeSync {
				o.Risk = "a power failure loses the writes of the last seconds that were acknowledged"
			}
		case c.What == ChangeDrive && c.Value > 0 && c.means(s.Tier, s.Name) && b.replicated(s):
			if d := float64(p.Size) / c.Value; d > transferCounts*whole {
				saved, fewer, more = saved-d, fewer+.5*d, more+d
				terms = append(terms, "the drive's transfer -"+quantity.Time(d))
			}
		case c.What == ChangeNIC && c.means(s.Host, node) && b.replicated(s):
			link := b.replicationLink(TierColumn{Host: s.Host, Node: b.nodeOnly(s.Host)}, s, false)
			if other := limits.Line(c.Value, limits.TCPPacket(1500, false, false)); link.Known() && other.Known() {
				moved := float64(p.Size) * limits.Crossings(*b.stackOf(s))
				d := moved/link.Value - moved/other.Value
				saved, fewer, more = saved+d, fewer+.5*math.Abs(d), more+math.Abs(d)
				terms = append(terms, "the transfer "+quantity.Time(d))
			}
		case c.What == ChangeReplicas && c.means(s.Tier, s.Name) && b.replicated(s) && c.Value == 1:
			if d, less, word := b.replicaSaved(s, whole); d > 0 {
				saved, fewer = saved+d, fewer+less
				terms = append(terms, word+" "+quantity.Time(d))
			}
		}
	}
	if saved == 0 {
		if noFlush {
			o.Binds += ": its drives are protected or have no volatile cache"
		}
		return o
	}
	if saved < 0 { // a slower link may cost even more
		fewer, more = more, fewer
	}
	least := .01 * whole
	rest := max(whole-saved, least)
	o.Value, o.Low, o.High, o.Unchanged = 1/rest, 1/(1.1*rest+fewer), 1/max(.9*(rest-more), least), false
	o.Sum = fmt.Sprintf("1 / (%s - %s)", quantity.Time(whole), strings.Join(terms, " - "))
	return o
}

// replicaSaved returns what a synchronous write saves if it waits for no other replica, by how
// much less it may be, and what that is called. It is at least the round trip. Under DRBD it
// is also the other host's work: the whole difference from local storage of the same host, if
// that was measured.
func (b *builder) replicaSaved(s assay.Subject, whole float64) (saved, fewer float64, word string) {
	rtt, _ := b.roundTrip(s)
	local := b.localTo(s.Host, b.layerNodes(), "")
	if local != nil && b.stackOf(s).Kind == "drbd" && local.measured(LayerDurable) {
		if more := whole - 1/middle(local.loads[LayerDurable], local.stems[LayerDurable]+"iops"); more > rtt {
			return more, max(more-rtt, .1*more), "replication"
		}
	}
	return rtt, .5 * rtt, "the round trip"
}
