package main

import (
	"strings"
	"testing"
	"time"

	"assay"
	"assay/store"
)

func TestRetentionChooses(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	self, err := store.Self("")
	if err != nil {
		t.Fatal(err)
	}
	day := func(n int) time.Time { return now.Add(-time.Duration(n) * 24 * time.Hour) }
	all := []store.Summary{
		{ID: "now", Suite: "quick", Started: now, Status: assay.RunRunning, Owner: self},
		{ID: "1", Suite: "quick", Started: day(1), Status: assay.RunDone, Owner: self},
		{ID: "2", Suite: "ssd", Started: day(2), Status: assay.RunDone},
		{ID: "3", Suite: "quick", Started: day(3), Status: assay.RunDone, Names: []string{"base"}, Pinned: true},
		{ID: "4", Suite: "quick", Started: day(4), Status: assay.RunRunning}, // killed
		{ID: "9", Suite: "ssd", Started: day(9), Status: assay.RunPartial},
	}
	if ids := going(all); len(ids) != 1 || ids[0] != "now" {
		t.Errorf("%q are still going, want the one whose process lives", ids)
	}
	for _, c := range []struct {
		r      retention
		want   string
		pinned int
	}{
		{retention{keep: 0}, "1 2 4 9", 1},
		{retention{keep: 2}, "4 9", 1},
		{retention{keep: 3}, "4 9", 0},
		{retention{keep: 9}, "", 0},
		{retention{keep: -1, older: 4 * 24 * time.Hour}, "9", 0},
		{retention{keep: -1, older: 4*24*time.Hour - 1}, "4 9", 0},
		{retention{keep: 4, older: 24 * time.Hour}, "9", 0},
		{retention{keep: 1, older: 24 * time.Hour, suite: "quick"}, "4", 1},
		{retention{keep: 1, suite: "ssd"}, "9", 0},
		{retention{keep: 0, suite: "none"}, "", 0},
	} {
		out, pinned := c.r.choose(all, now)
		var ids []string
		for _, s := range out {
			ids = append(ids, s.ID)
		}
		if got := strings.Join(ids, " "); got != c.want || pinned != c.pinned {
			t.Errorf("%+v: %q go and %d would but for their name, want %q and %d", c.r, got, pinned, c.want, c.pinned)
		}
	}
}

// Neither a foreign run nor one dated in the future displaces one of the user's.
func TestRetentionCountsImportedRunsApart(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return now.Add(-time.Duration(n) * 24 * time.Hour) }
	all := []store.Summary{
		{ID: "9999", Started: day(-9999), Status: assay.RunDone},
		{ID: "theirs", Started: day(0), Status: assay.RunDone, Imported: true},
		{ID: "1", Started: day(1), Status: assay.RunDone},
		{ID: "older", Started: day(2), Status: assay.RunDone, Imported: true},
		{ID: "3", Started: day(3), Status: assay.RunDone},
	}
	for keep, want := range []string{"9999 theirs 1 older 3", "theirs older 3", "older"} {
		out, _ := retention{keep: keep}.choose(all, now)
		var ids []string
		for _, s := range out {
			ids = append(ids, s.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("--keep %d deletes %q, want %q", keep, got, want)
		}
	}
}

func TestAgesAreRead(t *testing.T) {
	for s, want := range map[string]time.Duration{"": 0, "12h": 12 * time.Hour, "90d": 90 * 24 * time.Hour, "8w": 56 * 24 * time.Hour} {
		if got, err := age("--older-than", s); got != want || err != nil {
			t.Errorf("%q is %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"90", "d", "-1d", "0d", "1.5d", "90m", "1y", "999999999d"} {
		if _, err := age("--older-than", s); err == nil || assay.Hint(err) == "" || statusOf(err) != exitUsage {
			t.Errorf("%q: %v", s, err)
		}
	}
}
