package main

import (
	"strings"
	"testing"
	"time"

	"assay"
	"assay/store"
)

// A run that was killed has no stored findings: whatever shows, compares or lists it
// audits it first.
func TestKilledRunsAreAudited(t *testing.T) {
	t.Parallel()
	db := withRuns(t, olderRun)
	killed := plainRun(newerRun, time.Date(2026, 9, 2, 12, 0, 0, 0, time.UTC))
	killed.Status, killed.Findings = assay.RunRunning, nil
	for i := range killed.Results[0].Repeats {
		rep := &killed.Results[0].Repeats[i]
		impossible := rep.Measurements[0]
		impossible.Metric, impossible.Unit, impossible.Value = "storage.read.bandwidth", assay.BytesPerSecond, 64e9
		rep.Measurements = append(rep.Measurements, impossible)
	}
	st, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.Import(t.Context(), killed); err != nil {
		t.Fatal(err)
	}
	change(t, db, `UPDATE run SET owner_boot = 'another' WHERE id = '`+newerRun+`'`)
	for _, test := range []struct{ words, has, not string }{
		{"show latest", "bw-iops-bs", "passed the audit"},
		{"report latest --format markdown", "bw-iops-bs", "passed the audit"},
		{"runs --format json", `"rejected": 1`, ""},
		{"trend storage.read.bandwidth", "The audit rejected this figure", ""},
		{"gate " + olderRun + " latest", "the audit rejected it: bw-iops-bs", ""},
		{"compare run=" + olderRun + " vs run=" + newerRun, "the audit rejected it: bw-iops-bs", ""},
	} {
		change(t, db, `DELETE FROM finding WHERE run = '`+newerRun+`'`)
		got := verb(t, db, strings.Fields(test.words)...)
		if all := got.stdout + got.stderr; !strings.Contains(all, test.has) || test.not != "" && strings.Contains(all, test.not) {
			t.Errorf("%s: status %d\n%s%s", test.words, got.status, got.stdout, got.stderr)
		}
	}
}

// The findings of a run in progress are of what it has measured so far: none are stored.
func TestRunsInProgressAreNotJudged(t *testing.T) {
	t.Parallel()
	db := withRuns(t)
	run := plainRun(newerRun, time.Date(2026, 9, 2, 12, 0, 0, 0, time.UTC))
	run.Status, run.Findings = assay.RunRunning, nil
	st, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.Import(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"show latest", "audit latest", "compare run=" + newerRun + " vs run=" + newerRun} {
		if got := verb(t, db, strings.Fields(words)...); got.status > 1 {
			t.Errorf("%s: status %d\n%s%s", words, got.status, got.stdout, got.stderr)
		}
		if stored, err := st.Load(t.Context(), newerRun); err != nil || len(stored.Findings) > 0 {
			t.Errorf("%s: %d findings stored, %v", words, len(stored.Findings), err)
		}
	}
	change(t, db, `UPDATE run SET owner_boot = 'another' WHERE id = '`+newerRun+`'`)
	verb(t, db, "show", "latest")
	if stored, err := st.Load(t.Context(), newerRun); err != nil || len(stored.Findings) == 0 {
		t.Errorf("once it is over, none are stored: %v", err)
	}
}
