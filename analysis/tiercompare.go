package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/compare"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/stats"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// loadLabels are the labels that say what load it was, with the setting that
// says it where no label does. Whatever else differs (the engine, the kernel, the
// drive) is of the thing that is measured.
var loadLabels = []struct{ label, setting string }{
	{"pattern", "rw"}, {"bs", "bs"}, {"direct", "direct"}, {"sync", "sync"}, {"fsync", "fsync"}, {"fdatasync", "fdatasync"},
	{"rate", "rate"}, {"rate_iops", "rate_iops"}, {"thinktime", "thinktime"}, {"source", "source"}, {"cache", "cache"},
	{"iodepth", "iodepth"}, {"jobs", "numjobs"}, {"object_size", "size"}, {"part_size", "part_size"}, {"mix", "mix"},
	{"read", "read"}, {"concurrency", "concurrency"}, {"threads", "threads"}, {"payload", "payload"},
}

// happenedTo says what load a figure is of: as it happened, and else as it was
// asked for.
func happenedTo(r assay.Result, metric string) map[string]string {
	labels, all := labelsOf(r, metric), map[string]string{}
	objects := strings.HasPrefix(metric, "object.")
	for _, l := range loadLabels {
		if l.label == "object_size" && !objects {
			continue
		}
		value := labels[l.label]
		if l.label == "object_size" && value == "" {
			value = labels["size"]
		}
		if value == "" {
			value = r.Trial.Settings[l.setting]
		}
		if value != "" && value != "auto" {
			all[l.label] = value
		}
	}
	if !objects && r.Scratch.Bytes > 0 {
		all["size"] = strconv.FormatInt(r.Scratch.Bytes, 10)
	}
	return all
}

// inFlight is how many operations were under way at a time; 0 where that is not
// said.
func inFlight(load map[string]string) int {
	for _, name := range []string{"iodepth", "concurrency", "threads"} {
		if n, err := strconv.Atoi(load[name]); err == nil && n > 0 {
			if jobs, err := strconv.Atoi(load["jobs"]); err == nil && jobs > 0 {
				n *= jobs
			}
			return n
		}
	}
	return 0
}

// largeRequest is the size in B from which on throughput is what a request is
// about, and below which the number of them is.
const largeRequest = 64 << 10

// requestSize is how many bytes one operation moves; 0 where that is not said.
func requestSize(r assay.Result, metric string) int64 {
	load := happenedTo(r, metric)
	for _, name := range []string{"bs", "object_size"} {
		if n, ok := assay.ParseSize(load[name]); ok {
			return n
		}
	}
	return 0
}

// sizeClass is how far the sizes of two test files may be apart, as a ratio, and
// be of one class: what a cache holds of a file, and how much of a drive's map it
// needs, changes little within a doubling.
const sizeClass = 2

// unlike says what of the load of two figures is not the same: "depth 4 against
// 16"; "" where they can be compared. The same number in flight is the same
// however depth and jobs make it up.
func unlike(base, other assay.Result, metric string) string {
	was, is := happenedTo(base, metric), happenedTo(other, metric)
	if n := inFlight(was); n > 0 && n == inFlight(is) {
		for _, load := range []map[string]string{was, is} {
			for _, name := range []string{"iodepth", "jobs", "concurrency", "threads"} {
				delete(load, name)
			}
		}
	}
	x, okX := assay.ParseSize(was["size"])
	y, okY := assay.ParseSize(is["size"])
	if okX && okY && max(x, y) <= sizeClass*min(x, y) {
		is["size"] = was["size"]
	}
	c := compare.Compare([]compare.Column{likeColumn(base, metric, was), likeColumn(other, metric, is)}, compare.Options{})
	var words []string
	for _, row := range c.Refused {
		for _, d := range row.Settings {
			words = append(words, differenceInWords(d))
		}
	}
	return strings.Join(words, ", ")
}

// likeColumn is one figure of a result as a column of a comparison, whatever
// kind of thing it was measured on.
func likeColumn(r assay.Result, metric string, load map[string]string) compare.Column {
	one := oneFigure("like", metric, r.Values(metric), load)
	// What was asked of a repeat: a slow device takes longer for its last requests.
	one.Trial.Length = cmp.Or(r.Trial.Length, time.Duration(measured(r)*float64(time.Second)))
	return columnOf(one)
}

func columnOf(results ...assay.Result) compare.Column {
	c := compare.Column{Metric: func(string) bool { return true }}
	run := &assay.Run{}
	for i := range results {
		c.Picks = append(c.Picks, compare.Pick{Run: run, Result: &results[i]})
	}
	return c
}

// oneFigure is a result that has one figure and nothing else.
func oneFigure(name, metric string, values []float64, labels map[string]string) assay.Result {
	m, _ := assay.Describe(metric)
	r := assay.Result{Trial: assay.Trial{
		ID: name, Probe: "tier", Case: name,
		Subject: assay.Subject{ID: name, Kind: assay.KindDirectory, Name: name},
	}}
	for i, v := range values {
		r.Repeats = append(r.Repeats, assay.Repeat{N: i + 1, Outcome: assay.Done, Measurements: []assay.Measurement{
			{Metric: metric, Value: v, Unit: m.Unit, Labels: labels},
		}})
	}
	return r
}

// settingNames are the labels of a load for people, settingWords values that say
// more than their number.
var (
	settingNames = map[string]string{
		"iodepth": "depth", "bs": "blocks of", "size": "file of", "object_size": "objects of", "part_size": "parts of",
		"seconds": "repeats of", "rate_iops": "rate", "source": "data",
	}
	settingWords = map[string]string{
		"direct=0": "buffered", "direct=1": "direct", "sync=0": "no sync", "sync=1": "sync",
	}
)

// differenceInWords says a difference with the base's value last: "depth 4
// against 16".
func differenceInWords(d compare.Difference) string {
	name := d.Name
	if n := settingNames[name]; n != "" {
		name = n
	}
	value := func(v string) (words string, named bool) {
		if word := settingWords[d.Name+"="+v]; word != "" {
			return word, true
		}
		n, isSize := assay.ParseSize(v)
		switch {
		case v == "":
			return "not said", false
		case d.Name == "seconds":
			return v + " s", false
		case isSize && slices.Contains([]string{"bs", "size", "object_size", "part_size"}, d.Name):
			return quantity.Bytes(n), false
		}
		return v, false
	}
	was, named := value(d.Values[0])
	is, _ := value(d.Values[1])
	if named {
		return is + " against " + was
	}
	return fmt.Sprintf("%s %s against %s", name, is, was)
}

// refuse marks the figures of a table that were measured with another load than
// the base's, and says so once for each case.
func (b *builder) refuse(t *TierTable, cases []tierCase) {
	base := slices.Index(t.Columns, t.Base)
	if base < 0 {
		return
	}
	type refusal struct {
		column int
		why    string
		titles []string
	}
	var all []refusal
	for i := range t.Rows {
		row := &t.Rows[i]
		at := slices.IndexFunc(cases, func(c tierCase) bool {
			return c.results[base] != nil && c.results[base].Trial.ID == row.Cells[base].Trial
		})
		if at < 0 || row.Cells[base].Figure == nil {
			continue
		}
		for j := range row.Cells {
			cell, r := &row.Cells[j], cases[at].results[j]
			if j == base || cell.Figure == nil || r == nil {
				continue
			}
			if cell.Refused = unlike(*cases[at].results[base], *r, row.Metric); cell.Refused == "" {
				continue
			}
			k := slices.IndexFunc(all, func(x refusal) bool { return x.column == j && x.why == cell.Refused })
			if k < 0 {
				all, k = append(all, refusal{column: j, why: cell.Refused}), len(all)
			}
			if !slices.Contains(all[k].titles, row.Title) {
				all[k].titles = append(all[k].titles, row.Title)
			}
		}
	}
	for _, x := range all {
		t.Refused = append(t.Refused, fmt.Sprintf("%s: %s: not compared (%s)", t.Columns[x.column], x.why, prose.Enumerate(x.titles, 4)))
	}
}

// compareTiers compares every figure of a table with that of its base. Each row
// is a question of its own, and its p values are corrected together: with six
// repeats no verdict could be had on a figure that had to hold its own against
// every other of a large table. What is rejected or refused is compared with
// nothing.
func (t *TierTable) compareTiers() {
	base := slices.Index(t.Columns, t.Base)
	for i := range t.Rows {
		row := &t.Rows[i]
		if base < 0 || !row.Cells[base].comparable() {
			continue
		}
		columns := []compare.Column{columnOf(oneFigure("row", row.Metric, row.Cells[base].Figure.Repeats, nil))}
		var cells []*TierCell
		for j := range row.Cells {
			if c := &row.Cells[j]; j != base && c.comparable() {
				columns = append(columns, columnOf(oneFigure("row", row.Metric, c.Figure.Repeats, nil)))
				cells = append(cells, c)
			}
		}
		if len(cells) == 0 {
			continue
		}
		for _, r := range compare.Compare(columns, compare.Options{}).Rows {
			for j, c := range r.Cells[1:] {
				cells[j].Against = c.Against
			}
		}
	}
}

func (c TierCell) comparable() bool { return c.Figure != nil && !c.Figure.Rejected && c.Refused == "" }

// middle is the median of a metric over the counted repeats; 0 where there is none.
func middle(r assay.Result, metric string) float64 {
	values := r.Values(metric)
	if len(values) == 0 {
		return 0
	}
	return stats.Median(values)
}
