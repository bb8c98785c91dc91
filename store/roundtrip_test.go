package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"assay"
	"assay/store/storetest"
)

// Any run comes back unchanged. The generator walks the types themselves, so a
// field that is added to a noun but not stored fails here.
func TestAnyRunComesBack(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx, count := at.fresh(t), context.Background(), 0
		rapid.Check(t, func(rt *rapid.T) {
			count++
			run := storetest.AnyRun(rt, fmt.Sprintf("run-%d", count))
			if err := keep(ctx, s, run); err != nil {
				rt.Fatal(err)
			}
			if diff := lost(ctx, s, run); diff != "" {
				rt.Fatal(diff)
			}
		})
	})
}

// lost describes what the store does not return of a run.
func lost(ctx context.Context, s *Store, run assay.Run) string {
	got, err := s.Load(ctx, run.ID)
	if err != nil {
		return err.Error()
	}
	apart := cmpopts.IgnoreFields(assay.Repeat{}, "Transcript")
	if diff := cmp.Diff(run, got, cmpopts.EquateEmpty(), apart); diff != "" {
		return diff
	}
	for _, r := range run.Results {
		for _, rep := range r.Repeats {
			tr, err := s.Transcript(ctx, run.ID, r.Trial.ID, rep.N)
			if err != nil {
				return err.Error()
			}
			if diff := cmp.Diff(rep.Transcript, tr, cmpopts.EquateEmpty()); diff != "" {
				return diff
			}
		}
	}
	return ""
}

var floats = rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)

func TestBytesOfTranscriptAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.SliceOf(rapid.Byte())
		want := assay.Transcript{Probe: "p", Steps: []assay.Step{{
			Name: "s", Host: rapid.StringN(0, 4, -1).Draw(t, "host"), Argv: []string{string(bytes.Draw(t, "argv")), "<&>\u2028\ufffd"}, Stdin: bytes.Draw(t, "stdin"),
			Output: assay.Output{Stdout: bytes.Draw(t, "stdout"), Stderr: []byte("µ\x00\r\n\u2029"), Exit: 137},
		}}}
		blob, err := packTranscript(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := newRoom().transcript(blob)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestWhatCannotBeStoredIsRefused(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		must(t, keep(ctx, s, small("r", time.Now())))
		trial := small("r", time.Now()).Results[0].Trial.ID
		for name, spoil := range map[string]func(*assay.Repeat){
			"NaN value":        func(r *assay.Repeat) { r.Measurements[0].Value = math.NaN() },
			"infinite value":   func(r *assay.Repeat) { r.Measurements[1].Value = math.Inf(-1) },
			"NaN sample":       func(r *assay.Repeat) { r.Measurements[0].Samples[1].Value = math.NaN() },
			"infinite moment":  func(r *assay.Repeat) { r.Measurements[0].Samples[1].At = math.Inf(1) },
			"infinite bin":     func(r *assay.Repeat) { r.Measurements[1].Histogram[0].Upper = math.Inf(1) },
			"negative count":   func(r *assay.Repeat) { r.Measurements[1].Histogram[0].Count = -1 },
			"nameless metric":  func(r *assay.Repeat) { r.Measurements[1].Metric = "" },
			"NaN in the watch": func(r *assay.Repeat) { r.Watch.ToolCPU = math.NaN() },
		} {
			r := repeatNumber(2)
			spoil(&r)
			if err := s.AddRepeat(ctx, "r", trial, r); err == nil {
				t.Errorf("%s was stored", name)
			}
		}
		for _, c := range []struct {
			what string
			err  error
			want error
		}{
			{"a repeat twice", s.AddRepeat(ctx, "r", trial, repeatNumber(1)), ErrExists},
			{"a run twice", s.Begin(ctx, small("r", time.Now())), ErrExists},
			{"a trial twice", s.AddTrials(ctx, "r", []assay.Trial{{ID: "new"}, {ID: trial}}), ErrExists},
			{"a repeat of no trial", s.AddRepeat(ctx, "r", "none", repeatNumber(1)), assay.ErrNotFound},
			{"trials of no run", s.AddTrials(ctx, "none", nil), assay.ErrNotFound},
			{"scratch of no trial", s.SetScratch(ctx, "r", "none", assay.Scratch{}), assay.ErrNotFound},
			{"findings of no run", s.SetFindings(ctx, "none", nil), assay.ErrNotFound},
			{"the end of no run", s.Finish(ctx, "none", assay.RunDone, 0, nil), assay.ErrNotFound},
		} {
			if !errors.Is(c.err, c.want) {
				t.Errorf("%s: %v, want %v", c.what, c.err, c.want)
			}
		}
		_, err := s.Transcript(ctx, "r", trial, 9)
		if !errors.Is(err, assay.ErrNotFound) {
			t.Errorf("transcript of no repeat: %v", err)
		}
		// None of that left a trace.
		if diff := lost(ctx, s, small("r", mustLoad(t, s, "r").Started)); diff != "" {
			t.Error(diff)
		}
	})
}

func mustLoad(t *testing.T, s *Store, id string) assay.Run {
	t.Helper()
	run, err := s.Load(context.Background(), id)
	must(t, err)
	return run
}

func TestFindingsAreReplaced(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		must(t, keep(ctx, s, small("r", time.Now())))
		must(t, s.SetFindings(ctx, "r", []assay.Finding{{Rule: "a"}, {Rule: "b"}}))
		want := []assay.Finding{{Rule: "c", Severity: assay.Rejects, Metrics: []string{"m"}}}
		must(t, s.SetFindings(ctx, "r", want))
		if diff := cmp.Diff(want, mustLoad(t, s, "r").Findings); diff != "" {
			t.Error(diff)
		}
	})
}

func rowsOf(t *testing.T, s *Store, table string) (n int) {
	t.Helper()
	must(t, s.reader.QueryRow("SELECT count(*) FROM "+table).Scan(&n))
	return n
}

func TestMeasurementsCanBeAskedForInSQL(t *testing.T) {
	s, ctx := fresh(t), context.Background()
	must(t, keep(ctx, s, small("r", time.Now())))
	var value float64
	var direct, plan string
	must(t, s.reader.QueryRow(`SELECT value, labels ->> 'direct' FROM measurement
		WHERE metric = 'storage.read.latency.mean' AND run = 'r'`).Scan(&value, &direct))
	if value != 2e-6 || direct != "1" {
		t.Errorf("got %v and %q", value, direct)
	}
	var a, b, c any
	must(t, s.reader.QueryRow(`EXPLAIN QUERY PLAN SELECT run, value FROM measurement
		WHERE metric = 'x' ORDER BY run`).Scan(&a, &b, &c, &plan))
	if want := "SEARCH measurement USING COVERING INDEX measurement_by_metric (metric=?)"; plan != want {
		t.Errorf("plan %q, want %q", plan, want)
	}
}
