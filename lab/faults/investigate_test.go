package faults

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/analysis/hypotheses"
	"assay/lab/faults/matrix"
	"assay/lab/hosts"
	"assay/lab/internal/laptop"
	"assay/report"
)

// A disk with a limit that no fact of the host shows looks like a slow drive. Only with
// a few extra reads can assay tell which it is.
func TestInvestigation(t *testing.T) {
	notQuick(t)
	t.Parallel()
	if err := hosts.Missing(); err != nil {
		t.Skip(err)
	}
	if found, _ := filepath.Glob("/sys/fs/cgroup/blkio/blkio.throttle.read_iops_device"); len(found) == 0 {
		t.Skip("no control groups of version 1")
	}
	kinds, err := matrix.Kinds()
	if err != nil {
		t.Fatal(err)
	}
	bed, err := matrix.Up(testContext(t), filepath.Join(t.TempDir(), "bed"), kinds, matrix.Case{
		Faults: []matrix.Placed{{Kind: "disk-hidden-limit", Host: "host3"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := bed.Down(testContext(t)); err != nil {
			t.Error(err)
		}
	})
	l := laptop.New(t, bed.File)
	measured := func(investigate string) outcome {
		o := measure(l, 5*time.Minute, 3, "--suite", "cluster", "--only", "randread-4k", "--length", "1s", "--investigate="+investigate).end()
		o.expectMeasured()
		for _, d := range o.doc.Diagnoses {
			if d.Host != "host3" {
				t.Errorf("%s is accused: %s", d.Host, d.Text)
			}
		}
		return o
	}
	if d := diagnosisOf(t, measured("false"), "host3"); d.Certainty == hypotheses.VeryLikely || d.Certainty == hypotheses.Certain {
		t.Errorf("%s without a measurement that decides: %s", d.Certainty, d.Text)
	}
	with := measured("true")
	d := diagnosisOf(t, with, "host3")
	// On a busy machine repeats vary, which is evidence against a limit: it is only
	// possible then.
	if sure := d.Certainty == hypotheses.VeryLikely || d.Certainty == hypotheses.Possible; d.Cause != "disk-throttled" || !sure || !strings.Contains(d.Text, "at 20 per second, its reads take") {
		t.Errorf("%s, %s: %s", d.Cause, d.Certainty, d.Text)
	}
	with.expectSaid("host3: ", "measured to decide: 4 KiB random read, 20 per second")
}

// diagnosisOf returns a report's diagnosis of a host.
func diagnosisOf(t *testing.T, o outcome, host string) report.Diagnosis {
	t.Helper()
	for _, d := range o.doc.Diagnoses {
		if d.Host == host && d.Layer == "storage" {
			return d
		}
	}
	t.Fatalf("nothing is said of %s:\n%s", host, rows(o.doc))
	return report.Diagnosis{}
}
