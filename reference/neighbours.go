package reference

// alikeSlack is the largest ratio between a value and a published one that still
// counts as like it.
const alikeSlack = 1.3

// Neighbours are the published drives nearest to a value, measured in the same way on
// the bare device; each is nil if there is none. Like is practically the same.
type Neighbours struct{ Below, Above, Like *Figure }

// NeighboursOf finds them. It leaves out drives that were measured in another way, and
// ratings.
func NeighboursOf(metric string, value float64, s Settings) Neighbours {
	var n Neighbours
	all := figures()
	for i := range all {
		f := &all[i]
		apart, ok := f.comparable(s)
		if f.Metric != metric || f.Kind != OfDrive || f.Rated || f.Settings.On != "device" || !ok || len(apart) > 0 {
			continue
		}
		if f.Low <= value && (n.Below == nil || f.Low > n.Below.Low) {
			n.Below = f
		}
		if f.Low > value && (n.Above == nil || f.Low < n.Above.Low) {
			n.Above = f
		}
	}
	near := func(f *Figure) float64 {
		if f == nil {
			return alikeSlack + 1
		}
		return max(f.Low/value, value/f.Low)
	}
	if below, above := near(n.Below), near(n.Above); min(below, above) <= alikeSlack {
		if n.Like = n.Below; above < below {
			n.Like = n.Above
		}
	}
	return n
}
