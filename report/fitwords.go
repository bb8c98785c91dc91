package report

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/analysis"
	"assay/analysis/fitness"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/report/block"
)

// Fit is what one storage is good for.
type Fit struct {
	Name  string   `json:"name"`  // of the tier or directory; "" where each host has one storage
	Hosts []string `json:"hosts"` // whose storage it is; of several, the weakest decides
	Uses  []FitUse `json:"uses"`
}

// FitUse grades a storage for one use and says what decides that.
type FitUse struct {
	Use       string     `json:"use"`
	Grade     string     `json:"grade"`
	Host      string     `json:"host,omitempty"` // the one that decides, where there are several
	Measure   string     `json:"measure"`
	Unit      assay.Unit `json:"unit"`
	Value     float64    `json:"value"` // with its interval; all 0 where it was not measured
	Low       float64    `json:"low"`
	High      float64    `json:"high"`
	Scattered bool       `json:"scattered,omitempty"` // rejected for its scatter: low and high are the lowest and highest repeat
	Least     float64    `json:"least,omitempty"`     // what is wanted; one of the two
	Most      float64    `json:"most,omitempty"`
	Heavy     bool       `json:"heavy,omitempty"` // only heavy use wants it

	Source fitness.Source `json:"source"`
}

// measure describes a threshold: the metric it is formatted as, and the verb that
// goes with it.
type measure struct{ metric, name, verb, tail, short string }

var measures = map[fitness.Measure]measure{
	fitness.SyncWriteP99:    {"storage.write.latency.p99", "synchronous writes", "take", " (p99)", "sync p99"},
	fitness.SyncWrites:      {"storage.write.iops", "synchronous writes", "reach", "", "sync writes"},
	fitness.RandomReads:     {"storage.read.iops", "random reads", "reach", "", "random reads"},
	fitness.RandomWrites:    {"storage.write.iops", "random writes", "reach", "", "random writes"},
	fitness.SequentialRead:  {"storage.read.bandwidth", "sequential reads", "reach", "", "reads"},
	fitness.SequentialWrite: {"storage.write.bandwidth", "sequential writes", "reach", "", "writes"},
	fitness.LogFlushP99:     {"storage.sync.latency.p99", "fdatasync", "takes", " (p99)", "fdatasync p99"},
	fitness.LogCommits:      {"storage.write.iops", "commits", "reach", "", "commits"},
	fitness.GetLatency:      {"object.get.latency.p50", "GETs of small objects", "take", " (median)", "GET"},
	fitness.PutThroughput:   {"object.put.throughput", "PUTs of large objects", "reach", "", "PUT"},
}

func fitsOf(all []analysis.Fit) []Fit {
	var out []Fit
	for _, f := range all {
		one := Fit{Name: f.Name, Hosts: f.Hosts}
		for _, u := range f.Uses {
			m, _ := assay.Describe(measures[u.By.Measure].metric)
			one.Uses = append(one.Uses, FitUse{
				Use: string(u.Use), Grade: string(u.Grade), Host: u.Host, Measure: string(u.By.Measure), Unit: m.Unit,
				Value: u.Reading.Value, Low: u.Reading.Low, High: u.Reading.High, Scattered: u.Reading.Scattered,
				Least: u.By.Least, Most: u.By.Most, Heavy: u.By.Heavy, Source: u.By.Source,
			})
		}
		out = append(out, one)
	}
	return out
}

// fitWords says in one sentence what storage is good for, what not, and why.
func fitWords(g analysis.Fits) string {
	var clauses []string
	add := func(format string, grade fitness.Grade, why bool) {
		uses := g[0].Graded(grade)
		if len(uses) == 0 {
			return
		}
		list := prose.And
		if grade == fitness.Unfit {
			list = prose.Or // none of them
		}
		clause := fmt.Sprintf(format, list(useNames(uses)))
		if why {
			clause += ": " + whyWords(worstOf(g, uses[0].Use))
		}
		clauses = append(clauses, clause)
	}
	switch good := g[0].Graded(fitness.Good); {
	case len(good) == 1 && len(g[0].Graded(fitness.Unfit)) == len(g[0].Uses)-1 && len(g[0].Uses) > 2:
		clauses = append(clauses, string(good[0].Use)+" at most")
	default:
		add("good for %s", fitness.Good, false)
	}
	if slices.ContainsFunc(g[0].Graded(fitness.Good), func(u analysis.FitUse) bool { return u.Reading.Scattered }) {
		clauses[len(clauses)-1] += ", even in the slowest repeat"
	}
	add("for %s under light load only", fitness.Light, false)
	add("not for %s", fitness.Unfit, true)
	add("borderline for %s", fitness.Borderline, true)
	add("not measured: %s", fitness.NotMeasured, false)
	return fitNames(g) + ": " + strings.Join(clauses, "; ") + "."
}

// fitNames names the storage.
func fitNames(g analysis.Fits) string {
	if g[0].Name == "" {
		return "Storage" + onHosts(g[0])
	}
	var names []string
	for i, f := range g {
		if i+1 < len(g) && onHosts(f) == onHosts(g[i+1]) {
			names = append(names, f.Name)
		} else {
			names = append(names, f.Name+onHosts(f))
		}
	}
	return prose.And(names)
}

// onHosts says on which of several hosts a storage is.
func onHosts(f analysis.Fit) string {
	switch {
	case f.Others:
		return " on " + prose.Few(f.Hosts)
	case len(f.Hosts) > 1:
		return " on all hosts"
	}
	return ""
}

func useNames(uses []analysis.FitUse) (names []string) {
	for _, u := range uses {
		names = append(names, string(u.Use))
	}
	return names
}

// worstOf returns the worst result for a use among storages that serve it
// alike.
func worstOf(g analysis.Fits, use fitness.Use) analysis.FitUse {
	var worst *analysis.FitUse
	for _, f := range g {
		for _, u := range f.Uses {
			if u.Use == use && (worst == nil || u.Spare() < worst.Spare()) {
				worst = &u
			}
		}
	}
	return *worst
}

// whyWords sets the deciding figure against the requirement: "synchronous writes take
// 90.0 ms (p99), etcd wants at most 10 ms (etcd FAQ)".
func whyWords(u analysis.FitUse) string {
	on := ""
	if u.Host != "" {
		on = u.Host + "'s "
	}
	want := "want"
	if u.Use == fitness.Etcd {
		want += "s"
	}
	return fmt.Sprintf("%s%s, %s %s at %s %s (%s)", on, readingWords(u), u.Use, want, least(u.By.Least > 0), boundOf(u.By.Measure, u.By.Least+u.By.Most), u.By.Source.Name)
}

func least(is bool) string {
	if is {
		return "least"
	}
	return "most"
}

func readingWords(u analysis.FitUse) string {
	m := measures[u.By.Measure]
	return fmt.Sprintf("%s %s %s%s", m.name, m.verb, measured(m.metric, u.Reading, u.Grade), m.tail)
}

// measured returns a figure with its interval if that decides, or the range of scattered
// repeats.
func measured(metric string, r fitness.Reading, g fitness.Grade) string {
	value, low, high := quantity.Of(metric, r.Value), quantity.Of(metric, r.Low), quantity.Of(metric, r.High)
	switch {
	case r.Scattered:
		return low + " to " + high
	case g == fitness.Borderline:
		return value + " [" + low + ", " + high + "]"
	}
	return value
}

// boundOf formats a threshold, which is a round number.
func boundOf(of fitness.Measure, v float64) string {
	switch m, _ := assay.Describe(measures[of].metric); m.Unit {
	case assay.Seconds:
		return fmt.Sprintf("%.4g ms", 1000*v)
	case assay.BytesPerSecond:
		return fmt.Sprintf("%.0f MB/s", v/1e6)
	}
	return quantity.Grouped(v) + " IOPS"
}

// kindsOfFit maps grades to the kinds that readers see.
var kindsOfFit = map[string]block.Kind{
	string(fitness.Good): block.Good, string(fitness.Light): block.Limit, string(fitness.Borderline): block.Doubt, string(fitness.Unfit): block.Bad,
}

// fitBlocks says what storage is good for, use by use, with the deciding thresholds
// and their sources.
func fitBlocks(fits []Fit) block.Blocks {
	if len(fits) == 0 {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "What it is good for"}}
	if len(fits) == 1 {
		return append(all, oneFit(fits[0]), thresholds(fits))
	}
	t := block.Table{Columns: []block.Column{{Heading: "use"}}, Wide: true}
	var uses []string
	for _, f := range fits {
		t.Columns = append(t.Columns, block.Column{Heading: f.Name})
		for _, u := range f.Uses {
			uses = appendNew(uses, u.Use)
		}
	}
	for _, use := range uses {
		row := block.Row{Cells: []block.Cell{{Text: use}}}
		for _, f := range fits {
			row.Cells = append(row.Cells, f.cell(use))
		}
		t.Rows = append(t.Rows, row)
	}
	return append(all, t, thresholds(fits))
}

func appendNew(all []string, one string) []string {
	for _, a := range all {
		if a == one {
			return all
		}
	}
	return append(all, one)
}

// oneFit has one row per use.
func oneFit(f Fit) block.Table {
	t := block.Table{Columns: []block.Column{{Heading: "use"}, {Heading: "fit"}, {Heading: "what decides"}, {Heading: "wanted"}, {Heading: "source", Minor: true}}}
	for _, u := range f.Uses {
		t.Rows = append(t.Rows, block.Row{Cells: []block.Cell{
			{Text: u.Use}, {Text: u.Grade, Is: kindsOfFit[u.Grade]}, {Text: u.found()}, {Text: u.wanted()}, {Text: u.Source.Name},
		}})
	}
	return t
}

// cell returns the grade of one of several storages for a use.
func (f Fit) cell(use string) block.Cell {
	for _, u := range f.Uses {
		if u.Use == use {
			c := block.Cell{Text: u.Grade, Is: kindsOfFit[u.Grade]}
			if m := measures[fitness.Measure(u.Measure)]; u.Grade != string(fitness.NotMeasured) {
				c.Under = []string{m.short + " " + u.measured()}
			}
			return c
		}
	}
	return block.Cell{}
}

func (u FitUse) measured() string {
	r := fitness.Reading{Value: u.Value, Low: u.Low, High: u.High, Scattered: u.Scattered}
	return measured(measures[fitness.Measure(u.Measure)].metric, r, fitness.Grade(u.Grade))
}

// found says what was measured, or what is missing.
func (u FitUse) found() string {
	m := measures[fitness.Measure(u.Measure)]
	if u.Grade == string(fitness.NotMeasured) {
		return "no figure of " + m.name
	}
	words := fmt.Sprintf("%s %s%s", m.name, u.measured(), m.tail)
	if u.Host != "" {
		words = u.Host + ": " + words
	}
	return words
}

func (u FitUse) wanted() string {
	words := fmt.Sprintf("%s at %s", boundOf(fitness.Measure(u.Measure), u.Least+u.Most), least(u.Least > 0))
	if u.Heavy {
		words += " under heavy load"
	}
	return words
}

// thresholds lists the deciding thresholds, each once.
func thresholds(fits []Fit) block.Block {
	var rows [][]string
	seen := map[string]bool{}
	for _, f := range fits {
		for _, u := range f.Uses {
			row := []string{u.Use, measures[fitness.Measure(u.Measure)].name, u.wanted(), strings.TrimSpace(u.Source.Name + " " + u.Source.URL)}
			if key := strings.Join(row, "\n"); !seen[key] {
				seen[key] = true
				rows = append(rows, row)
			}
		}
	}
	summary := "The thresholds and their sources"
	return block.Details{Summary: summary, Brief: summary + ": --format markdown", Blocks: block.Blocks{block.Texts([]string{"use", "of", "wanted", "source"}, rows)}}
}
