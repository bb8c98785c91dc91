package probetest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"assay"
)

// TestReader checks what every reader of other people's output must satisfy.
func TestReader(t *testing.T, m assay.Measurer) {
	t.Helper()
	f := m.Format()
	if f.Begins == nil && f.Accepts == nil {
		t.Error("nothing is recognised")
	}
	for _, line := range []string{
		"", " ", "}", "# Results", "The disk is fast: 500 MB/s, and that is that.", "total 48", "-rw-r--r-- 1 root root 0 Nov 1 12:00 fio",
		"| host | IOPS |", "Nov 14 20:20:26 host kernel: nvme nvme0: I/O 128 QID 2 timeout", "https://example.org/fio?bw=1",
	} {
		if f.Begins != nil && f.Begins(line) {
			t.Errorf("%q is taken for the beginning of an output", line)
		}
	}
	for _, keys := range [][]string{nil, {"name", "version"}, {"apiVersion", "kind", "metadata"}, {"a"}} {
		if f.Accepts != nil && f.Accepts(keys) {
			t.Errorf("JSON with the keys %q is accepted", keys)
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "text": "what?\n", "binary": "\x00\xff\x01{\"", "half JSON": `{"jobs":[{"read":{"iops":`,
		"empty JSON": "{}", "an array": "[]", "numbers": "NaN inf -1 1e999\n",
	} {
		tr := assay.Transcript{Probe: f.Tool, Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: []byte(text)}}}}
		if all, err := m.Parse(tr); err == nil {
			t.Errorf("%s gives %d measurements and no error", name, len(all))
		}
	}
	if _, err := m.Parse(assay.Transcript{}); err == nil {
		t.Error("an empty transcript gives no error")
	}
}

// CheckParsed checks a reader's result for a text against what every reader promises:
// figures that pass CheckFigures, or an error.
func CheckParsed(t *testing.T, all []assay.Measurement, err error, text string) {
	t.Helper()
	if (err == nil) == (len(all) == 0) {
		t.Fatalf("%d measurements and error %v", len(all), err)
	}
	CheckFigures(t, all, strings.Count(text, "\n")+1)
}

// CheckNoZero checks that no figure is zero, except those whose names have one of these
// endings.
func CheckNoZero(t *testing.T, all []assay.Measurement, ends ...string) {
	t.Helper()
	for _, m := range all {
		if m.Value == 0 && !slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(m.Metric, end) }) {
			t.Errorf("%s is a silent zero", m.Metric)
		}
	}
}

// CheckFigures checks what every reader promises for an output of that many
// lines: metrics from the vocabulary in their units, finite values, no
// impossible negative ones, no silent zero, and lines of the output.
func CheckFigures(t *testing.T, all []assay.Measurement, lines int) {
	t.Helper()
	for _, m := range all {
		described, known := assay.Describe(m.Metric)
		switch {
		case !known:
			t.Errorf("%s is no word of the vocabulary", m.Metric)
		case m.Unit != described.Unit:
			t.Errorf("%s is in %q, not %q", m.Metric, m.Unit, described.Unit)
		case !possible(m.Value, m.Unit), strings.HasSuffix(m.Metric, "throughput") && m.Value == 0:
			t.Errorf("%s is %v", m.Metric, m.Value)
		case m.Line < 1 || m.Line > lines:
			t.Errorf("%s stands on line %d of %d", m.Metric, m.Line, lines)
		}
		for _, s := range m.Samples {
			if !possible(s.Value, m.Unit) {
				t.Errorf("%s has a sample %v", m.Metric, s.Value)
			}
		}
	}
}

// possible reports whether a figure is possible: only temperatures can be
// negative.
func possible(v float64, u assay.Unit) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (v >= 0 || u == assay.Celsius)
}
