package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/marked"
	quick "assay/lab/internal/turns"
	"assay/place/local"
	"assay/probe/fio"
)

func TestPrecisionMarkdown(t *testing.T) {
	got := precisionMarkdown([]bothWays{
		{name: "reads", met: true, repeats: 6, took: 33, fixed: 181, wide: .0104, apart: .004, spread: .011},
		{name: "writes", met: true, repeats: 14, took: 79, fixed: 181, wide: .02, apart: .03, spread: .04},
		{name: "mix", repeats: 33, took: 182, fixed: 181, wide: .093, apart: .05, spread: .12},
	})
	for _, want := range []string{
		"2 of 3 figures known to ± 2 % within 120 s, 1 of them in a third of the time of 60 s × 3",
		"| reads | ± 1.0 % | 6 | 33 s | 181 s | 0.18 | 0.4 % | ± 1.1 % |",
		"| mix | ± 9.3 %, not converged | 33 | 182 s | 181 s | 1.01 | 5.0 % | ± 12.0 % |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	document, err := os.ReadFile("../../doc/statistics.md")
	if err != nil {
		t.Fatal(err)
	}
	if stands, ok := marked.Between(string(document), "bench precision"); !ok || !strings.Contains(stands, "| throttled: ") {
		t.Errorf("doc/statistics.md has no table of what precision saves: %q", stands)
	}
}

// fio accepts every case, and the names match what is measured.
func TestPreciseCasesRun(t *testing.T) {
	quick.NotQuick(t, "one fio of each case")
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("fio is not installed")
	}
	works := gateWorks{place: local.New("here", ""), probe: fio.New()}
	dir := t.TempDir()
	names := map[string]bool{}
	on := assay.Scratch{Dir: dir, File: filepath.Join(dir, "data"), Bytes: 8 << 20}
	if err := os.WriteFile(on.File, make([]byte, on.Bytes), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range slices.Concat(fileCases(), throttledCases()) {
		if names[c.name] {
			t.Errorf("%s is there twice", c.name)
		}
		names[c.name] = true
		trial := preciseTrial(c, dir)
		trial.Length = 100 * time.Millisecond
		rep, err := works.repeat(context.Background(), trial, on)
		if err != nil && !errors.Is(err, assay.ErrNoOutput) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if r := (assay.Result{Trial: trial, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: rep.Measurements}}}); err == nil && len(r.Headlines()) == 0 {
			t.Errorf("%s has no headline figure", c.name)
		}
	}
	if len(names) < 10 {
		t.Errorf("%d cases", len(names))
	}
}
