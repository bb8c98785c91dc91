package main

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"assay"
	"assay/compare/trend"
	"assay/report"
	"assay/stats"
	"assay/store"
)

// trendSeries is the JSON form of the history of one metric of one trial.
// Values are in base units.
type trendSeries struct {
	Trial      string            `json:"trial"`
	Title      string            `json:"title"`
	Host       string            `json:"host"`
	Subject    string            `json:"subject"`
	Metric     string            `json:"metric"`
	Unit       assay.Unit        `json:"unit"`
	Settings   map[string]string `json:"settings,omitempty"`
	Conditions map[string]string `json:"conditions,omitempty"`
	Seconds    float64           `json:"seconds,omitempty"`  // planned length of a repeat in the newest run
	Rejected   bool              `json:"rejected,omitempty"` // by the audit, in all runs
	Runs       []trendRun        `json:"runs"`
	Segments   []trendSegment    `json:"segments"`
	Changes    []trendChange     `json:"changes"`
	Memory     float64           `json:"memory"` // autocorrelation that was allowed for

	points  []trend.Point
	found   trend.Trend
	differs []string // from other series of the same trial
}

type trendRun struct {
	Run     string    `json:"run"`
	Started time.Time `json:"started"`
	Median  float64   `json:"median"`
	N       int       `json:"n"` // repeats
}

type trendSegment struct {
	First  string    `json:"first"` // run
	Begun  time.Time `json:"begun"` // when it began
	Last   string    `json:"last"`
	Runs   int       `json:"runs"`
	Median float64   `json:"median"`
	Low    float64   `json:"low"`
	High   float64   `json:"high"`
	Level  float64   `json:"level"` // of the interval; 0 for none
}

type trendChange struct {
	Before   string       `json:"before"` // the last run of the old level
	Since    string       `json:"since"`  // the first of the new
	Begun    time.Time    `json:"begun"`
	Earliest string       `json:"earliest"` // the runs that Since may be as well
	Latest   string       `json:"latest"`
	P        float64      `json:"p"`
	Verdict  string       `json:"verdict"`
	Ratio    *trendEffect `json:"ratio,omitempty"` // none where a value is not positive
	Shift    trendEffect  `json:"shift"`
}

type trendEffect struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Level float64 `json:"level"`
}

// trendsOf looks for changes in each series, as many at once as there are CPUs.
func trendsOf(metric string, series []store.Series) ([]trendSeries, error) {
	all, errs := make([]trendSeries, len(series)), make([]error, len(series))
	var looked sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(series)) {
		looked.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(series); i = int(next.Add(1)) - 1 {
				all[i], errs[i] = trendOf(metric, series[i])
			}
		})
	}
	looked.Wait()
	return all, errors.Join(errs...)
}

// trendOf looks for changes in a series.
func trendOf(metric string, s store.Series) (trendSeries, error) {
	t := trendSeries{
		Trial: s.Trial.ID, Title: s.Trial.Title, Host: s.Trial.Subject.Host, Subject: s.Trial.Subject.ID,
		Metric: metric, Unit: s.Unit, Settings: s.Trial.Settings, Conditions: s.Conditions, Seconds: s.Trial.Length.Seconds(), Rejected: s.Rejected, Changes: []trendChange{},
	}
	for _, r := range s.Runs {
		m := stats.Median(r.Values)
		t.points = append(t.points, trend.Point{Run: r.Run, At: r.Started, Value: m})
		t.Runs = append(t.Runs, trendRun{r.Run, r.Started, m, len(r.Values)})
	}
	var err error
	if t.found, err = trend.Find(t.points, trend.Options{}); err != nil {
		return t, fmt.Errorf("%s of trial %s: %w", metric, s.Trial.ID, err)
	}
	t.Memory = t.found.Memory
	for _, g := range t.found.Segments {
		first, last := t.points[g.From], t.points[g.To-1]
		t.Segments = append(t.Segments, trendSegment{first.Run, first.At, last.Run, g.To - g.From,
			g.Level.Center, g.Level.Low, g.Level.High, g.Level.Level})
	}
	for _, c := range t.found.Changes {
		one := trendChange{
			Before: t.points[c.At-1].Run, Since: t.points[c.At].Run, Begun: t.points[c.At].At,
			Earliest: t.points[c.Earliest].Run, Latest: t.points[c.Latest].Run,
			P: c.P, Verdict: verdictOf(metric, c), Shift: trendEffect(c.Shift),
		}
		if c.Ratio.Level > 0 {
			one.Ratio = (*trendEffect)(&c.Ratio)
		}
		t.Changes = append(t.Changes, one)
	}
	return t, nil
}

// verdictOf returns a change's direction.
func verdictOf(metric string, c trend.Change) string {
	m, _ := assay.Describe(metric)
	switch up := c.Shift.Value > 0; {
	case m.Better == assay.Higher && up, m.Better == assay.Lower && !up:
		return "better"
	case m.Better != assay.Neither:
		return "worse"
	case up:
		return "higher"
	}
	return "lower"
}

// words formats a change with its interval: a ratio in per cent, or a shift if
// there is no ratio and for temperatures, whose zero is arbitrary.
func (c trendChange) words(metric string) string {
	m, _ := assay.Describe(metric)
	if c.Ratio == nil || m.Unit == assay.Celsius {
		signed := func(v float64) string {
			if v > 0 {
				return "+" + report.Quantity(metric, v)
			}
			return report.Quantity(metric, v)
		}
		return fmt.Sprintf("%s [%s, %s]", signed(c.Shift.Value), signed(c.Shift.Low), signed(c.Shift.High))
	}
	percent := func(ratio float64) string {
		sign := ""
		if ratio >= 1 {
			sign = "+"
		}
		return sign + strconv.FormatFloat(100*(ratio-1), 'f', 1, 64)
	}
	return fmt.Sprintf("%s %% [%s, %s]", percent(c.Ratio.Value), percent(c.Ratio.Low), percent(c.Ratio.High))
}
