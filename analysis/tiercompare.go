package analysis

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/compare"
	"assay/stats"
)

// loadLabels are the labels that describe the load, each with the setting to use
// if the label is missing. All other differences (the engine, the kernel, the
// drive) belong to the thing being measured.
var loadLabels = []struct{ label, setting string }{
	{"pattern", "rw"}, {"bs", "bs"}, {"direct", "direct"}, {"sync", "sync"}, {"fsync", "fsync"}, {"fdatasync", "fdatasync"},
	{"rate", "rate"}, {"rate_iops", "rate_iops"}, {"thinktime", "thinktime"}, {"source", "source"}, {"cache", "cache"},
	{"iodepth", "iodepth"}, {"jobs", "numjobs"}, {"object_size", "size"}, {"part_size", "part_size"}, {"mix", "mix"},
	{"read", "read"}, {"concurrency", "concurrency"}, {"threads", "threads"}, {"payload", "payload"},
}

// happenedTo returns the load behind a figure: as it ran, else as requested.
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

// inFlight returns the number of operations in flight; 0 if unknown.
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

// requestSize returns how many bytes one operation moves; 0 if unknown.
func requestSize(r assay.Result, metric string) int64 {
	load := happenedTo(r, metric)
	for _, name := range []string{"bs", "object_size"} {
		if n, ok := assay.ParseSize(load[name]); ok {
			return n
		}
	}
	return 0
}

// sizeClass is the greatest ratio between two test file sizes of one class: how
// much of a file a cache holds, and how much of a drive's map it needs, changes
// little within a doubling.
const sizeClass = 2

// unlike returns how the loads of two figures differ; nil if they can be compared.
// The same number in flight is the same however it splits into depth and jobs.
func unlike(base, other assay.Result, metric string) []compare.Difference {
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
	var all []compare.Difference
	for _, row := range c.Refused {
		all = append(all, row.Settings...)
	}
	return all
}

// likeColumn turns one figure of a result into a comparison column, whatever it
// was measured on.
func likeColumn(r assay.Result, metric string, load map[string]string) compare.Column {
	one := oneFigure("like", metric, r.Values(metric), load)
	// Use the requested length: a slow device takes longer for its last requests.
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

// oneFigure returns a result with that figure and nothing else.
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

// refuse marks the figures of a table whose load differs from the base's, and
// lists each case once.
func (b *builder) refuse(t *TierTable, cases []tierCase) {
	base := slices.Index(t.Columns, t.Base)
	if base < 0 {
		return
	}
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
			if cell.Unlike = unlike(*cases[at].results[base], *r, row.Metric); cell.Unlike == nil {
				continue
			}
			k := slices.IndexFunc(t.Refused, func(x Refusal) bool {
				return x.Column == t.Columns[j] && reflect.DeepEqual(x.Unlike, cell.Unlike)
			})
			if k < 0 {
				t.Refused, k = append(t.Refused, Refusal{Column: t.Columns[j], Unlike: cell.Unlike}), len(t.Refused)
			}
			if !slices.Contains(t.Refused[k].Titles, row.Title) {
				t.Refused[k].Titles = append(t.Refused[k].Titles, row.Title)
			}
		}
	}
}

// compareTiers compares every figure of a table with its base's. Each row is a
// question of its own whose p values are corrected together: corrected over a
// large table, six repeats could never yield a verdict. Rejected and refused
// figures are not compared.
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

func (c TierCell) comparable() bool { return c.Figure != nil && !c.Figure.Rejected && c.Unlike == nil }

// middle returns the median of a metric over the counted repeats; 0 if there are
// none.
func middle(r assay.Result, metric string) float64 {
	values := r.Values(metric)
	if len(values) == 0 {
		return 0
	}
	return stats.Median(values)
}
