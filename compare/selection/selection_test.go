package selection

import (
	"errors"
	"strings"
	"testing"
	"time"

	"assay"
)

// known resolves the names used in the tests.
func known(name string) (string, error) {
	switch name {
	case "latest":
		return "20261122-030100-b", nil
	case "nowhere":
		return "", errors.New("no such run")
	}
	return name, nil
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  string // columns, separated by vs
	}{
		{[]string{"A", "B"}, "run=A vs run=B"},
		{[]string{"A", "B", "C"}, "run=A vs run=B vs run=C"},
		{[]string{"A", "vs", "latest"}, "run=A vs run=20261122-030100-b"},
		{[]string{"A vs B"}, "run=A vs run=B"},
		{[]string{"A", "B", "probe=fio"}, "run=A probe=fio vs run=B probe=fio"},
		{[]string{"host=pve1", "suite=baseline", "vs", "host=pve2"}, "host=pve1 suite=baseline vs host=pve2"},
		{[]string{"host=pve1 suite=baseline vs host=pve2 date<2026-11"}, "host=pve1 suite=baseline vs host=pve2 date<2026-11"},
		{[]string{"subject=/srv/my files", "vs", "subject=/tank"}, "subject=/srv/my files vs subject=/tank"},
		{[]string{"A host=pve1,pve2", "vs", "label.rack!=a*"}, "run=A host=pve1,pve2 vs label.rack!=a*"},
		{[]string{"date>=2026-11-01", "date<2026-12", "vs", "run=2026*"}, "date>=2026-11-01 date<2026-12 vs run=2026*"},
		{[]string{"setting.direct=1", "vs", "setting.cmd=a=b"}, "setting.direct=1 vs setting.cmd=a=b"},
	} {
		columns, err := Parse(test.words, known)
		if err != nil {
			t.Errorf("%q: %v", test.words, err)
			continue
		}
		if got := written(columns); got != test.want {
			t.Errorf("%q is %q, want %q", test.words, got, test.want)
		}
	}
}

func written(columns []Column) string {
	var texts []string
	for _, c := range columns {
		texts = append(texts, c.String())
	}
	return strings.Join(texts, " vs ")
}

func TestParseNamesWhatIsWrong(t *testing.T) {
	for _, test := range []struct{ words, err, hint string }{
		{"", "name two runs", "assay compare"},
		{"A", "name two runs", "assay compare"},
		{"host=pve1", "name two runs", "vs"},
		{"A B hots=pve1", `unknown key "hots"`, "did you mean host?"},
		{"suit=quick vs B", `unknown key "suit"`, "did you mean suite?"},
		{"colour=red vs B", `unknown key "colour"`, "the keys are: run, host"},
		{"host= vs B", "host=: a value is missing", "as in host=pve1"},
		{"host=a,,b vs B", "host=a,,b: a value is missing", "as in host=pve1"},
		{"label.=x vs B", "label.: the name after the dot is missing", "label.rack=a"},
		{"label.NAME=x", "name two runs", ""},
		{"suite>=quick vs B", "suite>=quick: suite supports only = and !=", "only date supports >="},
		{"date>=yesterday vs B", `date>=yesterday: "yesterday" is not a date`, "2026-11-01"},
		{"date=2026-13 vs B", `"2026-13" is not a date`, "2026-11"},
		{"date<2026-11,2026-12 vs B", "cannot be used with several dates", "single date"},
		{"A vs", "a selection is required on both sides", "vs"},
		{"vs B", "a selection is required on both sides", "vs"},
		{"A vs vs B", "a selection is required on both sides", "vs"},
		{"A nowhere", "no such run", ""},
	} {
		columns, err := Parse(strings.Fields(test.words), known)
		if err == nil {
			t.Errorf("%q was read as %q", test.words, written(columns))
			continue
		}
		if !strings.Contains(err.Error(), test.err) || !strings.Contains(assay.Hint(err), test.hint) {
			t.Errorf("%q: %q, hint %q; want %q, %q", test.words, err, assay.Hint(err), test.err, test.hint)
		}
	}
}

func TestResult(t *testing.T) {
	run := assay.Run{
		ID: "20261101-200500-a", Suite: "baseline", Started: time.Date(2026, 11, 1, 20, 5, 30, 0, time.UTC),
		Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "pve1", Labels: map[string]string{"rack": "a"}}, {Name: "pve2"}}},
	}
	result := assay.Result{
		Trial: assay.Trial{
			Probe: "fio", Case: "randread-4k", Settings: map[string]string{"iodepth": "16", "size": "1g"},
			Subject: assay.Subject{ID: "pve1/directory//srv", Host: "pve1", Name: "/srv"},
		},
		Repeats: []assay.Repeat{
			{N: 0, Outcome: assay.Done, Measurements: []assay.Measurement{{Labels: map[string]string{"iodepth": "99"}}}},
			{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Labels: map[string]string{"iodepth": "1", "direct": "1"}}}},
		},
	}
	head := Head{ID: run.ID, Suite: run.Suite, Hosts: []string{"pve1", "pve2"}, Started: run.Started}
	for words, want := range map[string]bool{
		"run=20261101-200500-a": true, "run=20261101*": true, "run=20261102*": false, "run!=20261101*": false,
		"suite=baseline": true, "suite=quick": false, "suite!=quick": true,
		"host=pve1": true, "host=pve2": false, "host=pve2,pve1": true, "host!=pve1,pve2": false, "host!=pve3": true,
		"probe=fio": true, "probe=dd": false,
		"case=randread-4k": true, "case=fio/randread-4k": true, "case=fio/rand*": true, "case=*read*": true, "case=*write*": false, "case=*-4k": true, "case=*-4": false,
		"subject=/srv": true, "subject=pve1/directory//srv": true, "subject=/sr": false,
		"label.rack=a": true, "label.rack=b": false, "label.rack!=b": true, "label.row=a": false, "label.row!=a": true,
		"setting.iodepth=1": true, "setting.iodepth=16": false, "setting.size=1g": true, "setting.direct!=1": false, "setting.nothing=1": false,
		"metric=storage.read.iops": true,
		"date=2026-11-01":          true, "date=2026-11": true, "date=2026-11-02": false, "date!=2026-11-01": false, "date!=2026-10": true,
		"date>=2026-11-01": true, "date>2026-11-01": false, "date>2026-10-31": true, "date<2026-11-01": false, "date<=2026-11-01": true, "date<2026-11-02": true,
		"date=2026-11-01T20:05": true, "date>2026-11-01T20:05": false, "date=2026-11-01T21:05:30+01:00": true,
		"date=2026-10,2026-11":       true,
		"host=pve1 suite=baseline":   true,
		"host=pve1 suite=quick":      false,
		"date>=2026-11 date<2026-12": true,
	} {
		columns, err := Parse(append(strings.Fields(words), "vs", "x"), nil)
		if err != nil {
			t.Errorf("%s: %v", words, err)
			continue
		}
		if got := columns[0].Result(run, result); got != want {
			t.Errorf("%s: %v, want %v", words, got, want)
		}
		if want && !columns[0].Run(head) {
			t.Errorf("%s: the run would not be loaded", words)
		}
	}
	// A measurement made to decide about a fault is compared only if named.
	result.Trial.Decides = "pve1"
	for words, want := range map[string]bool{"host=pve1": false, "host=pve1 case=randread-4k": true, "case!=randread-4k": false} {
		if columns, err := Parse(append(strings.Fields(words), "vs", "x"), nil); err != nil || columns[0].Result(run, result) != want {
			t.Errorf("%s of what decides: %v, want %v", words, !want, want)
		}
	}
}

func TestRunSparesWhatCannotMatch(t *testing.T) {
	head := Head{ID: "a", Suite: "quick", Hosts: []string{"pve1"}, Started: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
	for words, want := range map[string]bool{
		"run=b": false, "suite=baseline": false, "date<2026-11": false, "host=pve2": false, "host!=pve1": false,
		"case=x": true, "label.rack=a": true, "host=pve1,pve2": true,
	} {
		columns, err := Parse(append(strings.Fields(words), "vs", "x"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := columns[0].Run(head); got != want {
			t.Errorf("%s: %v, want %v", words, got, want)
		}
	}
}

func TestMetric(t *testing.T) {
	columns, err := Parse([]string{"metric=*.latency.p99,cpu.*", "vs", "x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := columns[0]
	if !c.AsksMetrics() || columns[1].AsksMetrics() {
		t.Error("who asks for metrics is not told")
	}
	for name, want := range map[string]bool{"storage.read.latency.p99": true, "storage.read.latency.p99_9": false, "cpu.scaling": true} {
		if c.Metric(name) != want {
			t.Errorf("%s: %v, want %v", name, !want, want)
		}
	}
}

// Parsing, writing and parsing again yields the same, and parsing never panics.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"A B", "A vs B", "host=pve1 suite=baseline vs host=pve2", "A B date>=2026-11 case=*", "subject=/a b vs x", "label.x!=y,z vs date<=2026-11-01T01:02",
		"=", "vs", "a=b=c vs !=", "host=\x00 vs ,", "  ", "run=a* vs b<c",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		columns, err := Parse([]string{text}, nil)
		if err != nil {
			return
		}
		if len(columns) < 2 {
			t.Fatalf("%q gave %d columns", text, len(columns))
		}
		once := written(columns)
		again, err := Parse([]string{once}, nil)
		if err != nil {
			t.Fatalf("%q was written as %q: %v", text, once, err)
		}
		if twice := written(again); twice != once {
			t.Fatalf("%q became %q", once, twice)
		}
	})
}

// A label is that of the run or of the host.
func TestLabelsOfRunsAndHosts(t *testing.T) {
	run := assay.Run{ID: "a", Labels: map[string]string{"job": "nightly", "rack": "b"}, Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "pve1", Labels: map[string]string{"rack": "a"}}}}}
	on := assay.Result{Trial: assay.Trial{Subject: assay.Subject{Host: "pve1"}}}
	for words, want := range map[string]bool{
		"label.job=nightly": true, "label.job=night*": true, "label.job=weekly": false, "label.job!=nightly": false, "label.job!=weekly": true,
		"label.rack=a": true, "label.rack=b": true, "label.rack=c": false, "label.rack!=a": false, "label.none=x": false,
	} {
		columns, err := Parse([]string{words, Separator, "x"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := columns[0].Result(run, on); got != want {
			t.Errorf("%s: %v, want %v", words, got, want)
		}
	}
}
