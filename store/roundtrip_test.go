package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"assay"
)

// Any run comes back as it was. The generator walks the types themselves, so a
// field that is added to a noun and not stored fails here.
func TestAnyRunComesBack(t *testing.T) {
	s, ctx, count := fresh(t), context.Background(), 0
	rapid.Check(t, func(rt *rapid.T) {
		count++
		run := anyRun(rt, fmt.Sprintf("run-%d", count))
		if err := keep(ctx, s, run); err != nil {
			rt.Fatal(err)
		}
		if diff := lost(ctx, s, run); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// lost says what of a run the store does not give back.
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

func anyRun(t *rapid.T, id string) assay.Run {
	var run assay.Run
	fill(t, reflect.ValueOf(&run).Elem())
	run.ID = id
	for i := range run.Results {
		r := &run.Results[i]
		r.Trial.ID = fmt.Sprintf("%s#%d", r.Trial.ID, i)
		for n := range r.Repeats {
			r.Repeats[n].N = n
			for k := range r.Repeats[n].Measurements {
				r.Repeats[n].Measurements[k].Metric += "m"
			}
		}
	}
	return run
}

var (
	floats = rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
	words  = rapid.StringN(0, 12, -1)
	zones  = rapid.SampledFrom([]*time.Location{time.UTC, time.FixedZone("", 5*3600+1800), time.FixedZone("", -3600)})
)

// fill draws a value for everything that v holds.
func fill(t *rapid.T, v reflect.Value) {
	switch at := v.Addr().Interface().(type) {
	case *time.Time:
		// Year 1 to 9998; the zero time, too.
		sec := rapid.Int64Range(-62135596800, 253370764800).Draw(t, "s")
		*at = time.Unix(sec, rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).In(zones.Draw(t, "zone"))
		if at.Year() < 1 || rapid.Bool().Draw(t, "zero") {
			*at = time.Time{}
		}
		return
	case *assay.Bin:
		*at = assay.Bin{Upper: floats.Draw(t, "le"), Count: rapid.Int64Min(0).Draw(t, "n")}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Uint8:
		v.SetUint(uint64(rapid.Byte().Draw(t, "byte")))
	case reflect.Float64:
		v.SetFloat(floats.Draw(t, "float"))
	case reflect.String:
		v.SetString(words.Draw(t, "string"))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 2).Draw(t, "len"), 2))
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 2).Draw(t, "len") {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(t, key)
			fill(t, value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	default:
		t.Fatalf("no generator for %v", v.Type())
	}
}

func TestBytesOfTranscriptAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.SliceOf(rapid.Byte())
		want := assay.Transcript{Probe: "p", Steps: []assay.Step{{
			Name: "s", Argv: []string{string(bytes.Draw(t, "argv")), "<&>\u2028\ufffd"}, Stdin: bytes.Draw(t, "stdin"),
			Output: assay.Output{Stdout: bytes.Draw(t, "stdout"), Stderr: []byte("µ\x00\r\n\u2029"), Exit: 137},
		}}}
		blob, err := packTranscript(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpackTranscript(blob)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestWhatCannotBeStoredIsRefused(t *testing.T) {
	s, ctx := fresh(t), context.Background()
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
}

func mustLoad(t *testing.T, s *Store, id string) assay.Run {
	t.Helper()
	run, err := s.Load(context.Background(), id)
	must(t, err)
	return run
}

func TestFindingsAreReplaced(t *testing.T) {
	s, ctx := fresh(t), context.Background()
	must(t, keep(ctx, s, small("r", time.Now())))
	must(t, s.SetFindings(ctx, "r", []assay.Finding{{Rule: "a"}, {Rule: "b"}}))
	want := []assay.Finding{{Rule: "c", Severity: assay.Rejects, Metrics: []string{"m"}}}
	must(t, s.SetFindings(ctx, "r", want))
	if diff := cmp.Diff(want, mustLoad(t, s, "r").Findings); diff != "" {
		t.Error(diff)
	}
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
	if want := "SEARCH measurement USING INDEX measurement_by_metric (metric=?)"; plan != want {
		t.Errorf("plan %q, want %q", plan, want)
	}
}
