package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay"
	"assay/store/storetest"
)

// LoadParts returns what Load does, minus the unwanted parts.
func TestLoadPartsIsLoadWithoutTheRest(t *testing.T) {
	ctx := context.Background()
	s := fresh(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		run := storetest.AnyRun(t, fmt.Sprint("r", n))
		if err := s.Import(ctx, run); err != nil {
			t.Fatal(err)
		}
		series := rapid.Bool().Draw(t, "series")
		var wanted func(string) bool
		if rapid.Bool().Draw(t, "some") {
			wanted = func(name string) bool { return len(name)%2 == 0 }
		}
		got, err := s.LoadParts(ctx, []string{run.ID}, Part{Metrics: wanted, Series: series})
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.Load(ctx, run.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Results {
			for k := range want.Results[i].Repeats {
				rep := &want.Results[i].Repeats[k]
				all := rep.Measurements
				rep.Watch, rep.Watches, rep.Measurements = nil, nil, nil
				for _, m := range all {
					m.Line = 0
					if !series {
						m.Samples, m.Histogram = nil, nil
					}
					if wanted == nil || wanted(m.Metric) {
						rep.Measurements = append(rep.Measurements, m)
					}
				}
			}
		}
		if diff := cmp.Diff([]*assay.Run{&want}, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestLoadPartsOfSeveral(t *testing.T) {
	s, ctx := fresh(t), context.Background()
	for day := range 3 {
		must(t, s.Import(ctx, daily(day, trialOn("alpha", "32"), map[string]string{"direct": "1"}, 1, 2)))
	}
	got, err := s.LoadParts(ctx, []string{"day02", "day00"}, Part{Metrics: func(string) bool { return true }})
	must(t, err)
	if len(got) != 2 || got[0].ID != "day02" || got[1].ID != "day00" || len(got[1].Results[0].Values("storage.read.iops")) != 2 {
		t.Errorf("%+v", got)
	}
	if _, err := s.LoadParts(ctx, []string{"day00", "none"}, Part{}); !errors.Is(err, assay.ErrNotFound) || !strings.Contains(err.Error(), "none") {
		t.Errorf("a run that is not there: %v", err)
	}
	heads, err := s.Heads(ctx)
	must(t, err)
	all, err := s.Runs(ctx)
	must(t, err)
	for i := range all {
		all[i] = Summary{ID: all[i].ID, Suite: all[i].Suite, Hosts: all[i].Hosts, Started: all[i].Started}
	}
	if diff := cmp.Diff(all, heads); diff != "" || len(heads) != 3 {
		t.Error(diff)
	}
}

// Histories and comparisons read only the index in SQLite: a table lookup for each
// value costs ten times as much if it comes from disk.
func TestFiguresAreReadFromTheIndex(t *testing.T) {
	s := fresh(t)
	for query, want := range map[string]string{
		valuesOfRun: "USING COVERING INDEX measurement_by_metric (metric=? AND run=?)",
		withoutSeries + ` WHERE m.metric = ? AND m.run = ? ORDER BY m.trial, m.repeat, m.position`: "USING COVERING INDEX measurement_by_metric (metric=? AND run=?)",
		`SELECT run, trial, n FROM repeat WHERE outcome <> 'done'`:                                 "SCAN repeat USING INDEX repeat_not_done",
	} {
		args := []any{"metric", "run"}
		rows, err := s.reader.Query("EXPLAIN QUERY PLAN "+query, args[:strings.Count(query, "?")]...)
		must(t, err)
		defer rows.Close()
		var plan []string
		for rows.Next() {
			var id, parent, unused int
			var step string
			must(t, rows.Scan(&id, &parent, &unused, &step))
			plan = append(plan, step)
		}
		must(t, rows.Err())
		if all := strings.Join(plan, "; "); !strings.Contains(all, want) || strings.Contains(all, "TEMP B-TREE") {
			t.Errorf("%s\nis read so: %s", query, all)
		}
	}
}

// A history is the same however many stretches it is read in.
func TestStretchesMakeOneHistory(t *testing.T) {
	s, ctx := fresh(t), context.Background()
	const days = 3*leastStretch + 7
	for day := range days {
		run := daily(day, trialOn("alpha", "32"), nil, float64(day))
		if day >= days/2 {
			run.Results = append(run.Results, daily(day, trialOn("beta", "32"), nil, float64(-day)).Results...)
		}
		must(t, s.Import(ctx, run))
	}
	all, more, err := s.Series(ctx, SeriesQuery{Metric: "storage.read.iops"})
	must(t, err)
	if len(all) != 2 || more || len(all[0].Runs) != days || len(all[1].Runs) != days-days/2 {
		t.Fatalf("%d series, more %v", len(all), more)
	}
	for i, r := range all[0].Runs {
		if r.Values[0] != float64(i) {
			t.Fatalf("run %d has %v", i, r.Values)
		}
	}
	for i, r := range all[1].Runs {
		if r.Values[0] != float64(-(days/2 + i)) {
			t.Fatalf("run %d of beta has %v", i, r.Values)
		}
	}
}
