package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay"
)

var firstDay = time.Date(2026, 1, 1, 3, 0, 0, 0, time.UTC)

// daily returns a run on that day with one trial and one repeat per value.
func daily(day int, trial assay.Trial, labels map[string]string, values ...float64) assay.Run {
	run := assay.Run{
		ID: fmt.Sprintf("day%02d", day), Suite: "quick", Started: firstDay.AddDate(0, 0, day), Status: assay.RunDone,
		Results: []assay.Result{{Trial: trial}},
	}
	for i, v := range values {
		run.Results[0].Repeats = append(run.Results[0].Repeats, assay.Repeat{
			N: i + 1, Started: run.Started, Outcome: assay.Done,
			Measurements: []assay.Measurement{{Metric: "storage.read.iops", Value: v, Unit: assay.PerSecond, Labels: labels}},
		})
	}
	return run
}

func trialOn(host, depth string) assay.Trial {
	return assay.Trial{
		ID: "fio/randread@" + host + "/directory/srv", Probe: "fio", Case: "randread", Settings: map[string]string{"iodepth": depth},
		Subject: assay.Subject{ID: host + "/directory/srv", Kind: assay.KindDirectory, Host: host, Name: "/srv"},
	}
}

// brief summarizes series: host, depth, conditions and values.
func brief(all []Series) (lines []string) {
	for _, s := range all {
		line := ""
		if s.Rejected {
			line = "rejected: "
		}
		line += fmt.Sprintf("%s %s %s %v:", s.Trial.Subject.Host, s.Trial.Settings["iodepth"], s.Unit, s.Conditions)
		for _, r := range s.Runs {
			line += fmt.Sprintf(" %s%v", r.Run, r.Values)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

func TestSeriesJoinsOnlyWhatIsAlike(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		direct := map[string]string{"direct": "1"}
		rounded := maps.Clone(direct)
		rounded["rounding"] = "500" // of the figure, not of the measurement
		failed := daily(4, trialOn("alpha", "32"), direct, 1, 2, 3)
		failed.Results[0].Repeats[1].Outcome = assay.Broke
		failed.Results[0].Repeats[2].N = 0 // a warm-up
		twice := daily(5, trialOn("alpha", "32"), direct, 50)
		again := twice.Results[0].Repeats[0].Measurements[0]
		again.Value = 51
		twice.Results[0].Repeats[0].Measurements = append(twice.Results[0].Repeats[0].Measurements, again,
			assay.Measurement{Metric: "storage.write.iops", Value: 7, Unit: assay.PerSecond})
		for _, run := range []assay.Run{
			daily(2, trialOn("alpha", "32"), rounded, 20, 21), // stored first, begun later
			daily(0, trialOn("alpha", "32"), direct, 10, 11),
			daily(1, trialOn("beta", "32"), direct, 60),
			daily(3, trialOn("alpha", "1"), direct, 30),
			failed, twice,
			daily(6, trialOn("alpha", "32"), map[string]string{"direct": "0"}, 90),
			{ID: "empty", Started: firstDay.AddDate(1, 0, 0)},
		} {
			must(t, s.Import(ctx, run))
		}
		alpha := "alpha 32 1/s map[direct:1]: day00[10 11] day02[20 21] day04[1] day05[50]"
		for _, c := range []struct {
			name string
			q    SeriesQuery
			want []string
			more bool
		}{
			{"all", SeriesQuery{}, []string{"alpha 1 1/s map[direct:1]: day03[30]", "alpha 32 1/s map[direct:0]: day06[90]", alpha, "beta 32 1/s map[direct:1]: day01[60]"}, false},
			{"a host", SeriesQuery{Host: "beta"}, []string{"beta 32 1/s map[direct:1]: day01[60]"}, false},
			{"a subject by id", SeriesQuery{Subject: "beta/directory/srv"}, []string{"beta 32 1/s map[direct:1]: day01[60]"}, false},
			{"another case", SeriesQuery{Case: "fio/randwrite"}, nil, false},
			{"since", SeriesQuery{Case: "fio/randread", Subject: "/srv", Since: firstDay.AddDate(0, 0, 5)},
				[]string{"alpha 32 1/s map[direct:0]: day06[90]", "alpha 32 1/s map[direct:1]: day05[50]"}, false},
			{"the newest two that have it", SeriesQuery{Runs: 2},
				[]string{"alpha 32 1/s map[direct:0]: day06[90]", "alpha 32 1/s map[direct:1]: day05[50]"}, true},
			{"as many as there are", SeriesQuery{Runs: 7, Host: "beta"}, []string{"beta 32 1/s map[direct:1]: day01[60]"}, false},
		} {
			c.q.Metric = "storage.read.iops"
			got, more, err := s.Series(ctx, c.q)
			must(t, err)
			if diff := cmp.Diff(c.want, brief(got)); diff != "" || more != c.more {
				t.Errorf("%s: more %v\n%s", c.name, more, diff)
			}
		}
		if got, more, err := s.Series(ctx, SeriesQuery{Metric: "storage.read.bandwidth"}); err != nil || len(got) != 0 || more {
			t.Errorf("a metric that no run has: %v %v %v", got, more, err)
		}
		names, err := s.Metrics(ctx)
		must(t, err)
		if diff := cmp.Diff([]string{"storage.read.iops", "storage.write.iops"}, names); diff != "" {
			t.Error(diff)
		}
		all, _, err := s.Series(ctx, SeriesQuery{Metric: "storage.read.iops", Host: "beta"})
		must(t, err)
		if got := all[0].Runs[0].Started; !got.Equal(firstDay.AddDate(0, 0, 1)) || all[0].Trial.Case != "randread" {
			t.Errorf("begun %v, trial %+v", got, all[0].Trial)
		}
	})
}

// Lengths adapt to the time available, and sizes to memory and room: those that
// comparisons take for alike are one history.
func TestSeriesJoinsNearLengthsAndSizes(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		for day, one := range []struct {
			length time.Duration
			size   string
		}{
			{5 * time.Second, "134217728000"},
			{6 * time.Second, "134219825152"}, // another kernel has another MemTotal
			{30 * time.Second, "134219825152"},
			{9 * time.Second, "134219825152"}, // like the second, and not unlike the first
			{5 * time.Second, "68719476736"},
			{0, "68719476736"}, // of unknown length
			{20 * time.Second, "134219825152"},
		} {
			trial := trialOn("alpha", "32")
			trial.Length, trial.Settings["size"] = one.length, one.size
			must(t, s.Import(ctx, daily(day, trial, map[string]string{"size": one.size}, float64(day))))
		}
		all, _, err := s.Series(ctx, SeriesQuery{Metric: "storage.read.iops"})
		must(t, err)
		var got []string
		for _, one := range all {
			var runs []string
			for _, r := range one.Runs {
				runs = append(runs, r.Run)
			}
			got = append(got, strings.Join(runs, " "))
		}
		if diff := cmp.Diff([]string{"day00 day01 day03", "day02 day06", "day04", "day05"}, got); diff != "" {
			t.Error(diff)
		}
	})
}

// What the audit called false is a history of its own; what it rejected for scatter can be
// true, and a drive that fails was measured all the same.
func TestSeriesTellsRejectedFiguresApart(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		trial := trialOn("alpha", "32")
		for day, found := range []assay.Finding{
			{},
			{Rule: "little", Severity: assay.Rejects, Subject: trial.ID},
			{Rule: "little", Severity: assay.Warns, Subject: trial.ID},
			{Rule: "little", Severity: assay.Rejects, Subject: trial.ID, Metrics: []string{"storage.read.iops"}},
			{Rule: "little", Severity: assay.Rejects, Subject: trial.ID, Metrics: []string{"storage.write.iops"}},
			{Rule: "little", Severity: assay.Rejects, Subject: "another"},
			{Rule: "cov", Severity: assay.Rejects, Subject: trial.ID},
		} {
			run := daily(day, trial, nil, float64(day))
			run.Results[0].Repeats[0].Measurements = append(run.Results[0].Repeats[0].Measurements, assay.Measurement{Metric: "smart.media_errors", Value: float64(day), Unit: assay.One})
			run.Findings = []assay.Finding{found}
			must(t, s.Import(ctx, run))
		}
		for _, c := range []struct {
			q    SeriesQuery
			want []string
		}{
			{SeriesQuery{Metric: "storage.read.iops"}, []string{
				"alpha 32 1/s map[]: day00[0] day02[2] day04[4] day05[5] day06[6]",
				"rejected: alpha 32 1/s map[]: day01[1] day03[3]",
			}},
			{SeriesQuery{Metric: "storage.read.iops", Rejected: true}, []string{"alpha 32 1/s map[]: day00[0] day01[1] day02[2] day03[3] day04[4] day05[5] day06[6]"}},
			{SeriesQuery{Metric: "smart.media_errors"}, []string{"alpha 32 1 map[]: day00[0] day01[1] day02[2] day03[3] day04[4] day05[5] day06[6]"}},
		} {
			all, _, err := s.Series(ctx, c.q)
			must(t, err)
			if diff := cmp.Diff(c.want, brief(all)); diff != "" {
				t.Errorf("%+v\n%s", c.q, diff)
			}
		}
	})
}

// One run's figures of nearly the same size are two series, as in another run.
func TestSeriesKeepsWhatOneRunTellsApart(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		for day := range 2 {
			run := daily(day, trialOn("alpha", "32"), map[string]string{"size": "100m"}, 1)
			other := run.Results[0].Repeats[0].Measurements[0]
			other.Value, other.Labels = 2, map[string]string{"size": "101m"}
			run.Results[0].Repeats[0].Measurements = append(run.Results[0].Repeats[0].Measurements, other)
			must(t, s.Import(ctx, run))
		}
		all, _, err := s.Series(ctx, SeriesQuery{Metric: "storage.read.iops"})
		must(t, err)
		if diff := cmp.Diff([]string{"alpha 32 1/s map[size:100m]: day00[1] day01[1]", "alpha 32 1/s map[size:101m]: day00[2] day01[2]"}, brief(all)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestSeriesOfAnEmptyDatabase(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s := at.fresh(t)
		all, more, err := s.Series(context.Background(), SeriesQuery{Metric: "x", Runs: 3})
		names, nerr := s.Metrics(context.Background())
		if err != nil || nerr != nil || len(all)+len(names) != 0 || more {
			t.Errorf("%v %v %v, %v %v", all, more, err, names, nerr)
		}
	})
}

// 1,000 runs of 20 trials of 5 repeats of 10 metrics, a million measurements; the
// metric asked for is in 5 of the trials, in 25,000 rows.
func BenchmarkSeries(b *testing.B) {
	s, ctx := fresh(b), context.Background()
	must(b, s.Import(ctx, daily(0, trialOn("alpha", "32"), nil, 1)))
	_, err := s.writer.Exec(`
		PRAGMA foreign_keys = 0;
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 999)
		INSERT INTO run (id, suite, version, started, elapsed_ns, status, seed, budget_ns, hosts, notes, owner_pid, owner_start, owner_boot, inventory)
		SELECT 'r'||i, suite, version, printf('2026-02-01T00:00:%04d.000000000Z', i), 0, 'done', 0, 0, hosts, notes, 1, '', '', x'00' FROM run, n;
		UPDATE run SET started = '2026-02-01T'||printf('%02d:%02d:%02d', rowid/3600, rowid/60%60, rowid%60)||'.000000000Z';
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 20)
		INSERT INTO trial SELECT run.id, 'fio/case'||i||'@alpha/directory/srv', i, (SELECT trial FROM trial LIMIT 1), NULL FROM run, n;
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 5)
		INSERT OR IGNORE INTO repeat SELECT run, id, i, '', 0, 'done', '', '' FROM trial, n;
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 10)
		INSERT INTO measurement SELECT r.run, r.trial, r.n, i, 'metric'||(i*4 + t.position%4), random(), '1/s', '{"direct":"1","bs":"4k"}', 0
		FROM repeat r JOIN trial t ON t.run = r.run AND t.id = r.trial, n;`)
	must(b, err)
	for b.Loop() {
		all, _, err := s.Series(ctx, SeriesQuery{Metric: "metric8"})
		must(b, err)
		if len(all) != 1 || len(all[0].Runs) != 1000 {
			b.Fatalf("%d series of %d runs", len(all), len(all[0].Runs))
		}
	}
}
