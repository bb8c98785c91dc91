package gate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"assay"
	"assay/compare"
)

// figures is the number of figures per night: those of the suite baseline on
// one host.
const figures = 12

// night returns a run of one host. Repeats scatter by 3 %, and one in twenty is slower by
// a further 10 %; common is the scatter shared by all repeats of a figure that night.
func night(id int, noise *rand.Rand, repeats int, common float64, speed func(figure int) float64) compare.Column {
	s := assay.Subject{ID: "pve1/directory//srv", Kind: assay.KindDirectory, Host: "pve1", Name: "/srv"}
	run := &assay.Run{ID: fmt.Sprint("night-", id), Suite: "baseline", Started: time.Unix(0, 0).AddDate(0, 0, id)}
	for figure := range figures {
		t := assay.Trial{Probe: "fio", Case: fmt.Sprint("case-", figure), Subject: s, Length: 5 * time.Second}
		t.ID = t.Probe + "/" + t.Case + "@" + s.ID
		r := assay.Result{Trial: t}
		center := 1000 * speed(figure) * math.Exp(common*noise.NormFloat64())
		for i := range repeats {
			v := center * math.Exp(.03*noise.NormFloat64())
			if noise.Float64() < .05 {
				v *= .9
			}
			r.Repeats = append(r.Repeats, assay.Repeat{N: i + 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "storage.read.iops", Value: v}}})
		}
		run.Results = append(run.Results, r)
	}
	return columnOf(run)
}

func asEver(int) float64 { return 1 }

// slowed makes one figure 20 % slower.
func slowed(which int) func(int) float64 {
	return func(figure int) float64 {
		if figure == which {
			return .8
		}
		return 1
	}
}

// A job that compares the same run with a base every night is quiet in months without
// a change, and names the figure that is 20 % slower on the first night. Differences
// between nights are not repeat noise, and no p accounts for them: only the limit
// keeps them from raising an alarm.
func TestNightlyGate(t *testing.T) {
	const months, nights, repeats = 12, 30, 8
	for _, test := range []struct {
		common float64 // scatter between nights
		most   float64 // alarms a month
	}{{.01, 0}, {.02, 1}} {
		alarms := 0
		for month := range uint64(months) {
			noise := rand.New(rand.NewPCG(month, 30))
			base := night(0, noise, repeats, test.common, asEver)
			closes := func(other compare.Column) (closed []string) {
				for _, f := range Judge(compare.Compare([]compare.Column{base, other}, compare.Options{}), Limits{All: DefaultLimit}).Figures {
					if f.Fails(false) {
						closed = append(closed, f.Case)
					}
				}
				return closed
			}
			for n := range nights {
				if len(closes(night(1+n, noise, repeats, test.common, asEver))) > 0 {
					alarms++
				}
			}
			which := int(month) % figures
			if closed := closes(night(1+nights, noise, repeats, test.common, slowed(which))); !slices.Contains(closed, fmt.Sprint("case-", which)) {
				t.Errorf("nights scatter by %v, month %d: case-%d is 20 %% slower, and the gate names %q", test.common, month, which, closed)
			}
		}
		if rate := float64(alarms) / months; rate > test.most {
			t.Errorf("nights scatter by %v: %.2f alarms a month of quiet nights, want at most %v", test.common, rate, test.most)
		}
		t.Logf("nights scatter by %v: %d alarms in %d quiet nights", test.common, alarms, months*nights)
	}
}
