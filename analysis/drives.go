package analysis

import (
	"cmp"
	"math"

	"assay"
	"assay/internal/order"
	"assay/limits"
	"assay/stats"
)

// Drives compares the drives that a run overwrote, best first.
type Drives struct {
	Tests  []DriveTest
	Drives []Drive
}

// DriveTest is one test that the drives are compared by.
type DriveTest struct {
	Case, Metric string
}

// Drive is one of the compared drives.
type Drive struct {
	Host, Name string // Name is the kernel's name or the by-id link
	Model      string // "" unknown
	Firmware   string
	Link       string
	Spare      *float64  // share of spare blocks left
	Used       *float64  // share of the rated endurance used
	Heat       *float64  // °C
	Values     []float64 // by test; NaN if it has none
	Score      float64   // geometric mean of its ratios to the medians of all drives
	Slow       *SlowTwin // set if slower than others of its model
}

// SlowTwin is how a drive differs from others of its model.
type SlowTwin struct {
	Share  float64 // of their speed, the geometric mean over tests
	Worst  int     // the test with the lowest share
	Twins  int     // number of others
	Unlike []Unlikeness
}

// Unlikeness is a fact in which a drive differs from its twins.
type Unlikeness struct {
	What      string // firmware, link, spare, endurance used, temperature
	Its, Most string // its own value, and that of most others
}

const (
	slowTwin    = .85 // of the others' speed
	spareGap    = .10
	usedGap     = .20
	heatGap     = 10.
	fewestTests = 2
)

// drivesBeside compares the overwritten drives of a run side by side; nil for fewer than
// two.
func (b *builder) drivesBeside() *Drives {
	var d Drives
	index, test := map[string]int{}, map[string]int{}
	for _, r := range b.run.Results {
		if r.Trial.Subject.Kind != assay.KindBlock || len(r.Counted()) == 0 || len(r.Trial.Others) > 0 {
			continue
		}
		metric := headlineOf(r)
		if metric == "" {
			continue
		}
		key := r.Trial.Case + " " + metric
		if _, known := test[key]; !known {
			test[key] = len(d.Tests)
			d.Tests = append(d.Tests, DriveTest{Case: r.Trial.Case, Metric: metric})
		}
		if _, known := index[r.Trial.Subject.ID]; !known {
			index[r.Trial.Subject.ID] = len(d.Drives)
			d.Drives = append(d.Drives, b.driveOf(r.Trial.Subject))
		}
		one := &d.Drives[index[r.Trial.Subject.ID]]
		for len(one.Values) <= test[key] {
			one.Values = append(one.Values, math.NaN())
		}
		one.Values[test[key]] = stats.Median(r.Values(metric))
	}
	if len(d.Drives) < 2 {
		return nil
	}
	for i := range d.Drives {
		for len(d.Drives[i].Values) < len(d.Tests) {
			d.Drives[i].Values = append(d.Drives[i].Values, math.NaN())
		}
	}
	for i := range d.Drives {
		d.Drives[i].Score, _, _ = d.against(i, func(int) bool { return true })
		d.Drives[i].Slow = d.slow(i)
	}
	order.Stable(d.Drives, func(x, y Drive) int { return cmp.Compare(y.Score, x.Score) })
	return &d
}

// headlineOf returns the headline metric of a result.
func headlineOf(r assay.Result) string {
	for _, m := range r.Counted()[0].Measurements {
		if r.Headline(m) && m.Value > 0 {
			return m.Metric
		}
	}
	return ""
}

func (b *builder) driveOf(s assay.Subject) Drive {
	d := Drive{Host: s.Host, Name: s.Name}
	dev := b.run.Inventory.Facts[s.Host].DeviceAt(cmp.Or(s.Source, s.Name))
	if dev == nil {
		return d
	}
	d.Model, d.Firmware = dev.Model, dev.Firmware
	if dev.Link != nil {
		d.Link = limits.LinkName(*dev.Link)
	}
	for _, r := range b.run.Results {
		if on := r.Trial.Subject; r.Trial.Probe != "smart" || on.Host != s.Host || on.Name != dev.Name && on.Name != dev.Path {
			continue
		}
		for metric, to := range map[string]**float64{"smart.available_spare": &d.Spare, "smart.percentage_used": &d.Used, "smart.temperature": &d.Heat} {
			if v := r.Values(metric); len(v) > 0 {
				*to = &v[0]
			}
		}
	}
	return d
}

// against compares a drive with the medians of others. It returns the geometric mean of its
// shares, the test with the lowest share, and the number of tests compared.
func (d *Drives) against(i int, with func(j int) bool) (share float64, worst, tests int) {
	sum, least := 0., math.Inf(1)
	for t := range d.Tests {
		var theirs []float64
		for j, other := range d.Drives {
			if with(j) && other.Values[t] > 0 {
				theirs = append(theirs, other.Values[t])
			}
		}
		own := d.Drives[i].Values[t]
		if len(theirs) == 0 || !(own > 0) {
			continue
		}
		s := own / stats.Median(theirs)
		if s < least {
			least, worst = s, t
		}
		sum += math.Log(s)
		tests++
	}
	if tests == 0 {
		return 0, 0, 0
	}
	return math.Exp(sum / float64(tests)), worst, tests
}

// slow returns how a drive is slower than others of its model, or nil if it is not.
func (d *Drives) slow(i int) *SlowTwin {
	own := d.Drives[i]
	var twins []Drive
	isTwin := func(j int) bool { return j != i && own.Model != "" && d.Drives[j].Model == own.Model }
	for j := range d.Drives {
		if isTwin(j) {
			twins = append(twins, d.Drives[j])
		}
	}
	share, worst, tests := d.against(i, isTwin)
	if len(twins) == 0 || tests < fewestTests || share >= slowTwin {
		return nil
	}
	return &SlowTwin{Share: share, Worst: worst, Twins: len(twins), Unlike: own.unlike(twins)}
}
