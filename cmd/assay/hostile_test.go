package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/incident"
	"assay/incident/decide"
	"assay/internal/oneline/hostile"
	"assay/inventory/cluster"
	"assay/inventory/survey"
	"assay/plan"
	"assay/plan/suite"
	"assay/report/exposition"
	"assay/run/session"
	"assay/store"
)

var (
	formats = []string{formatText, formatMarkdown, formatJSON, formatHTML, formatCSV}
	// figureFormats are the additional formats of verbs that print one run.
	figureFormats = []string{formatOpenMetrics, formatInflux, formatBenchstat}
)

// heard checks that a verb printed nothing raw.
func heard(t *testing.T, what, format, output string) {
	t.Helper()
	if format == formatCSV {
		output = strings.ReplaceAll(output, "\r\n", "\n")
	}
	if found := hostile.Found(output); found != "" {
		t.Errorf("%s as %s: %s", what, format, found)
	}
}

// hostileRun returns a run with hostile text in every field that may hold arbitrary
// text. Its first trial has figures that verbs compare, the second nothing but text.
func hostileRun(n int, id, metric string) assay.Run {
	begun := time.Date(2026, 11, 1+n, 12, 0, 0, 0, time.UTC)
	run := assay.Run{ID: id, Started: begun, Status: assay.RunDone}
	for trial := range 2 {
		r := assay.Result{Trial: assay.Trial{ID: fmt.Sprintf("%s%d", hostile.Text, trial), Length: time.Second}}
		for i := range 4 {
			r.Repeats = append(r.Repeats, assay.Repeat{N: i + 1, Started: begun, Elapsed: time.Second, Outcome: assay.Done,
				Measurements: []assay.Measurement{{Metric: metric, Value: float64(1000 + 500*n + i), Unit: assay.Unit("IO/s")}}})
		}
		run.Results = append(run.Results, r)
	}
	hostile.Fill(&run, hostile.Text, "Run.ID", "Run.Status", "Trial.ID", "Repeat.Outcome", "Measurement.Metric", "Run.Labels", "Run.Remarks")
	// Deciding measurements are not compared: only the second trial is one.
	run.Results[0].Trial.Decides = ""
	// Absence hides figures: only the second trial is absent.
	for i := range run.Results {
		run.Results[i].Trial.Absent = nil
	}
	run.Results[1].Trial.Absent = &assay.Absence{Word: hostile.Text, Why: hostile.Text, Hint: hostile.Text, Gone: hostile.Text}
	return run
}

// plantNames writes, behind the store's back, what it refuses to take: hostile labels
// and remarks, a hostile pin, and one run's id.
func plantNames(t *testing.T, db, id string) {
	t.Helper()
	file, err := sql.Open("sqlite", "file:"+db)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	words, err := json.Marshal([]assay.Remark{{Text: hostile.Text}})
	if err != nil {
		t.Fatal(err)
	}
	labels, err := json.Marshal(map[string]string{hostile.Text: hostile.Text})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		statement string
		args      []any
	}{
		{"UPDATE run SET labels = ?, remarks = ?", []any{string(labels), string(words)}},
		{"INSERT INTO pin (name, run, since) SELECT ?, id, started FROM run LIMIT 1", []any{hostile.Text}},
		{"UPDATE run SET id = ? WHERE id = ?", []any{hostile.Text, id}},
	} {
		if _, err := file.ExecContext(t.Context(), c.statement, c.args...); err != nil {
			t.Fatalf("%s: %v", c.statement, err)
		}
	}
}

// Whatever a database holds, and whatever is wrong with it, no verb prints any of it
// raw, in any format, on stdout or stderr.
func TestNoVerbSpeaksRawTextOfTheDatabase(t *testing.T) {
	t.Parallel()
	for what, metric := range map[string]string{"known metric": "storage.read.iops", "hostile metric": hostile.Text} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			db := filepath.Join(dir, "assay.db")
			st, err := store.Open(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			ids := []string{"20261102-120000-000001", "20261103-120000-000002", "20261104-120000-000003"}
			for n, id := range ids {
				if err := st.Import(t.Context(), hostileRun(n, id, metric)); err != nil {
					t.Fatal(err)
				}
			}
			var receipt assay.Receipt
			hostile.Fill(&receipt, hostile.Text)
			var owner store.Owner
			hostile.Fill(&owner, hostile.Text)
			if err := st.Journal(t.Context(), receipt, owner); err != nil {
				t.Logf("the journal refuses: %v", err)
			}
			st.Close()
			plantNames(t, db, ids[2])
			hosts := filepath.Join(dir, "cluster.yaml")
			if err := os.WriteFile(hosts, []byte("hosts: {host1: {}}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			verbs := [][]string{
				{"alerts", "-i", hosts, "--run", ids[0]}, {"alerts", "-i", hosts, "--run", hostile.Text}, {"alerts", "-i", hosts, "--run", ids[0], "--dashboard", "-"}, {"alerts", "-i", hosts, "-o", filepath.Join(dir, "rules.yaml"), "--tests", filepath.Join(dir, "tests.yaml")},
				{"runs"}, {"show", ids[0]}, {"report", ids[1]}, {"audit", ids[0]}, {"compare", ids[0], ids[1]}, {"gate", ids[0], ids[1], "--junit", filepath.Join(dir, "gate.xml")},
				{"compare", ids[0], ids[1], "--unlike"}, {"gate", ids[0], ids[1], "--unlike"}, {"trend", metric}, {"trend", metric, "--runs", "1"}, {"trend", "a" + hostile.Text}, {"cleanup"}, {"cleanup", "--forget", hostile.Text},
				{"prune", "--keep", "0", "--dry-run"}, {"pin", ids[0], "keep"}, {"note", ids[0], "a note"}, {"note", ids[0], hostile.Text},
				{"export", ids[0], "-o", filepath.Join(dir, "out.assay")}, {"export", hostile.Text}, {"rules"}, {"show", hostile.Text},
				{"__complete", "show", ""}, {"__complete", "run", "--host", ""}, {"run", "--resume", ids[0]}, {"compare", ids[0], hostile.Text}, {"trend", metric, "--since", hostile.Text}, {"pin", ids[0], hostile.Text}, {"unpin", hostile.Text}, {"plan", "--suite", hostile.Text},
				{hostile.Text}, {"runs", "--" + hostile.Text},
			}
			for _, args := range verbs {
				for _, format := range slices.Concat(formats, figureFormats) {
					var stdout, stderr bytes.Buffer
					at := 0
					if args[0] == "__complete" {
						at = 1
					}
					status := execute(t.Context(), slices.Insert(slices.Clone(args), at, "--db", db, "--format", format), newApp(strings.NewReader(""), &stdout, &stderr))
					words := fmt.Sprintf("%.60q (status %d)", args, status)
					heard(t, words, format, stdout.String())
					heard(t, words+", stderr", format, stderr.String())
					// Prometheus rules are YAML in any format.
					if format == formatJSON && stdout.Len() > 0 && args[0] != "__complete" && args[0] != "alerts" && !json.Valid(stdout.Bytes()) {
						t.Errorf("%s: not JSON", words)
					}
				}
			}
			if xml, err := os.ReadFile(filepath.Join(dir, "gate.xml")); err == nil {
				heard(t, "gate", "junit", string(xml))
			} else if metric != hostile.Text {
				t.Error(err) // else nothing is judged or written
			}
		})
	}
}

// Text from hosts, plans and the doctor comes from remote systems: none of it is
// printed raw.
func TestNoVerbSpeaksRawTextOfAHost(t *testing.T) {
	t.Parallel()
	broken := assay.WithHint(hostile.Text, "%s: %w", hostile.Text, errors.New(hostile.Text))
	var p plan.Plan
	hostile.Fill(&p, hostile.Text)
	p.Schedule = []plan.Slot{{Trial: 0, Repeat: 1}}
	var c cluster.Cluster
	hostile.Fill(&c, hostile.Text)
	answers := make([]survey.Answer, 2)
	hostile.Fill(&answers, hostile.Text)
	answers[1].Err = broken
	var d session.Diagnosis
	hostile.Fill(&d, hostile.Text)
	var cleaned session.Cleaned
	hostile.Fill(&cleaned, hostile.Text)
	cleaned.Released[0].Err = broken
	var inv assay.Inventory
	hostile.Fill(&inv, hostile.Text)
	var theirs suite.Suite
	hostile.Fill(&theirs, hostile.Text)
	var broke session.Gathered
	hostile.Fill(&broke, hostile.Text)
	for i, kind := range []incident.Kind{incident.MediumError, incident.ISCSIConn, incident.Upgraded} {
		broke.Log.Events = append(broke.Log.Events, incident.Event{Kind: kind, Host: hostile.Text, Device: hostile.Text, Text: hostile.Text, Count: i + 1, Source: incident.Source{File: hostile.Text, Line: i}})
	}
	measured := func(context.Context, []decide.Read) (all []decide.Measured, err error) {
		hostile.Fill(&all, hostile.Text)
		return all, nil
	}
	for _, format := range formats {
		for what, speak := range map[string]func(a *app){
			"diagnosis":    func(a *app) { _ = a.diagnoseGathered(t.Context(), broke, past{}, measured) },
			"plan":         func(a *app) { _ = a.printPlan(p, false) },
			"whole plan":   func(a *app) { _ = a.printPlan(p, true) },
			"suite":        func(a *app) { _ = a.showSuite(theirs) },
			"hosts":        func(a *app) { _ = a.printHosts(c, nil, answers) },
			"hints":        func(a *app) { a.hintHosts(answers) },
			"init":         func(a *app) { _ = starterStatus(a, answers) },
			"doctor":       func(a *app) { _ = a.printDiagnoses(d, true) },
			"local doctor": func(a *app) { _ = a.printDiagnoses(d, false) },
			"cleanup":      func(a *app) { _ = a.printCleaned(cleaned) },
			"watch": func(a *app) {
				w := &watcher{app: a}
				var change exposition.Change
				hostile.Fill(&change, hostile.Text)
				w.say(hostileRun(0, "20261102-120000-000001", "storage.read.iops"), found{lines: []string{hostile.Text}, all: []exposition.Change{change}})
				var metrics bytes.Buffer
				if err := w.page.write(&metrics); err != nil {
					t.Error(err)
				}
				heard(t, "metrics of a watch", format, metrics.String())
			},
			"install": func(a *app) {
				a.confirm(installWish{yes: true})(context.Background(), []session.Lack{{Host: hostile.Text, Packages: []string{hostile.Text}}})
			},
			"run": func(a *app) {
				tell := a.follow()
				event := session.Event{Progress: session.Progress{Kind: session.EventProblem, Text: hostile.Text}}
				event.Err = broken
				tell(event)
				for _, kind := range []session.EventKind{session.EventNote, session.EventStep} {
					tell(session.Event{Progress: session.Progress{Kind: kind, Text: hostile.Text}})
				}
				tell(session.Event{Progress: session.Progress{Kind: session.EventPlan}, Plan: &p, Inventory: &inv})
				for _, kind := range []session.EventKind{session.EventPrepare, session.EventBegin, session.EventEnd, session.EventNote, session.EventGone, session.EventCleanUp, session.EventMore} {
					for _, outcome := range []assay.Outcome{assay.Done, assay.Broke, hostile.Text} {
						tell(session.Event{Progress: session.Progress{Kind: kind, Host: hostile.Text, Trial: &p.Trials[0], Repeat: 1, Outcome: outcome, Text: hostile.Text,
							Figures: []assay.Measurement{{Metric: "storage.read.iops", Value: 1, Unit: hostile.Text}}}})
					}
				}
				tell(session.Event{Progress: session.Progress{Kind: session.EventOver}})
			},
		} {
			var stdout, stderr bytes.Buffer
			a := newApp(strings.NewReader(""), &stdout, &stderr)
			a.format = format
			speak(a)
			if stdout.Len()+stderr.Len() == 0 {
				t.Errorf("%s as %s says nothing", what, format)
			}
			heard(t, what, format, stdout.String())
			heard(t, what+", stderr", format, stderr.String())
		}
	}
}

// Every verb is checked above, or known to print only its own words.
func TestEveryVerbIsHeard(t *testing.T) {
	t.Parallel()
	heard := strings.Fields("runs show report audit import compare gate trend predict cleanup prune pin unpin note export rules plan suite run hosts init doctor diagnose alerts watch")
	quiet := map[string]string{
		"version": "prints what was built in", "licences": "prints what was built in", "agent": "speaks to assay", "help": "prints what was built in", "completion": "prints what was built in",
		"anonymise": "is export",
	}
	for _, cmd := range newApp(nil, nil, nil).command().Commands() {
		if !slices.Contains(heard, cmd.Name()) && quiet[cmd.Name()] == "" {
			t.Errorf("no test looks at what %s prints of hostile text", cmd.Name())
		}
	}
}

// A document of hostile output is read and judged, but never printed raw.
func TestAuditAndImportOfHostileFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a\u202e\x1b[31m.txt")
	out := hostile.Text + "\n$ dd if=/dev/zero of=/tmp/" + hostile.Text + "\n1048576000 bytes (1.0 GB, 1000 MiB) copied, 2.0 s, 524 MB/s\n{\"fio version\": \"fio-3.1" + hostile.Text + "\", \"jobs\": [{\"jobname\": \"" + hostile.Text
	if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "b\u202e\x1b[31m.log")
	lines := "[1.0] I/O error, dev sda, sector 7 " + hostile.Text + "\n[2.0] sd 9:0:0:1: [sdk] " + hostile.Text + "\n[3.0] nfs: server " + hostile.Text + " not responding, still trying\n"
	if err := os.WriteFile(log, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"audit", "import", "diagnose"} {
		file := file
		if verb == "diagnose" {
			file = log
		}
		for _, format := range formats {
			var stdout, stderr bytes.Buffer
			execute(t.Context(), []string{verb, file, "--db", filepath.Join(dir, format+".db"), "--format", format}, newApp(strings.NewReader(""), &stdout, &stderr))
			heard(t, verb, format, stdout.String())
			heard(t, verb+", stderr", format, stderr.String())
		}
	}
}
