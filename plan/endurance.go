package plan

import (
	"time"

	"assay"
)

// Shorten makes the chosen trials measure for a share of their time, but at least a second.
func (p *Plan) Shorten(chosen func(assay.Trial) bool, share float64) {
	for i := range p.Trials {
		t := &p.Trials[i]
		if t.Absent != nil || t.Length <= shortest || !chosen(*t) {
			continue
		}
		t.Length = max(time.Duration(float64(t.Length)*share).Truncate(10*time.Millisecond), shortest)
		t.Bound = 0
		bound(t)
	}
	p.Estimate = p.cost()
}
