package report

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/internal/quantity"
)

// Reading is a report on figures that other people measured: each output with
// its figures and, under them, the audit's findings.
type Reading struct {
	Summary string          `json:"summary"`
	Outputs []Output        `json:"outputs"`
	Across  []assay.Finding `json:"across"` // about several outputs, or about none alone
	Known   []FactGroup     `json:"known"`  // what was known of the machines
	Open    []Wanted        `json:"open"`
	Unread  []Unread        `json:"unread"`
	Tables  []PrintedTable  `json:"tables"` // as they were published
	Texts   []Text          `json:"-"`      // the texts themselves, where they are to be shown
}

// PrintedTable is a table as published.
type PrintedTable struct {
	File    string        `json:"file"`
	Line    int           `json:"line"` // of the header
	Caption string        `json:"caption,omitempty"`
	Header  []string      `json:"header"`
	Rows    [][]string    `json:"rows"`
	Cells   []PrintedCell `json:"cells"` // those from which a figure was read
}

// PrintedCell says whose figure a cell holds.
type PrintedCell struct {
	Row    int    `json:"row"`
	Column int    `json:"column"`
	Output string `json:"output"` // its ID
	Metric string `json:"metric"`
}

// Text is a text as it was read, and the number of its lines that are not kept.
type Text struct {
	File  string
	Lines []string
	More  int
}

// Output is one output of one tool.
type Output struct {
	ID       string          `json:"id"`
	Tool     string          `json:"tool"`
	From     string          `json:"from"` // file:line
	Title    string          `json:"title"`
	Host     string          `json:"host,omitempty"`
	Settings string          `json:"settings,omitempty"`
	Figures  []Reported      `json:"figures"`
	Findings []assay.Finding `json:"findings"`

	lines map[string]int // of each metric, including those not shown
}

// Reported is one figure as somebody printed it.
type Reported struct {
	Metric string     `json:"metric"`
	Group  string     `json:"group"` // read, write, tcp: figures that belong on one line
	Name   string     `json:"name"`  // short: p99
	Value  float64    `json:"value"`
	Unit   assay.Unit `json:"unit"`
	Text   string     `json:"text"` // with its unit
	Line   int        `json:"line"`
	// Rejected reports whether a finding of severity E is about it.
	Rejected bool `json:"rejected,omitempty"`
}

// Wanted is a fact that would decide rules that could not be checked.
type Wanted struct {
	Fact    string   `json:"fact"`
	Hint    string   `json:"hint,omitempty"`  // what would tell it
	Given   bool     `json:"given,omitempty"` // Hint is a flag of assay's
	Rules   []string `json:"rules"`
	Outputs int      `json:"outputs"` // how many they are about
}

// Unread is a place that could not be read.
type Unread struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Why  string `json:"why"`
	Hint string `json:"hint,omitempty"`
}

// Read is what was read from other people's texts, and the audit's findings on
// it.
type Read struct {
	Results  []assay.Result // in their order
	Findings []assay.Finding
	Unread   []Unread
	Known    map[string]assay.Facts // that the rules were told, by host; "" for all
	Tables   []PrintedTable
	Texts    []Text
}

// BuildReading returns the report on what was read.
func BuildReading(in Read) Reading {
	r := Reading{Unread: in.Unread, Tables: in.Tables, Texts: in.Texts}
	for _, host := range slices.Sorted(maps.Keys(in.Known)) {
		for _, g := range factGroups(in.Known[host]) {
			if host != "" && g.Title != host {
				g.Title = host + ": " + g.Title
			}
			r.Known = append(r.Known, g)
		}
	}
	at := map[string]int{}
	for _, res := range in.Results {
		at[res.Trial.ID] = len(r.Outputs)
		r.Outputs = append(r.Outputs, outputOf(res))
	}
	for _, f := range in.Findings {
		i, known := at[f.Subject]
		switch {
		case f.Severity == assay.NotChecked:
			r.want(f)
		case known:
			r.Outputs[i].say(f)
		default:
			r.Across = append(r.Across, f)
		}
	}
	order.Stable(r.Open, func(a, b Wanted) int {
		return cmp.Or(cmp.Compare(b.Outputs, a.Outputs), strings.Compare(a.Fact, b.Fact))
	})
	r.Summary = r.summary()
	return r
}

func (o *Output) say(f assay.Finding) {
	o.Findings = append(o.Findings, f)
	if f.Severity != assay.Rejects {
		return
	}
	for i := range o.Figures {
		if len(f.Metrics) == 0 || slices.Contains(f.Metrics, o.Figures[i].Metric) {
			o.Figures[i].Rejected = true
		}
	}
}

// want adds what a rule lacked to the list of wanted facts.
func (r *Reading) want(f assay.Finding) {
	i := slices.IndexFunc(r.Open, func(w Wanted) bool { return w.Fact == f.Missing && w.Hint == f.Advice })
	if i < 0 {
		r.Open = append(r.Open, Wanted{Fact: f.Missing, Hint: f.Advice, Given: strings.Contains(f.Advice, "--fact ")})
		i = len(r.Open) - 1
	}
	w := &r.Open[i]
	w.Outputs++
	if !slices.Contains(w.Rules, f.Rule) {
		w.Rules = append(w.Rules, f.Rule)
	}
}

func (r Reading) summary() string {
	figures, rejected, warned := 0, 0, 0
	for _, o := range r.Outputs {
		figures += len(o.Figures)
		worst := o.Worst()
		switch worst {
		case assay.Rejects:
			rejected++
		case assay.Warns:
			warned++
		}
	}
	switch {
	case len(r.Outputs) == 0 && len(r.Known) > 0:
		return "No figures found, only hardware facts."
	case len(r.Outputs) == 0:
		return "No figures found."
	}
	text, noun := fmt.Sprintf("%s in %s. ", countOf(figures, "figure"), countOf(len(r.Outputs), "output")), "output"
	if n := len(r.Tables); n > 0 {
		noun = "result"
		text = fmt.Sprintf("%s of %s in ", countOf(figures, "figure"), countOf(len(r.Outputs), noun))
		if apart := len(r.Outputs) - len(r.tabled()); apart > 0 {
			text += countOf(apart, "output") + " and "
		}
		text += countOf(n, "table") + ". "
	}
	across, warnedAcross := 0, 0
	for _, f := range r.Across {
		switch f.Severity {
		case assay.Rejects:
			across++
		case assay.Warns:
			warnedAcross++
		}
	}
	switch {
	case rejected == 0 && warned == 0 && across == 0 && warnedAcross == 0:
		text += "Nothing contradicts the known hardware facts" + r.uncheckable() + "."
	case rejected == 0 && across == 0:
		var see []string
		if warned > 0 {
			see = append(see, "see the footnotes on "+countOf(warned, noun))
		}
		if warnedAcross > 0 {
			see = append(see, countOf(warnedAcross, "warning")+" across outputs")
		}
		text += "No physically impossible results; " + strings.Join(see, "; ") + "."
	default:
		text += fmt.Sprintf("Rejected: %s", countOf(rejected, noun))
		if across > 0 {
			text += " and " + countOf(across, "comparison")
		}
		if warned > 0 {
			text += fmt.Sprintf("; %d more with footnotes", warned)
		}
		text += "."
	}
	return text
}

// mostNamed is the most missing facts that the summary names.
const mostNamed = 3

// uncheckable says how much of a clean report is silence: the rules that lacked a
// fact, and the facts that would help most, starting with those that a person can
// give.
func (r Reading) uncheckable() string {
	rules := map[string]bool{}
	var given, others []string
	for _, w := range r.Open {
		for _, rule := range w.Rules {
			rules[rule] = true
		}
		if w.Given {
			given = append(given, w.Fact)
		} else {
			others = append(others, w.Fact)
		}
	}
	if len(rules) == 0 {
		return ""
	}
	facts := slices.Concat(given, others)
	text := "; " + countOf(len(rules), "rule") + " could not be checked without: " + strings.Join(facts[:min(len(facts), mostNamed)], ", ")
	if more := len(facts) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Worst returns the highest severity found, or "" if there is none.
func (o Output) Worst() assay.Severity {
	for _, s := range []assay.Severity{assay.Rejects, assay.Warns, assay.Informs} {
		if slices.ContainsFunc(o.Findings, func(f assay.Finding) bool { return f.Severity == s }) {
			return s
		}
	}
	return ""
}

func outputOf(res assay.Result) Output {
	o := Output{
		ID: res.Trial.ID, Tool: res.Trial.Probe, From: res.Trial.From, Title: res.Trial.Title, Host: res.Trial.Subject.Host,
		lines: map[string]int{},
	}
	for _, rep := range res.Repeats {
		for _, m := range rep.Measurements {
			if first, known := o.lines[m.Metric]; m.Line > 0 && (!known || m.Line < first) {
				o.lines[m.Metric] = m.Line
			}
			described, known := assay.Describe(m.Metric)
			if !known || described.Support || !telling(m.Metric) {
				continue
			}
			group, name := groupOf(m.Metric)
			if name == "temperature" && m.Labels["sensor"] != "" {
				name = m.Labels["sensor"]
			}
			o.Figures = append(o.Figures, Reported{
				Metric: m.Metric, Group: group, Name: name, Value: m.Value, Unit: m.Unit, Text: quantity.Of(m.Metric, m.Value), Line: m.Line,
			})
		}
		o.Settings = settingsOf(rep)
	}
	return o
}

// telling reports whether a figure is printed: of percentiles, only the few
// that people compare.
func telling(metric string) bool {
	p, is := assay.Percentile(metric)
	return !is || slices.Contains([]float64{50, 95, 99, 99.9, 99.99}, p)
}

// groupOf splits storage.read.latency.p99_9 into read and p99.9.
func groupOf(metric string) (group, name string) {
	words := strings.Split(metric, ".")
	group, rest := words[0], words[1:]
	switch group {
	case "storage", "net", "object", "pool", "memory":
		if len(rest) > 1 {
			group, rest = rest[0], rest[1:]
		}
	}
	if len(rest) > 1 && rest[0] == "latency" {
		rest = rest[1:]
	}
	name = strings.Join(rest, " ")
	name = strings.ReplaceAll(strings.ReplaceAll(name, "_", "."), "events.per.second", "")
	if !strings.HasPrefix(name, "p") || len(name) > 1 && (name[1] < '0' || name[1] > '9') {
		name = strings.ReplaceAll(name, ".", " ")
	}
	switch name {
	case "iops", "bandwidth", "throughput", "ops", "passed":
		name = "" // the unit says it
	}
	return group, strings.TrimSpace(name)
}

// settingsOf says in one line how something was measured, as far as the output
// or the command line shows it.
func settingsOf(rep assay.Repeat) string {
	var words []string
	seen := map[string]bool{}
	add := func(word string) {
		if word != "" && !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	said := map[string]string{} // the first of each label
	var last uintptr
	for i := range rep.Measurements {
		labels := rep.Measurements[i].Labels
		at := reflect.ValueOf(labels).Pointer()
		if at == last {
			continue // figures mostly share their labels
		}
		last = at
		for key, v := range labels {
			if said[key] == "" {
				said[key] = v
			}
		}
	}
	label := func(key string) string { return said[key] }
	with := func(key, format string) {
		if v := label(key); v != "" {
			add(fmt.Sprintf(format, sizeWord(key, v)))
		}
	}
	add(label("engine"))
	add(label("pattern"))
	with("bs", "%s blocks")
	with("object_size", "%s objects")
	if asked := label("requested_iodepth"); asked != "" {
		add("depth " + asked + " requested, " + label("iodepth") + " reached")
	} else {
		with("iodepth", "depth %s")
	}
	with("jobs", "%s jobs")
	with("threads", "%s threads")
	with("streams", "%s streams")
	with("concurrency", "concurrency %s")
	with("clients", "%s clients")
	with("block", "%s blocks")
	if label("direct") == "1" {
		add("direct")
	} else if label("direct") == "0" {
		add("buffered")
	}
	if s := label("sync"); s != "" && s != "0" {
		add("sync " + s)
	}
	with("cache", "cache %s")
	add(label("mix"))
	with("errors", "%s errors/s")
	if from, to := label("from"), label("to"); from != "" && to != "" {
		add(from + " → " + to)
	}
	add(label("direction"))
	add(label("model"))
	if v := label("version"); v != "" {
		add(strings.TrimSpace(label("tool") + " " + v))
	}
	if m := rep.Measurement("tool.duration"); m != nil {
		add("ran " + quantity.Duration(m.Value))
	}
	return singular.Replace(strings.Join(words, " · "))
}

var singular = strings.NewReplacer("1 jobs", "1 job", "1 threads", "1 thread", "1 streams", "1 stream", "1 clients", "1 client")

// sizeWord formats a setting for people if it is a number of bytes.
func sizeWord(key, value string) string {
	if !slices.Contains([]string{"bs", "block", "object_size"}, key) {
		return value
	}
	if n, err := strconv.ParseInt(value, 10, 64); err == nil && n > 0 {
		return quantity.Bytes(n)
	}
	return value
}

// Place returns a location: file:line, or the file alone.
func Place(file string, line int) string {
	if line <= 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}
