package report_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"
	"time"

	"assay"
	"assay/report"
	reportjson "assay/report/json"
	"assay/report/reporttest"
)

func written(t *testing.T, d report.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := reportjson.Render(&b, report.Blocks(d)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDocumentsAreValid(t *testing.T) {
	s := reporttest.Compiled(t, report.JSONSchema())
	for name, d := range map[string]report.Document{
		"the fixture": reporttest.Document(),
		"a cluster":   reporttest.Cluster(),
		"tiers":       reporttest.Tiers(),
		"scaling":     reporttest.Scaling(),
		"nothing":     {},
	} {
		t.Run(name, func(t *testing.T) {
			if err := s.Validate(reporttest.Instance(t, written(t, d))); err != nil {
				t.Error(err)
			}
		})
	}
}

// The fixture would prove little if it left fields out.
func TestTheFixtureUsesEveryField(t *testing.T) {
	used := map[string]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[time.Time]() {
				return
			}
			for i := range v.NumField() {
				name := v.Type().String() + "." + v.Type().Field(i).Name
				used[name] = used[name] || !v.Field(i).IsZero()
				walk(v.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(reporttest.Document()))
	walk(reflect.ValueOf(reporttest.Cluster()))
	walk(reflect.ValueOf(reporttest.Tiers()))
	walk(reflect.ValueOf(reporttest.Scaling()))
	walk(reflect.ValueOf(reporttest.Layers()))
	walk(reflect.ValueOf(reporttest.Drives()))
	walk(reflect.ValueOf(report.Build(reporttest.FailedOver())))
	walk(reflect.ValueOf(report.Build(reporttest.Moved())))
	walk(reflect.ValueOf(report.Build(scattered())))
	walk(reflect.ValueOf(report.Build(hot())))
	for name, is := range used {
		if !is {
			t.Errorf("%s is empty everywhere", name)
		}
	}
}

// scattered returns a run whose figures are all rejected for their scatter.
func scattered() assay.Run {
	run := reporttest.ClusterRun()
	for _, r := range run.Results {
		run.Findings = append(run.Findings, assay.Finding{Rule: "cov", Severity: assay.Rejects, Subject: r.Trial.ID})
	}
	return run
}

// hot returns a run of a drive that is too hot.
func hot() assay.Run {
	return assay.Run{ID: "r1", Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "box"}}}, Results: []assay.Result{{
		Trial: assay.Trial{ID: "smart", Subject: assay.Subject{Kind: assay.KindDrive, Host: "box", Name: "nvme0n1"}},
		Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
			{Metric: "smart.passed", Labels: map[string]string{"critical_warning": "temperature out of range"}}}}},
	}}}
}

func TestTheSchemaRefuses(t *testing.T) {
	s := reporttest.Compiled(t, report.JSONSchema())
	for name, spoil := range map[string]func(d map[string]any){
		"a field it does not know": func(d map[string]any) { d["colour"] = "blue" },
		"a field it does not know, deep inside": func(d map[string]any) {
			d["sections"].([]any)[0].(map[string]any)["rows"].([]any)[0].(map[string]any)["figures"].([]any)[0].(map[string]any)["mean"] = 1
		},
		"a field of a finding it does not know": func(d map[string]any) { d["findings"].([]any)[0].(map[string]any)["id"] = "x" },
		"a missing field":                       func(d map[string]any) { delete(d["run"].(map[string]any), "seed") },
		"another version":                       func(d map[string]any) { d["schema"] = "assay.report.v1" },
		"a number as text":                      func(d map[string]any) { d["run"].(map[string]any)["elapsed"] = "872" },
		"an unknown severity":                   func(d map[string]any) { d["findings"].([]any)[0].(map[string]any)["severity"] = "X" },
		"a block that there is not": func(d map[string]any) {
			d["document"].(map[string]any)["blocks"].([]any)[0].(map[string]any)["block"] = "song"
		},
		"no document": func(d map[string]any) { delete(d, "document") },
		"a point of three numbers": func(d map[string]any) {
			c := d["plots"].(map[string]any)["latency"].([]any)[0].(map[string]any)
			c["points"] = []any{[]any{1, 2, 3}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := reporttest.Instance(t, written(t, reporttest.Document())).(map[string]any)
			spoil(d)
			if s.Validate(d) == nil {
				t.Error("it is accepted")
			}
		})
	}
}

// Every member is described, with its unit if it is a number, and required if it
// is always written.
func TestTheSchemaKnowsEveryField(t *testing.T) {
	w := reporttest.NewSchemaWalker(t, report.JSONSchema())
	w.Document(reflect.TypeFor[report.Document](), "document")
	w.Referred("blocks")
}

// The words that the schema allows are those in the code.
func TestTheSchemaKnowsEveryWord(t *testing.T) {
	root := reporttest.NewSchemaWalker(t, report.JSONSchema()).Root
	for _, m := range assay.Metrics {
		if !slices.Contains(root.Defs["Figure"].Properties["unit"].Enum, string(m.Unit)) {
			t.Errorf("unit %q of %s is not in the schema", m.Unit, m.Name)
		}
	}
	words := root.Defs["Absence"].Properties["word"].Enum
	for _, w := range []assay.AbsenceWord{assay.NotSupported, assay.NoData, assay.Failed, assay.Unknown} {
		if !slices.Contains(words, string(w)) {
			t.Errorf("absence %q is not in the schema", w)
		}
	}
	if root.Properties["schema"] == nil || !bytes.Contains(report.JSONSchema(), []byte(`"const": "`+report.Schema+`"`)) {
		t.Errorf("the schema is not that of %s", report.Schema)
	}
}
