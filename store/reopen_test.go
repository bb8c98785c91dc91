package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay"
	"assay/store/storetest"
)

func init() { roles["reopen"] = reopenUntilKilled }

// broken returns a run with work to repeat: trial a has repeats 0 to 3, of
// which 2 failed; b's host went away; c was never meant to run.
func broken() assay.Run {
	run := small("r", time.Unix(1_700_000_000, 0).UTC())
	run.Status, run.Notes = assay.RunPartial, []assay.Note{{ID: "n", Text: "a note"}}
	run.Findings = []assay.Finding{{Rule: "x", Severity: assay.Warns}, {Rule: "y", Severity: assay.Rejects}}
	var all []assay.Repeat
	for n := range 4 {
		all = append(all, repeatNumber(n))
	}
	all[2].Outcome, all[2].Error = assay.Broke, "no"
	run.Results = []assay.Result{
		{Trial: assay.Trial{ID: "a", Repeats: 3}, Scratch: assay.Scratch{File: "/f", Bytes: 1}, Repeats: all},
		{Trial: assay.Trial{ID: "b", Repeats: 3, Absent: &assay.Absence{Word: assay.Unknown, Gone: "pve3"}}},
		{Trial: assay.Trial{ID: "c", Repeats: 3, Absent: &assay.Absence{Word: assay.NotSupported, Why: "none"}}},
	}
	return run
}

func TestReopenedRunGoesOn(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		was := broken()
		must(t, keep(ctx, s, was))
		_, err := s.writer.Exec(`UPDATE run SET owner_pid = 1, owner_start = 'old', owner_boot = 'old'`)
		must(t, err)
		must(t, s.Reopen(ctx, "r", map[string][]int{"a": {2, 0}}))

		want := was
		want.Status, want.Findings = assay.RunRunning, nil
		want.Results = slices.Clone(was.Results)
		want.Results[0].Repeats = []assay.Repeat{was.Results[0].Repeats[1], was.Results[0].Repeats[3]}
		want.Results[1].Trial.Absent = nil
		if diff := lost(ctx, s, want); diff != "" {
			t.Error(diff)
		}
		if _, err := s.Transcript(ctx, "r", "a", 2); !errors.Is(err, assay.ErrNotFound) {
			t.Errorf("the transcript of a dropped repeat: %v", err)
		}
		for table, left := range map[string]int{"repeat": 2, "evidence": 2, "measurement": 4, "series": 4} {
			if got := rowsOf(t, s, table); got != left {
				t.Errorf("%d rows in %s, want %d", got, table, left)
			}
		}
		runs, err := s.Runs(ctx)
		must(t, err)
		self, err := s.self("r")
		must(t, err)
		if runs[0].Owner != self || runs[0].Status != assay.RunRunning {
			t.Errorf("%s, owned by %+v, and this is %+v", runs[0].Status, runs[0].Owner, self)
		}

		// It continues like any run.
		if err := s.AddTrials(ctx, "r", []assay.Trial{{ID: "a"}}); !errors.Is(err, ErrExists) {
			t.Errorf("its trials are there, and adding them gives %v", err)
		}
		for _, n := range []int{0, 2} {
			must(t, s.AddRepeat(ctx, "r", "a", repeatNumber(n)))
			want.Results[0].Repeats = append(want.Results[0].Repeats, repeatNumber(n))
		}
		slices.SortFunc(want.Results[0].Repeats, func(a, b assay.Repeat) int { return a.N - b.N })
		must(t, s.AddRepeat(ctx, "r", "b", repeatNumber(1)))
		want.Results[1].Repeats = []assay.Repeat{repeatNumber(1)}
		must(t, s.SetFindings(ctx, "r", was.Findings[:1]))
		must(t, s.Finish(ctx, "r", assay.RunDone, time.Hour, nil))
		want.Status, want.Elapsed, want.Notes, want.Findings = assay.RunDone, time.Hour, nil, was.Findings[:1]
		if diff := lost(ctx, s, want); diff != "" {
			t.Error(diff)
		}
	})
}

func TestReopenDoesAllOrNothing(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		must(t, keep(ctx, s, broken()))
		before := everything(t, s, "")
		for name, c := range map[string]struct {
			run  string
			drop map[string][]int
		}{
			"no such run":                   {"none", nil},
			"no such trial":                 {"r", map[string][]int{"a": {2}, "d": {1}}},
			"no such repeat":                {"r", map[string][]int{"a": {2, 9}}},
			"the same repeat twice":         {"r", map[string][]int{"a": {2, 2}}},
			"a repeat of an unmeasured one": {"r", map[string][]int{"a": {2}, "b": {1}}},
		} {
			if err := s.Reopen(ctx, c.run, c.drop); !errors.Is(err, assay.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
			if diff := cmp.Diff(before, everything(t, s, "")); diff != "" {
				t.Errorf("%s changed something: %s", name, diff)
			}
		}
		if err := s.Reopen(ctx, "none", nil); assay.Hint(err) == "" {
			t.Errorf("%v has no hint", err)
		}
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		if err := s.Reopen(cancelled, "r", nil); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		// An unreadable trial is the last step that can fail.
		_, err := s.writer.Exec(`UPDATE trial SET trial = 'no JSON' WHERE id = 'c'`)
		must(t, err)
		before = everything(t, s, "")
		if err := s.Reopen(ctx, "r", map[string][]int{"a": {0, 2}}); err == nil {
			t.Error("a damaged trial was passed over")
		}
		if diff := cmp.Diff(before, everything(t, s, "")); diff != "" {
			t.Errorf("a step that failed left: %s", diff)
		}
	})
}

// A run that another process carries out is left alone until that dies.
func TestReopenLeavesTheLivingAlone(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		path := at.empty(t)
		s, ctx := reopen(t, path), context.Background()
		c := child(t, "write", path, "r", "1000000")
		out, err := c.StdoutPipe()
		must(t, err)
		must(t, c.Start())
		lines := bufio.NewScanner(out)
		if !lines.Scan() {
			t.Fatal("the writer wrote nothing")
		}
		err = s.Reopen(ctx, "r", nil)
		if !errors.Is(err, assay.ErrBusy) || assay.Hint(err) == "" {
			t.Errorf("a run that goes on was reopened: %v", err)
		}
		must(t, c.Process.Kill())
		for lines.Scan() { // drain what it printed before it died
		}
		if err := c.Wait(); err == nil {
			t.Fatal("the writer ended before it was killed")
		}
		must(t, s.Reopen(ctx, "r", nil))
		must(t, s.Reopen(ctx, "r", nil)) // its own process may
	})
}

// For any run and any dropped repeats, all other repeats and all other runs
// stay the same byte for byte.
func TestReopenTouchesNothingElse(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx, count := at.fresh(t), context.Background(), 0
		rapid.Check(t, func(rt *rapid.T) {
			count++
			id := fmt.Sprintf("run-%d", count)
			run := storetest.AnyRun(rt, id)
			if err := keep(ctx, s, run); err != nil {
				rt.Fatal(err)
			}
			if _, err := s.writer.Exec(`UPDATE run SET owner_pid = -1 WHERE id = ?`, id); err != nil {
				rt.Fatal(err)
			}
			drop := map[string][]int{}
			for _, r := range run.Results {
				for _, rep := range r.Repeats {
					if rapid.Bool().Draw(rt, "drop") {
						drop[r.Trial.ID] = append(drop[r.Trial.ID], rep.N)
					}
				}
			}
			want := slices.DeleteFunc(everything(t, s, id), func(r row) bool {
				return r.Table == "finding" || r.Repeat >= 0 && slices.Contains(drop[r.Trial], r.Repeat)
			})
			others := everything(t, s, fmt.Sprintf("run-%d", count-1))
			if err := s.Reopen(ctx, id, drop); err != nil {
				rt.Fatal(err)
			}
			head := func(r row) bool { return r.Table == "run" || r.Table == "trial" } // told apart above
			if diff := cmp.Diff(slices.DeleteFunc(want, head), slices.DeleteFunc(everything(t, s, id), head)); diff != "" {
				rt.Fatal(diff)
			}
			if diff := cmp.Diff(others, everything(t, s, fmt.Sprintf("run-%d", count-1))); diff != "" {
				rt.Fatalf("another run: %s", diff)
			}
		})
	})
}

// row is a stored row.
type row struct {
	Table, Trial string
	Repeat       int // -1 if it has none
	Bytes        string
}

// everything returns all rows of a run, or of all runs for "".
func everything(t *testing.T, s *Store, run string) (all []row) {
	t.Helper()
	for _, of := range []struct{ table, run, trial, repeat string }{
		{"run", "id", "''", "-1"}, {"trial", "run", "id", "-1"}, {"repeat", "run", "trial", "n"}, {"evidence", "run", "trial", "repeat"},
		{"measurement", "run", "trial", "repeat"}, {"series", "run", "trial", "repeat"}, {"finding", "run", "''", "-1"},
	} {
		rows, err := s.reader.Query(fmt.Sprintf(
			"SELECT %s, %s, * FROM %s WHERE %s = ?1 OR ?1 = '' ORDER BY 3, 4, 5, 6", of.trial, of.repeat, of.table, of.run), run)
		must(t, err)
		columns, err := rows.Columns()
		must(t, err)
		for rows.Next() {
			r := row{Table: of.table}
			into, values := []any{&r.Trial, &r.Repeat}, make([]any, len(columns)-2)
			for i := range values {
				into = append(into, &values[i])
			}
			must(t, rows.Scan(into...))
			for _, v := range values {
				r.Bytes += fmt.Sprintf("%T %x|", v, v)
			}
			all = append(all, r)
		}
		must(t, rows.Err())
		rows.Close()
	}
	return all
}

// reopenUntilKilled runs in a child: it repeatedly adds what is missing to the
// run in the database args[0], and reopens it without repeats 2 and 4.
func reopenUntilKilled(args []string) error {
	ctx := context.Background()
	s, err := Open(ctx, args[0])
	if err != nil {
		return err
	}
	for {
		for _, n := range []int{2, 4} {
			if err := s.AddRepeat(ctx, "r", "a", repeatNumber(n)); err != nil && !errors.Is(err, ErrExists) {
				return err
			}
		}
		if err := s.SetFindings(ctx, "r", []assay.Finding{{Rule: "x"}}); err != nil {
			return err
		}
		if err := s.Finish(ctx, "r", assay.RunDone, 1, nil); err != nil {
			return err
		}
		if err := s.Reopen(ctx, "r", map[string][]int{"a": {4, 2}}); err != nil {
			return err
		}
		fmt.Println("reopened")
	}
}

// A process is killed while it reopens a run: it has done all or nothing, and
// repeats it did not list are whole.
func TestKilledWhileReopening(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		rounds := 15
		if *long {
			rounds = 500
		}
		path := at.empty(t)
		s, ctx := reopen(t, path), context.Background()
		run := small("r", time.Now())
		run.Results = []assay.Result{{Trial: assay.Trial{ID: "a"}, Repeats: []assay.Repeat{repeatNumber(1), repeatNumber(3)}}}
		must(t, keep(ctx, s, run))
		random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 2))
		states := map[string]int{}
		for round := range at.of(rounds) {
			c := child(t, "reopen", path)
			out, err := c.StdoutPipe()
			must(t, err)
			must(t, c.Start())
			last, count := 1+random.IntN(5), 0
			for lines := bufio.NewScanner(out); lines.Scan(); {
				if count++; count == last {
					// Any moment in the next round is fine: this only varies
					// it.
					time.AfterFunc(time.Duration(random.IntN(8000))*time.Microsecond, func() { c.Process.Kill() })
				}
			}
			if err := c.Wait(); err == nil || count < last {
				t.Fatalf("round %d: it ended before it was killed: %v", round, err)
			}
			checkWhole(t, path, "r", []acknowledged{{"a", 1}, {"a", 3}})
			got := mustLoad(t, s, "r")
			has := func(n int) bool {
				return slices.ContainsFunc(got.Results[0].Repeats, func(r assay.Repeat) bool { return r.N == n })
			}
			judged := len(got.Findings) > 0
			states[fmt.Sprint(got.Status, has(2), has(4), judged)]++
			if judged && !has(4) || has(4) && !has(2) || (got.Status == assay.RunDone) && !judged {
				t.Fatalf("round %d: half reopened: %s, repeat 2 %v, 4 %v, findings %v", round, got.Status, has(2), has(4), judged)
			}
		}
		t.Log("found in these states:", states)
	})
}
