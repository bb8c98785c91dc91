package plan

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"assay"
	"assay/internal/quantity"
	"assay/plan/multiclient"
)

// Assumed costs of scratch space, until some is measured.
const (
	// assumedRate is the assumed write rate in B/s: a hard disk, a 1 Gbit/s network, a
	// small Ceph.
	assumedRate = 100e6
	// assumedLending is how long a tier takes to lend it: half a dozen requests to a
	// cluster.
	assumedLending = 3 * time.Second
)

// Filled is what scratch space has cost a run so far.
type Filled struct {
	Lending time.Duration // of the slowest: time before it could be written, and after
	Rate    float64       // B/s of the slowest write; 0: none
}

// Learn records one more space, of that many bytes.
func (f *Filled) Learn(bytes int64, lending, filling time.Duration) {
	f.Lending = max(f.Lending, lending)
	if rate := float64(bytes) / filling.Seconds(); bytes > 0 && filling > 0 && (f.Rate == 0 || rate < f.Rate) {
		f.Rate = rate
	}
}

// toFill returns how long it takes to lend a trial's scratch space on its own host and
// to write it: at the rate of those before it, or an assumed one, for at most Prepare.
func (p *Plan) toFill(t assay.Trial, so Filled) time.Duration {
	if t.Scratch == 0 {
		return 0
	}
	lending, rate := so.Lending, so.Rate
	if lending == 0 && t.Subject.Tier != "" {
		lending = assumedLending
	}
	if rate == 0 {
		rate = assumedRate
	}
	return lending + min(p.Prepare, time.Duration(float64(t.Scratch)/rate*float64(time.Second)))
}

// fillings returns how long all scratch spaces of some slots take together, on the host
// that has the most.
func (p *Plan) fillings(slots []Slot) time.Duration {
	filled, byHost, most := map[string]bool{}, map[string]time.Duration{}, time.Duration(0)
	for _, s := range slots {
		for _, part := range multiclient.Parts(p.Trials[s.Trial]) {
			if space := Space(part); part.Scratch > 0 && !filled[space] {
				filled[space] = true
				byHost[part.Subject.Host] += p.toFill(part, Filled{})
				most = max(most, byHost[part.Subject.Host])
			}
		}
	}
	return most
}

// fills reports whether the named probe writes scratch space before it measures.
func fills(probes []assay.Probe, name string) bool {
	return slices.ContainsFunc(probes, func(p assay.Probe) bool {
		_, is := p.(assay.Preparer)
		return is && p.Spec().Name == name
	})
}

// sayShrunk notes which tiers get less scratch space than planned because it cannot be
// written in time.
func (p *Plan) sayShrunk(probes []assay.Probe) {
	for _, t := range p.Trials {
		fits := int64(assumedRate * p.Prepare.Seconds())
		if t.Absent != nil || t.Subject.Tier == "" || t.Scratch <= fits || !fills(probes, cmp.Or(t.FilledBy, t.Probe)) {
			continue
		}
		note := assay.Note{ID: "filling", Text: fmt.Sprintf(
			"%s: scratch space is written before it is read, for at most %s: at an assumed %s that is %s of %s, and no more than that is used; --time-budget %s is enough for all of it",
			t.Subject.Tier, quantity.Span(p.Prepare.Round(time.Second/10)), quantity.Megabytes(assumedRate), quantity.Size(fits>>20<<20), quantity.Size(t.Scratch),
			inMinutes(float64(t.Scratch)/assumedRate/prepareShare*float64(time.Second)))}
		if !slices.Contains(p.Notes, note) {
			p.Notes = append(p.Notes, note)
		}
	}
}
