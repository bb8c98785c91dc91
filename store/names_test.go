package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"assay"
)

// oddIDs are ids that look like an option, a path, a pattern or several lines.
var oddIDs = []string{"-o", "latest", "host=vm", "../../etc/passwd", "x\nVICTIM=1", "a\x1b[2Jb", ""}

func TestOddNamesAreNotStored(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		for _, id := range oddIDs {
			run := small(id, time.Unix(1, 0))
			if err := s.Begin(ctx, run); !errors.Is(err, assay.ErrRunID) {
				t.Errorf("begin %q: %v", id, err)
			}
			if err := s.Import(ctx, run); !errors.Is(err, assay.ErrRunID) {
				t.Errorf("import %q: %v", id, err)
			}
			if err := s.Take(ctx, func(to Taker) error { return to.Head(run) }); !errors.Is(err, assay.ErrRunID) {
				t.Errorf("take %q: %v", id, err)
			}
		}
		run := small("a", time.Unix(1, 0))
		run.Labels = map[string]string{"job": "a\nb"}
		if err := s.Import(ctx, run); !errors.Is(err, assay.ErrLabel) {
			t.Errorf("a label of two lines: %v", err)
		}
		run.Labels, run.Remarks = nil, []assay.Remark{{Text: "a\x1b[2Jb"}}
		if err := s.Import(ctx, run); !errors.Is(err, assay.ErrRemark) {
			t.Errorf("a remark with an escape: %v", err)
		}
	})
}

// Our checks do not bind others who can write to the database.
func TestOddNamesAreNotRead(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		write := func(statement string, args ...any) {
			t.Helper()
			_, err := s.writer.Exec(statement, args...)
			must(t, err)
		}
		for i, id := range oddIDs {
			must(t, keep(ctx, s, small("tmp", time.Unix(int64(100+i), 0))))
			// Foreign keys pin a run's id, but a copy can have another.
			write(`INSERT INTO run (id, suite, version, started, elapsed_ns, status, seed, budget_ns, hosts, owner_pid, owner_start, owner_boot, inventory)
				SELECT ?, suite, version, started, elapsed_ns, status, seed, budget_ns, hosts, owner_pid, owner_start, owner_boot, inventory FROM run WHERE id = 'tmp'`, id)
			write(`INSERT INTO trial (run, position, id, trial) SELECT ?, position, id, trial FROM trial WHERE run = 'tmp'`, id)
			write(`INSERT INTO repeat (run, trial, n, started, elapsed_ns, outcome, error, hint) SELECT ?, trial, n, started, elapsed_ns, outcome, error, hint FROM repeat WHERE run = 'tmp'`, id)
			write(`INSERT INTO measurement (run, trial, repeat, position, metric, value, unit, line) SELECT ?, trial, repeat, position, metric, value, unit, line FROM measurement WHERE run = 'tmp'`, id)
			must(t, s.Delete(ctx, "tmp"))
		}
		must(t, keep(ctx, s, small("good", time.Unix(50, 0))))
		must(t, s.Pin(ctx, "good", "base"))
		write(`INSERT INTO pin (name, run, since) VALUES (?, 'good', '2025-03-01T12:00:00.000000000Z')`, "-o")
		write(`INSERT INTO pin (name, run, since) VALUES (?, '-o', '2025-03-01T12:00:00.000000000Z')`, "odd")
		write(`UPDATE run SET labels = ?, remarks = ? WHERE id = 'good'`,
			`{"job":"nightly","a b":"c","d":"x\ny"}`, `[{"text":"the fan was off"},{"text":"a\u001b[2J"},{}]`)

		runs, err := s.Runs(ctx)
		must(t, err)
		if len(runs) != 1 || runs[0].ID != "good" || len(runs[0].Names) != 1 || len(runs[0].Labels) != 1 || len(runs[0].Remarks) != 1 {
			t.Errorf("listed: %+v", runs)
		}
		heads, err := s.Heads(ctx)
		must(t, err)
		if len(heads) != 1 || len(heads[0].Labels) != 1 {
			t.Errorf("heads: %+v", heads)
		}
		if n, err := s.Misnamed(ctx); n != len(oddIDs) || err != nil {
			t.Errorf("%d misnamed, %v", n, err)
		}
		for _, name := range []string{"", "latest"} {
			if id, err := s.Resolve(ctx, name); id != "good" || err != nil {
				t.Errorf("%q is %q, %v", name, id, err)
			}
		}
		for _, name := range append([]string{"odd"}, oddIDs[:6]...) {
			if id, err := s.Resolve(ctx, name); id != "good" && !errors.Is(err, assay.ErrNotFound) {
				t.Errorf("%q is %q, %v", name, id, err)
			}
			if _, err := s.Load(ctx, name); !errors.Is(err, assay.ErrNotFound) {
				t.Errorf("load %q: %v", name, err)
			}
		}
		run := mustLoad(t, s, "good")
		if len(run.Labels) != 1 || len(run.Remarks) != 1 {
			t.Errorf("loaded: %v %v", run.Labels, run.Remarks)
		}
		all, _, err := s.Series(ctx, SeriesQuery{Metric: "storage.read.iops"})
		must(t, err)
		if len(all) != 1 || len(all[0].Runs) != 1 {
			t.Errorf("series: %+v", all)
		}
		if named, err := s.Pins(ctx); len(named) != 1 || err != nil {
			t.Errorf("pins: %+v, %v", named, err)
		}
	})
}
