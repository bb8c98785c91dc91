package suite

import (
	"errors"
	"strings"
	"testing"

	"assay"
)

func TestEverySuiteLoads(t *testing.T) {
	if len(Names()) < 2 {
		t.Fatalf("suites: %v", Names())
	}
	for _, name := range Names() {
		s, err := Load(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Name != name || s.Title == "" {
			t.Errorf("%s.yaml calls itself %q, titled %q", name, s.Name, s.Title)
		}
		if s.Repeats < 6 {
			t.Errorf("%s: %d repeats give no 95 %% interval of the median", name, s.Repeats)
		}
	}
	if _, err := Load("../suite/quick"); !errors.Is(err, assay.ErrNotFound) {
		t.Errorf("a path is no suite: %v", err)
	}
}

func TestOneCaseLentInSeveralWays(t *testing.T) {
	s, err := Parse([]byte("name: x\nbudget: 5m\nrepeats: 6\ncases:\n"+
		"- {probe: p, name: a, title: t, on: cpu}\n- {probe: p, name: a, title: t, on: cpu, lend: {sync: always}}\n"+
		"- {probe: p, name: a, title: t, on: cpu, lend: {sync: disabled}}\n"), "x.yaml")
	if err != nil || len(s.Cases) != 3 || s.Cases[1].Lend["sync"] != "always" {
		t.Errorf("%+v, %v", s.Cases, err)
	}
}

func TestBadSuites(t *testing.T) {
	for in, want := range map[string]string{
		"name: x\nbudgett: 5m\n": "budgett",
		"name: x\nbudget: 5m\nrepeats: 6\ncases:\n- {probe: fio, name: a}\n":                                                                                                        "case 1",
		"name: x\nbudget: 5m\nrepeats: 6\ncases:\n- {probe: p, name: a, title: t, on: cpu}\n- {probe: p, name: a, title: t, on: cpu}\n":                                             "duplicate case",
		"name: x\nbudget: 5m\nrepeats: 6\ncases:\n- {probe: p, name: a, title: t, on: cpu, lend: {sync: always}}\n- {probe: p, name: a, title: t, on: cpu, lend: {sync: always}}\n": "duplicate case p/a+sync=always",
		"name: x\nbudget: 5m\nrepeats: 6\n": "cases",
		"name: x\nbudget: 5m\nrepeats: 6\ncases:\n- {probe: p, name: a, title: t, on: cpu, seconds: -1}\n": "negative",
	} {
		if _, err := Parse([]byte(in), "x.yaml"); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "x.yaml") {
			t.Errorf("%q: got %v, want one about %q in x.yaml", in, err, want)
		}
	}
}
