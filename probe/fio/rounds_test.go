package fio

import (
	"math"
	"testing"
	"time"

	"assay"
)

// curve returns a sample per second of a rate that falls from fresh to worn.
func curve(seconds int) []assay.Sample {
	var all []assay.Sample
	for i := 1; i <= seconds; i++ {
		v := 1000.
		if i <= 20 {
			v = 5000 - 200*float64(i)
		}
		all = append(all, assay.Sample{At: float64(i), Value: v})
	}
	return all
}

// A repeat ends after the first five steady rounds, which give its figure.
func TestUntilSteady(t *testing.T) {
	const length = 100 * time.Second // rounds of 4 s
	tell, ended := whenSteady(length), 0
	for i, s := range curve(100) {
		if tell(s) {
			ended = i + 1
			break
		}
	}
	if ended != 40 {
		t.Fatalf("it ended after %d s", ended)
	}
	labels := map[string]string{"bs": "4k"}
	got := ofLastRounds([]assay.Measurement{
		{Metric: "storage.write.iops", Value: 2000, Samples: curve(ended), Labels: labels},
		{Metric: "storage.write.latency.mean", Value: 1, Labels: labels},
		{Metric: "storage.write.bytes", Value: 7, Labels: labels},
	}, length)
	if len(got) != 2 || got[0].Value != 1000 || got[0].Labels["steady"] != "yes" || got[0].Labels["rounds"] != "10" || len(got[0].Samples) != 40 || labels["steady"] != "" {
		t.Errorf("%+v", got)
	}
	// Without a steady state it goes on, and says so.
	falling := curve(20)
	tell = whenSteady(length)
	for _, s := range falling {
		if tell(s) {
			t.Errorf("steady at %v s", s.At)
		}
	}
	got = ofLastRounds([]assay.Measurement{{Metric: "storage.write.iops", Value: 2000, Samples: falling, Labels: labels}}, length)
	if got[0].Labels["steady"] != "no" || math.Abs(got[0].Value-2900) > 1 {
		t.Errorf("%+v", got)
	}
	got = ofLastRounds([]assay.Measurement{{Metric: "storage.write.iops", Value: 2000, Samples: falling[:3], Labels: labels}}, length)
	if got[0].Labels["steady"] != "no" || got[0].Value != 2000 {
		t.Errorf("without five rounds: %+v", got)
	}
}

func TestLengthOf(t *testing.T) {
	for word, want := range map[string]time.Duration{"--runtime=60": time.Minute, "--runtime=1500ms": 1500 * time.Millisecond, "--runtime=x": 0, "--size=1": 0} {
		if got, ok := lengthOf([]string{"fio", word}); got != want || ok != (want > 0) {
			t.Errorf("%s: %v, %v", word, got, ok)
		}
	}
}
