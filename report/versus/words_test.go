package versus

import (
	"slices"
	"strings"
	"testing"

	"assay/compare"
)

func TestWordsOfARow(t *testing.T) {
	cell := func(n int, of string, seconds float64) *compare.Cell {
		c := &compare.Cell{Median: 58900, Low: 58900, High: 58900, N: n, Unit: of, Seconds: seconds}
		if n >= 6 {
			c.Low, c.High, c.Level = 58311, 59489, .96
		}
		return c
	}
	row := compare.Row{Title: "4 KiB random read", Metric: "storage.read.iops"}
	for got, want := range map[string]string{
		Title(row): "4 KiB random read",
		Title(compare.Row{Title: "1 MiB sequential read", Metric: "storage.read.latency.p99_9"}):      "1 MiB sequential read, latency p99.9",
		Title(compare.Row{Title: "TCP", Metric: "net.tcp.throughput", Direction: "reverse"}):          "TCP, throughput, back",
		Title(compare.Row{Title: "read", Metric: "storage.read.iops", Subject: "pve1/directory//a"}):  "read on pve1/directory//a",
		Title(compare.Row{Title: "a: read", Metric: "storage.read.iops", Subject: "a/b", Told: true}): "a: read",
		Median(row, cell(8, "repeats", 5), true):                                                      "58.9k IOPS ± 1.0 % n=8 × 5 s",
		Median(row, cell(2, "repeats", 5.04), false):                                                  "58.9k IOPS ± ?",
		RestsOn(cell(7, "runs", 5)):             "n=7 runs",
		RestsOn(cell(7, "repeats", 0)):          "n=7",
		RestsOn(cell(7, "repeats", 12.6)):       "n=7 × 13 s",
		Ratio(row, nil):                         "",
		Ratio(row, &compare.Against{}):          "no values",
		Ratio(row, &compare.Against{Ratio: .8}): "0.800 [?]",
		Ratio(row, &compare.Against{Ratio: 12.34, Low: 9.99, High: 1500, Level: .95}):                        "12.3 [9.990–1.5e+03]",
		Ratio(row, &compare.Against{Difference: &compare.Interval{Center: 3, Low: -1, High: 5, Level: .95}}): "+3.00 IOPS [-1.00 IOPS, 5.00 IOPS]",
		P(&compare.Against{Holm: .0009}): "<0.001",
		P(&compare.Against{Holm: .0314}): "=0.031",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWordsOfAVerdict(t *testing.T) {
	for _, test := range []struct {
		a    *compare.Against
		want string
	}{
		{nil, ""},
		{&compare.Against{Verdict: compare.Slower, Holm: .004}, "slower, p=0.004"},
		{&compare.Against{Verdict: compare.Faster, Holm: 1e-5, Likely: true}, "very likely faster, p<0.001"},
		{&compare.Against{Verdict: compare.Equivalent, Holm: .9}, "equivalent"},
		{&compare.Against{Verdict: compare.Undetermined, More: 4, Why: "few"}, "undetermined: about 4 more repeats each"},
		{&compare.Against{Verdict: compare.Undetermined, More: 1}, "undetermined: about 1 more repeat each"},
		{&compare.Against{Verdict: compare.Undetermined, Why: "few"}, "undetermined: few"},
		{&compare.Against{Verdict: compare.Undetermined}, "undetermined"},
	} {
		if got := Verdict(&compare.Cell{Unit: "repeats", Against: test.a}); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestTheTallyTellsTheWorstFirst(t *testing.T) {
	var c compare.Comparison
	for _, v := range []compare.Verdict{compare.Equivalent, compare.Faster, compare.Slower, compare.Faster} {
		c.Rows = append(c.Rows, compare.Row{Cells: []*compare.Cell{{N: 6}, {N: 6, Against: &compare.Against{Verdict: v}}, nil}})
	}
	if got := Counts(c); got != "1 slower, 2 faster, 1 equivalent" {
		t.Error(got)
	}
	if basis := Basis(c, "n=6"); !strings.HasPrefix(basis, "Medians of n=6;") || !strings.Contains(basis, "within ± 3 %") {
		t.Error(basis)
	}
}

func TestWordsOfAColumn(t *testing.T) {
	for _, test := range []struct {
		head                   compare.Head
		runs, selection, hosts string
	}{
		{compare.Head{Name: "run=a", Runs: []string{"a"}, Hosts: []string{"pve1"}}, "a", "", "pve1"},
		{compare.Head{Name: "run=a case=x", Runs: []string{"a"}}, "a", "case=x", "an unnamed host"},
		{compare.Head{Name: "host=p*", Runs: []string{"a", "b", "c"}, Hosts: []string{"1", "2", "3", "4", "5"}}, "3 runs, a to c", "host=p*", "1, 2, 3 and 2 more"},
	} {
		if r, s, h := Runs(test.head), Selection(test.head), Hosts(test.head); r != test.runs || s != test.selection || h != test.hosts {
			t.Errorf("%q, %q, %q", r, s, h)
		}
	}
	if a, z, aa := Letter(0), Letter(25), Letter(26); a+z+aa != "AZAA" {
		t.Errorf("%s %s %s", a, z, aa)
	}
}

func TestDifferencesOfSeveralRowsAreToldOnce(t *testing.T) {
	kernel := compare.Difference{Name: "kernel", Values: []string{"6.8", "6.11"}}
	size := compare.Difference{Name: "size", Values: []string{"1073741824", ""}}
	rows := []compare.Row{{Title: "a", Facts: []compare.Difference{kernel, size}}, {Title: "b", Facts: []compare.Difference{kernel}}}
	var got []string
	for _, d := range Differences(rows, Facts) {
		in := strings.Join(d.In, "+")
		if d.All {
			in = "all"
		}
		got = append(got, Difference(d.Difference)+" in "+in)
	}
	if want := []string{"kernel: 6.8 | 6.11 in all", "size: 1.00 GiB | not said in a"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestLoneFiguresOfOneTrialAreTogether(t *testing.T) {
	long := strings.Repeat("x", 200)
	got := Lone(compare.Comparison{Lone: []compare.Lone{
		{Column: 0, Trial: "t", Metric: "a", Why: "w"}, {Column: 1, Trial: "t", Metric: "b", Why: "w"}, {Column: 1, Trial: "u", Why: long},
	}})
	if len(got) != 2 || got[0].What != "t, 2 figures" || !slices.Equal(got[0].Columns, []string{"A", "B"}) || len([]rune(got[1].Why)) != MostWhy {
		t.Errorf("%+v", got)
	}
}
