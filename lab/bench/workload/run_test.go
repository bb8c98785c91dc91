package workload_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/lab/bench/workload"
)

func TestTheSizesAreWhatTheyAreCalled(t *testing.T) {
	measurements, samples := count(workload.Run("r", 0, workload.ThousandMeasurements))
	if measurements != 1000 || samples != 0 {
		t.Errorf("%d measurements and %d samples, want 1000 and none", measurements, samples)
	}
	if _, samples = count(workload.Run("r", 0, workload.HundredThousandSamples)); samples != 100_000 {
		t.Errorf("%d samples, want 100000", samples)
	}
}

func count(run assay.Run) (measurements, samples int) {
	for _, r := range run.Results {
		for _, rep := range r.Counted() {
			measurements += len(rep.Measurements)
			for _, m := range rep.Measurements {
				samples += len(m.Samples)
			}
		}
	}
	return measurements, samples
}

func TestMetricsAreInTheVocabulary(t *testing.T) {
	for _, m := range workload.Metrics {
		if _, known := assay.Describe(m); !known {
			t.Errorf("%s is not in the vocabulary", m)
		}
	}
}

// Repeated measurements need identical work.
func TestRunIsTheSameAtEveryCall(t *testing.T) {
	z := workload.Size{Trials: 2, Repeats: 2, Samples: 3}
	if diff := cmp.Diff(workload.Run("r", 1, z), workload.Run("r", 1, z)); diff != "" {
		t.Error(diff)
	}
}

func TestAClusterHasEveryLinkBothWays(t *testing.T) {
	run := workload.Cluster(3)
	links := map[string]bool{}
	for _, r := range run.Results {
		if r.Trial.Case == "tcp-1" {
			links[r.Trial.Subject.Host+" "+r.Trial.Peer] = true
		}
	}
	if len(links) != 6 {
		t.Errorf("links: %v", links)
	}
}
