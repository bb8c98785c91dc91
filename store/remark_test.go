package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/store/pgtest"
)

// Labels and remarks of a run appear wherever runs do, while it is running and after
// it ended.
func TestLabelsAndRemarks(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		run := small("20250301-aa", time.Unix(1, 0))
		run.Labels = map[string]string{"job": "nightly", "kernel": "6.12 rc"}
		must(t, s.Begin(ctx, run))
		must(t, s.Remark(ctx, run.ID, "the fan was off"))
		must(t, s.Finish(ctx, run.ID, assay.RunDone, time.Second, nil))
		must(t, s.Remark(ctx, run.ID, "µ: still"))
		must(t, s.Begin(ctx, small("20250302-bb", time.Unix(2, 0))))

		runs, err := s.Runs(ctx)
		must(t, err)
		heads, err := s.Heads(ctx)
		must(t, err)
		loaded := mustLoad(t, s, run.ID)
		for what, got := range map[string]map[string]string{"list": runs[1].Labels, "heads": heads[1].Labels, "run": loaded.Labels} {
			if len(got) != 2 || got["job"] != "nightly" || got["kernel"] != "6.12 rc" {
				t.Errorf("%s: labels %v", what, got)
			}
		}
		for what, got := range map[string][]assay.Remark{"list": runs[1].Remarks, "run": loaded.Remarks} {
			if len(got) != 2 || got[0].Text != "the fan was off" || got[1].Text != "µ: still" || got[1].At.Before(got[0].At) || got[0].At.IsZero() {
				t.Errorf("%s: remarks %v", what, got)
			}
		}
		if len(runs[0].Labels)+len(runs[0].Remarks) > 0 {
			t.Errorf("another run has %v and %v", runs[0].Labels, runs[0].Remarks)
		}
		if err := s.Remark(ctx, "nonesuch", "x"); !errors.Is(err, assay.ErrNotFound) {
			t.Errorf("of no run: %v", err)
		}
		for _, text := range []string{"", "  ", "two\nlines", "bell\a", strings.Repeat("x", 1001), "\xff"} {
			if err := s.Remark(ctx, run.ID, text); !errors.Is(err, assay.ErrRemark) {
				t.Errorf("%.20q: %v", text, err)
			}
		}
	})
}

func TestRemarksAreRemoved(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		run := small("20250301-aa", time.Unix(1, 0))
		must(t, s.Begin(ctx, run))
		for _, text := range []string{"new fan", "new fan in front", "newer firmware", "door open"} {
			must(t, s.Remark(ctx, run.ID, text))
		}
		for _, c := range []struct{ text, removed, left string }{
			{"door", "door open", "new fan|new fan in front|newer firmware"},
			{"new", "", "new fan|new fan in front|newer firmware"}, // of three
			{"new fan", "new fan", "new fan in front|newer firmware"},
			{"fan", "", "new fan in front|newer firmware"},
			{"", "", "new fan in front|newer firmware"},
			{"newer", "newer firmware", "new fan in front"},
			{"new fan in front", "new fan in front", ""},
		} {
			removed, err := s.RemoveRemark(ctx, run.ID, c.text)
			if removed != c.removed || (err == nil) != (c.removed != "") || err != nil && !errors.Is(err, assay.ErrNotFound) {
				t.Errorf("%q: %q, %v", c.text, removed, err)
			}
			var left []string
			for _, r := range mustLoad(t, s, run.ID).Remarks {
				left = append(left, r.Text)
			}
			if got := strings.Join(left, "|"); got != c.left {
				t.Errorf("after %q there are %q, want %q", c.text, got, c.left)
			}
		}
		if _, err := s.RemoveRemark(ctx, "nonesuch", "x"); !errors.Is(err, assay.ErrNotFound) {
			t.Errorf("of no run: %v", err)
		}
	})
}

// A server database with the first schema is migrated along with its content.
func TestOldServerIsBroughtForward(t *testing.T) {
	ctx, where := context.Background(), pgtest.Shared(t).Database(t)
	d, err := newPostgres(where)
	must(t, err)
	d.steps = shippedPostgres[:1]
	old, err := open(ctx, d)
	must(t, err)
	inventory, err := packJSON(assay.Inventory{})
	must(t, err)
	_, err = old.writer.ExecContext(ctx, `INSERT INTO run (id, suite, version, started, elapsed_ns, status, seed, budget_ns, hosts, notes, owner_pid, owner_start, owner_boot, inventory)
		VALUES (?, 'quick', '1', '2025-03-01T12:00:00.000000000Z', 0, 'done', 7, 0, '[]', NULL, 1, '', '', ?)`, "old", inventory)
	must(t, err)
	must(t, old.Close())
	s := reopen(t, where)
	must(t, s.Remark(ctx, "old", "from before"))
	if run := mustLoad(t, s, "old"); run.Seed != 7 || len(run.Labels) > 0 || len(run.Remarks) != 1 || run.Remarks[0].Text != "from before" {
		t.Errorf("%+v", run)
	}
}
