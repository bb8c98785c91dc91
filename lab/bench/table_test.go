package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/stats"
)

func TestWriteTable(t *testing.T) {
	reads, err := compare("reads", "fio alone", assay.PerSecond,
		[]float64{990e2, 1010e2, 1000e2, 1005e2, 995e2, 1000e2}, []float64{1000e2, 1000e2, 1000e2, 1000e2, 1000e2, 1000e2}, likeTheBareTool)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := compare("reads of another", "fio alone", assay.PerSecond,
		[]float64{9, 9, 9, 9, 9, 9}, []float64{10, 10, 10, 10, 10, 10}, likeTheBareTool)
	if err != nil {
		t.Fatal(err)
	}
	start, err := compare("start", "true", assay.Seconds, []float64{.012, .012}, []float64{.001, .001}, fastStart)
	if err != nil {
		t.Fatal(err)
	}
	beside := row{what: "µ beside", unit: assay.Seconds, assay: []float64{.02}}
	memory := row{what: "memory", unit: assay.Bytes, assay: []float64{90e6, 160e6}, claim: smallMemory}
	absent := row{what: "facts", claim: fifthOfTheTime, missing: "a lab needs root"}
	var out bytes.Buffer
	if err := writeTable(&out, []row{reads, slow, start, beside, memory, absent}, []string{"a note"}); err != nil {
		t.Fatal(err)
	}
	const want = `what              assay         peer                ratio [interval]      turns  claim         ok
reads             100k /s       100k /s  fio alone  1.000 [0.990, 1.010]  6      within 1 %    ok
reads of another  9.00 /s       10.0 /s  fio alone  0.900 [0.900, 0.900]  6      within 1 %    not ok
start             12.0 ms       1.00 ms  true       12                    2      limit 50 ms   open
µ beside          20.0 ms       -                   -                     1      -             -
memory            125 MB        -                   -                     2      limit 150 MB  not ok
facts             not measured  -                   -                     0      at most 1/5   -

medians of the turns; intervals of the median at 95 % or more
reads of another: claimed is within 1 %, and the whole interval, -10.0 % to -10.0 %, lies outside
start: 2 turns give no interval, 6 are the least
memory: claimed is limit 150 MB, of every value; they reach from 90.0 MB to 160 MB
facts: not measured: a lab needs root
a note
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestRatioInWords(t *testing.T) {
	for want, v := range map[string]float64{"1.002": 1.0021, "0.994": .9944, "0.0107": .0107, "0.491": .4912, "36": 36.2, "9.500": 9.5} {
		if got := ratioInWords(stats.Summarise([]float64{v})); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
	if got := ratioInWords(stats.Summary{}); got != "-" {
		t.Errorf("no ratio is %q", got)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 12_240_000: "12,240,000", 5_000_007: "5,000,007"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestAFailureInShort(t *testing.T) {
	long := strings.Repeat("x", 300)
	for failure, want := range map[string]string{
		"/opt/assay run -i c.yaml: exit status 1: no disk\n{\"event\":\"over\"}": "exit status 1: no disk",
		"context deadline exceeded": "context deadline exceeded",
		"a: exit status 2: " + long: "exit status 2: " + long[:105],
		"":                          "",
	} {
		if got := inShort(failure); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
