package canary_test

import (
	"testing"
	"time"

	"assay"
	"assay/plan"
	"assay/plan/canary"
)

func round() plan.Plan {
	dir := assay.Subject{ID: "a/directory//srv", Host: "a", Kind: assay.KindDirectory}
	other := assay.Subject{ID: "b/directory//srv", Host: "b", Kind: assay.KindDirectory}
	link := assay.Subject{ID: "a/link/b", Host: "a", Peer: "b", Network: "storage", Kind: assay.KindLink}
	write := map[string]string{"rw": "randwrite", "bs": "4k", "rate_iops": "200"}
	return plan.Plan{Trials: []assay.Trial{
		{Subject: dir, Settings: write, Repeats: 1, Length: time.Second, Risk: assay.Writes, Scratch: 4 << 20},
		{Subject: dir, Settings: map[string]string{"rw": "randread", "bs": "4k", "rate_iops": "200"}, Repeats: 1, Length: time.Second, Risk: assay.Writes, Scratch: 4 << 20},
		{Subject: other, Settings: write, Repeats: 1, Length: time.Second, Risk: assay.Writes, Scratch: 4 << 20, Absent: &assay.Absence{}},
		{Subject: link, Peer: "b", Settings: map[string]string{"mode": "tcp-single"}, Repeats: 1, Length: time.Second},
		{Subject: link, Peer: "b", Settings: map[string]string{"mode": "rtt"}, Repeats: 1, Length: time.Second},
	}}
}

// One file serves both trials, plus 200 blocks of 4 KiB.
func TestCost(t *testing.T) {
	c := canary.Of(round())
	want := canary.Cost{Storage: 3 * time.Second, Link: time.Second, Bytes: 4<<20 + 200*4096, Figures: 4}
	if c != want {
		t.Fatalf("%+v, want %+v", c, want)
	}
	if every := c.Every(); every != time.Hour || !c.Keeps(every) {
		t.Errorf("every %s", every)
	}
	if y := c.Yearly(time.Hour); y < 43.9e9 || y > 44.1e9 {
		t.Errorf("%g B a year", y)
	}
	if c.Keeps(50 * time.Minute) { // 3 s of 3000 s are within limits, 52.8 GB are not
		t.Error("more than 50 GB a year keep to the promise")
	}
}

// Expensive rounds run less often.
func TestDearerRoundsAreRarer(t *testing.T) {
	for name, one := range map[string]struct {
		cost canary.Cost
		want time.Duration
	}{
		"storage": {canary.Cost{Storage: 4 * time.Second}, 70 * time.Minute},
		"links":   {canary.Cost{Link: 40 * time.Second}, 11*time.Hour + 10*time.Minute},
		"bytes":   {canary.Cost{Bytes: 68 << 20}, 12*time.Hour + 30*time.Minute + 5*time.Minute},
	} {
		if got := one.cost.Every(); got < one.want-5*time.Minute || got > one.want || !one.cost.Keeps(got) {
			t.Errorf("%s: every %s, want %s", name, got, one.want)
		}
	}
}
