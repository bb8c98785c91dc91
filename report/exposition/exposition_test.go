package exposition_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"assay"
	"assay/report/exposition"
	"assay/report/reporttest"
)

// everything returns a run with each metric of the vocabulary, and names that need
// escaping.
func everything() assay.Run {
	run := assay.Run{ID: "r1", Suite: "mine", Started: time.Date(2026, 11, 25, 3, 0, 0, 0, time.UTC), Status: assay.RunDone, Elapsed: time.Minute}
	trial := assay.Trial{ID: "fio/case-4@a", Probe: "fio", Case: "case-4",
		Subject: assay.Subject{Host: "a", Name: `/srv/"my, own" = dir\`, Kind: assay.KindDirectory}}
	r := assay.Result{Trial: trial}
	for n := 0; n <= 6; n++ {
		rep := assay.Repeat{N: n, Outcome: assay.Done}
		for i, m := range metrics() {
			rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: m, Value: float64(1000*n + i + 1)})
		}
		r.Repeats = append(r.Repeats, rep)
	}
	run.Results = []assay.Result{r}
	run.Findings = []assay.Finding{{Severity: assay.Rejects, Subject: trial.ID, Metrics: []string{"cpu.score"}}}
	return run
}

func metrics() (names []string) {
	for _, m := range assay.Metrics {
		if m.Support {
			continue
		}
		names = append(names, m.Name)
		if stem, is := strings.CutSuffix(m.Name, "latency.mean"); is {
			names = append(names, assay.PercentileMetric(stem, 50), assay.PercentileMetric(stem, 99.9))
		}
	}
	return names
}

func text(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// need skips a test if a program is missing, which make test installs.
func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("no %s here", program)
	}
}

// Every metric of the vocabulary follows Prometheus' conventions, according to promtool.
func TestPromtoolHasNothingToSay(t *testing.T) {
	need(t, "promtool")
	for name, run := range map[string]assay.Run{"everything": everything(), "cluster": reporttest.ClusterRun()} {
		check := exec.Command("promtool", "check", "metrics")
		check.Stdin = strings.NewReader(text(t, func(w io.Writer) error { return exposition.OpenMetrics(w, run) }))
		if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// Prometheus' own OpenMetrics parser imports a run at the time when it began.
func TestOldRunsFillAPrometheus(t *testing.T) {
	need(t, "promtool")
	dir := t.TempDir()
	file := dir + "/run.om"
	if err := os.WriteFile(file, []byte(text(t, func(w io.Writer) error { return exposition.OpenMetrics(w, everything()) })), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("promtool", "tsdb", "create-blocks-from", "openmetrics", file, dir+"/data").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Mkdir(dir+"/data/wal", 0o700); err != nil { // dump wants one
		t.Fatal(err)
	}
	out, err := exec.Command("promtool", "tsdb", "dump", dir+"/data").CombinedOutput()
	want := regexp.MustCompile(`__name__="assay_storage_read_latency_seconds".*quantile="0.999".*\} 3505 1795575600000`)
	if err != nil || !want.Match(out) {
		t.Errorf("no %s in what Prometheus stored: %v\n%.2000s", want, err, out)
	}
}

func TestOpenMetrics(t *testing.T) {
	got := text(t, func(w io.Writer) error { return exposition.OpenMetrics(w, everything()) })
	labels := `{host="a",suite="mine",case="fio/case-4",subject="/srv/\"my, own\" = dir\\"`
	for _, want := range []string{
		"# TYPE assay_storage_read_iops gauge\nassay_storage_read_iops" + labels + "} 3501 1795575600\n",
		"# UNIT assay_storage_read_bandwidth_bytes_per_second bytes_per_second\n",
		"assay_figure_rejected" + labels + `,metric="cpu.score"} 1 1795575600` + "\n",
		"assay_figure_rejected" + labels + `,metric="storage.read.iops"} 0 1795575600` + "\n",
		"assay_figure_repeats" + labels + `,metric="storage.read.iops"} 6 1795575600` + "\n",
		"assay_run_start_time_seconds{run=\"r1\",suite=\"mine\",status=\"done\"} 1.7955756e+09 1795575600\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q", want)
		}
	}
	if !strings.HasSuffix(got, "\n# EOF\n") {
		t.Error("does not end with # EOF")
	}
}

func TestInflux(t *testing.T) {
	got := text(t, func(w io.Writer) error { return exposition.Influx(w, everything()) })
	want := `storage.read.iops,case=fio/case-4,host=a,run=r1,subject=/srv/"my\,\ own"\ \=\ dir/,suite=mine value=3501,low=1001,high=6001,repeats=6i,rejected=false 1795575600000000000` + "\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("got  %.300s\nwant %s", got, want)
	}
	if !regexp.MustCompile(`(?m)^cpu\.score,.*rejected=true `).MatchString(got) {
		t.Error("does not say what was rejected")
	}
}

// Go's own benchmark reader finds each repeat that counts, with names, units and the
// direction in which each metric improves.
func TestBenchstatIsReadByPerf(t *testing.T) {
	for name, run := range map[string]assay.Run{"everything": everything(), "cluster": reporttest.ClusterRun()} {
		var left int
		out := text(t, func(w io.Writer) (err error) { left, err = exposition.Benchstat(w, run); return err })
		want, got := 0, 0
		for _, f := range exposition.FiguresOf(run) {
			if !f.Rejected {
				want += len(f.Values)
			}
		}
		better := map[string]bool{}
		for r := benchfmt.NewReader(strings.NewReader(out), name); r.Scan(); {
			switch rec := r.Result().(type) {
			case *benchfmt.Result:
				got += len(rec.Values)
				if base, parts := rec.Name.Parts(); name == "everything" && (string(base) != "Fio.case-4" || string(parts[0]) != "/host=a" || rec.GetConfig("suite") != "mine") {
					t.Errorf("%s: read as %s %s", rec.Name, base, parts)
				}
			case *benchfmt.UnitMetadata:
				better[rec.Unit+" "+rec.Value] = true
			case *benchfmt.SyntaxError:
				t.Errorf("%s: %v", name, rec)
			}
		}
		if got != want || want == 0 {
			t.Errorf("%s: perf reads %d values, the run has %d", name, got, want)
		}
		if name == "everything" && (left != 1 || !better["storage.read.iops higher"] || !better["storage.read.latency.p99.9-sec lower"] && !better["storage.read.latency.p99_9-sec lower"]) {
			t.Errorf("left out %d; better: %v", left, better)
		}
	}
}

// Two runs compared by benchstat itself.
func TestBenchstatCompares(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		out := text(t, func(w io.Writer) error { _, err := exposition.Benchstat(w, everything()); return err })
		if err := os.WriteFile(dir+"/"+name, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "tool", "benchstat", dir+"/a", dir+"/b")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("%v\n%s", err, exit.Stderr)
	}
	if !regexp.MustCompile(`Fio\.case-4.*3\.501k.*3\.501k.*~ \(p=1\.000 n=6\)`).Match(out) {
		t.Errorf("%v\n%.1500s", err, out)
	}
}

// doc/exports.md lists the Prometheus name of every metric.
func TestNamesAreDocumented(t *testing.T) {
	var rows strings.Builder
	names := map[string]string{}
	for _, m := range metrics() {
		n, known := exposition.NameOf(m)
		if !known {
			t.Fatalf("%s has no name", m)
		}
		if n.Quantile != "" {
			continue
		}
		if twin := names[n.Metric]; twin != "" {
			t.Errorf("%s and %s are both %s", m, twin, n.Metric)
		}
		names[n.Metric] = m
		fmt.Fprintf(&rows, "| `%s` | `%s` |\n", m, n.Metric)
	}
	doc, err := os.ReadFile("../../doc/exports.md")
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?s)(\n\| assay \| Prometheus \|\n\| --- \| --- \|\n).*`)
	want := table.ReplaceAllString(string(doc), "${1}"+rows.String())
	if reporttest.Updating() {
		if err := os.WriteFile("../../doc/exports.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(doc) {
		t.Error("doc/exports.md is out of date: go test ./report/exposition -update")
	}
}

// A figure that got worse twice has one series, with the time of the newer
// change.
func TestOfTwoChangesTheNewerIsShown(t *testing.T) {
	change := exposition.Change{Host: "a", Metric: "net.rtt.median", Verdict: "worse", At: time.Unix(1000, 0)}
	later := change
	later.At = time.Unix(2000, 0)
	for _, changes := range [][]exposition.Change{{change, later}, {later, change}} {
		got := text(t, exposition.Watch{Changes: changes}.Write)
		if want := `assay_change_time_seconds{host="a",metric="net.rtt.median",verdict="worse"} 2000` + "\n"; !strings.Contains(got, want) || strings.Contains(got, "} 1000\n") {
			t.Errorf("lacks %sin\n%s", want, got)
		}
	}
}

// A trial without its figure is 1, the others are 0: that a series is gone raises no
// alert.
func TestFailedTrialsAreExported(t *testing.T) {
	sound, failing := everything().Results[0], assay.Trial{ID: "x", Probe: "fio", Case: "case-4", Subject: assay.Subject{Host: "a", Name: "/srv"}}
	run := assay.Run{ID: "r1", Suite: "watch", Results: []assay.Result{sound, {Trial: failing}, {Trial: assay.Trial{ID: "none", Probe: "smart"}}}}
	got := text(t, exposition.Watch{Run: run, Failing: []assay.Trial{failing}}.Write)
	for _, want := range []string{
		`assay_trial_failed{host="a",suite="watch",case="fio/case-4",subject="/srv"} 1` + "\n",
		`assay_trial_failed{host="a",suite="watch",case="fio/case-4",subject="/srv/\"my, own\" = dir\\"} 0` + "\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %sin\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\nassay_trial_failed{"); n != 2 {
		t.Errorf("%d trials, want 2", n)
	}
}

// A drive that is merely too hot is told from one that is failing.
func TestCriticalWarningsAreExported(t *testing.T) {
	result := everything().Results[0]
	result.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
		{Metric: "smart.passed", Labels: map[string]string{"critical_warning": "temperature out of range"}}}}}
	got := text(t, exposition.Watch{Run: assay.Run{ID: "r1", Suite: "watch", Results: []assay.Result{result}}}.Write)
	if want := `critical_warning="temperature out of range"} 0` + "\n"; !strings.Contains(got, want) {
		t.Errorf("lacks %sin\n%s", want, got)
	}
}
