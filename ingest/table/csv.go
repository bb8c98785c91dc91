package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/internal/nearest"
)

// columns are the columns of a CSV file that are not settings.
var columns = []string{"host", "subject", "metric", "value", "unit", "compare"}

// readCSV reads one figure per line, under a header that names the columns.
// Lines that agree in all but metric, value and unit form one test; a metric
// that recurs in it is another repeat.
func readCSV(name string, text []byte) (Table, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.Comment = separator(text), '#'
	r.TrimLeadingSpace = r.Comma != '\t' // a leading tab is an empty field
	r.FieldsPerRecord = -1
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return Table{}, fmt.Errorf("%s: %w", name, assay.ErrNoOutput)
	}
	if err != nil {
		return Table{}, fmt.Errorf("%s: %w", name, err)
	}
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
		line, column := r.FieldPos(i)
		switch {
		case slices.Contains(header[:i], header[i]):
			return Table{}, fault(name, line, column, "duplicate column %q", header[i])
		case !slices.Contains(columns, header[i]) && settings[header[i]] == "":
			return Table{}, fault(name, line, column, "unknown column %.40q%s", header[i], meant(nearestSetting(header[i], columns...)))
		}
	}
	for _, needed := range []string{"metric", "value"} {
		if !slices.Contains(header, needed) {
			line, _ := r.FieldPos(0)
			return Table{}, fault(name, line, 0, "no column %q in the header %.80q", needed, strings.Join(header, string(r.Comma)))
		}
	}
	var lines []row
	first, _ := r.FieldPos(0)
	printed := Printed{Line: first, Header: header}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Table{}, fmt.Errorf("%s: %w", name, err)
		}
		one, err := csvRow(name, header, record, r.FieldPos)
		if err != nil {
			return Table{}, err
		}
		lines = append(lines, one)
		printed.Rows = append(printed.Rows, PrintedRow{one.line, record})
	}
	if len(lines) == 0 {
		return Table{}, fmt.Errorf("%s: only a header: %w", name, assay.ErrNoOutput)
	}
	t := Table{Results: gather(lines)}
	printed.placeLines(slices.Index(header, "value"), t.Results)
	t.Printed = []Printed{printed}
	return t, nil
}

// separator returns the field separator of the header.
func separator(text []byte) rune {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		best, most := ',', 0
		for _, c := range ",;\t" {
			if n := bytes.Count(line, []byte(string(c))); n > most {
				best, most = c, n
			}
		}
		return best
	}
	return ','
}

func csvRow(name string, header, record []string, at func(int) (line, column int)) (row, error) {
	line, _ := at(0)
	if len(record) != len(header) {
		return row{}, fault(name, line, 0, "%d fields under a header of %d", len(record), len(header))
	}
	cells := map[string]string{}
	position := map[string]int{}
	labels := map[string]string{}
	for i, cell := range record {
		cells[header[i]], position[header[i]] = strings.TrimSpace(cell), i
		if settings[header[i]] != "" && strings.TrimSpace(cell) != "" {
			labels[header[i]] = strings.TrimSpace(cell)
		}
	}
	column := func(of string) int { _, c := at(position[of]); return c }
	metric, ok := assay.Describe(cells["metric"])
	if !ok {
		return row{}, fault(name, line, column("metric"), "unknown metric %.60q%s", cells["metric"], meant(nearestMetric(cells["metric"])))
	}
	v, err := value(cells["value"], cells["unit"], metric)
	if err != nil {
		of := "value"
		if strings.Contains(err.Error(), "unit") {
			of = "unit"
		}
		if _, there := position[of]; !there {
			of = "value"
		}
		return row{}, fault(name, line, column(of), "%s", unitless(err, metric))
	}
	return row{
		line: line, host: cells["host"], subject: cells["subject"], compare: cells["compare"], labels: labels,
		figures: []figure{{line: line, metric: metric.Name, value: v}},
	}, nil
}

// gather joins the lines of one test. A metric that recurs is another repeat.
func gather(lines []row) []assay.Result {
	type test struct{ key, op string }
	var order []test
	rounds := map[test][]row{}
	seen := map[test]map[string]int{} // occurrences of each metric
	for _, l := range lines {
		key := fmt.Sprintf("%q %q %q %q", l.host, l.subject, l.compare, slices.Sorted(pairs(l.labels)))
		of := test{key, operation(l.figures[0].metric)}
		if l.mixed() {
			of.op = "mixed"
		}
		if rounds[of] == nil {
			order, seen[of] = append(order, of), map[string]int{}
		}
		metric := l.figures[0].metric
		if round := seen[of][metric]; round < len(rounds[of]) {
			rounds[of][round].figures = append(rounds[of][round].figures, l.figures...)
		} else {
			rounds[of] = append(rounds[of], l)
		}
		seen[of][metric]++
	}
	var firsts []row
	for _, of := range order {
		firsts = append(firsts, rounds[of][0])
	}
	all, _ := results(firsts, nil)
	for i, of := range order {
		for n, again := range rounds[of][1:] {
			all[i].Repeats = append(all[i].Repeats, assay.Repeat{N: n + 2, Outcome: assay.Done, Measurements: again.measurements()})
		}
	}
	return all
}

func pairs(labels map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k, v := range maps.All(labels) {
			if !yield(k + "=" + v) {
				return
			}
		}
	}
}

// unitless lists the accepted units for errNoUnit.
func unitless(err error, of assay.Metric) string {
	if errors.Is(err, errNoUnit) {
		return fmt.Sprintf("%s has no unit: use one of %s", of.Name, strings.Join(common[of.Unit], ", "))
	}
	return err.Error()
}

func meant(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", name)
}

func nearestMetric(word string) string {
	var all []string
	for _, m := range assay.Metrics {
		all = append(all, m.Name)
	}
	return nearest.Name(word, all)
}
