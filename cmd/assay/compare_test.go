package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"assay"
	"assay/report/block"
	"assay/report/term"
	"assay/store"
)

// TestCompareScripts runs testdata/compare/*.txtar with the command
//
//	stored NAME [seed=N] [speed=F] [repeats=N] [host=NAME,…] [suite=NAME] [kernel=V] [dir=PATH] [day=N] [rejected=CASE] [hist=yes] [CASE.LABEL=VALUE…]
//
// which puts a run of that name into the database: three cases of fio and one of
// sysbench, with figures that scatter by 1 % around those of every other such run
// times speed.
func TestCompareScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/compare",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               func(env *testscript.Env) error { return sandbox(env, "") },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": cmdExits, "plain": cmdPlain, "json": cmdJSON, "stored": cmdStored,
		},
	})
}

func cmdStored(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: stored NAME [KEY=VALUE…]")
	}
	run, err := storedRun(args[0], args[1:])
	ts.Check(err)
	st, err := store.Open(context.Background(), ts.Getenv("ASSAY_DB"))
	ts.Check(err)
	defer st.Close()
	ts.Check(st.Import(context.Background(), run))
}

func storedRun(id string, words []string) (assay.Run, error) {
	set := map[string]string{"seed": "1", "speed": "1", "repeats": "8", "host": "pve1", "suite": "baseline", "kernel": "6.8.12-4-pve", "dir": "/srv", "day": "1"}
	for _, w := range words {
		key, value, is := strings.Cut(w, "=")
		if !is {
			return assay.Run{}, fmt.Errorf("%q is not KEY=VALUE", w)
		}
		set[key] = value
	}
	number := func(key string) int { n, _ := strconv.Atoi(set[key]); return n }
	run := assay.Run{
		ID: id, Suite: set["suite"], Version: "1.2.3", Status: assay.RunDone,
		Started: time.Date(2026, 11, number("day"), 12, 0, 0, 0, time.UTC), Inventory: assay.Inventory{Facts: map[string]assay.Facts{}},
	}
	speed, err := strconv.ParseFloat(set["speed"], 64)
	noise := rand.New(rand.NewPCG(uint64(number("seed")), 1))
	for _, host := range strings.Split(set["host"], ",") {
		run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: host, Labels: map[string]string{"rack": host[len(host)-1:]}})
		run.Inventory.Facts[host] = assay.Facts{Host: host, OS: assay.OSFacts{Kernel: set["kernel"]}}
		for _, c := range []struct {
			probe, name, title, metric string
			kind                       assay.SubjectKind
			value                      float64
			labels                     map[string]string
		}{
			{"fio", "randread-4k", "4 KiB random read", "storage.read.iops", assay.KindDirectory, 58900, map[string]string{"bs": "4k", "iodepth": "32", "direct": "1", "sync": "0"}},
			{"fio", "seqwrite-1m", "1 MiB sequential write", "storage.write.bandwidth", assay.KindDirectory, 2.1e9, map[string]string{"bs": "1m", "iodepth": "16", "direct": "1", "sync": "0"}},
			{"fio", "syncwrite-4k", "4 KiB synchronous write at depth 1", "storage.write.iops", assay.KindDirectory, 1180, map[string]string{"bs": "4k", "iodepth": "1", "direct": "1", "sync": "1"}},
			{"sysbench", "cpu-1", "CPU, 1 thread", "cpu.events_per_second", assay.KindCPU, 1100, map[string]string{"threads": "1"}},
		} {
			name := string(c.kind)
			if c.kind == assay.KindDirectory {
				name = set["dir"]
			}
			s := assay.Subject{ID: host + "/" + string(c.kind) + "/" + name, Kind: c.kind, Host: host, Name: name}
			res := assay.Result{Trial: assay.Trial{ID: c.probe + "/" + c.name + "@" + s.ID, Probe: c.probe, Case: c.name, Title: c.title, Subject: s, Length: 5 * time.Second}}
			c.labels["tool"], c.labels["version"] = c.probe, "3.33"
			for key, value := range set {
				if label, is := strings.CutPrefix(key, c.name+"."); is {
					c.labels[label] = value
				}
			}
			described, _ := assay.Describe(c.metric)
			for n := range number("repeats") {
				figures := []assay.Measurement{{Metric: c.metric, Unit: described.Unit, Labels: c.labels, Value: c.value * speed * math.Exp(.01*noise.NormFloat64())}}
				if stem, is := strings.CutSuffix(c.metric, "iops"); is {
					figures = append(figures, assay.Measurement{Metric: stem + "latency.p99", Unit: assay.Seconds, Labels: c.labels, Value: 32 / figures[0].Value})
				}
				if stem, is := strings.CutSuffix(c.metric, "iops"); is && set["hist"] != "" {
					typical := 32 / figures[0].Value
					figures = append(figures, assay.Measurement{Metric: stem + "latency.mean", Unit: assay.Seconds, Labels: c.labels, Value: typical,
						Histogram: []assay.Bin{{Upper: typical / 2, Count: 1000}, {Upper: typical, Count: 4000}, {Upper: 4 * typical, Count: 900}, {Upper: 20 * typical, Count: 100}}})
				}
				res.Repeats = append(res.Repeats, assay.Repeat{N: n + 1, Started: run.Started, Outcome: assay.Done, Measurements: figures})
			}
			if set["rejected"] == c.name {
				run.Findings = append(run.Findings, assay.Finding{Rule: "link-ceiling", Severity: assay.Rejects, Subject: res.Trial.ID})
			}
			run.Results = append(run.Results, res)
		}
	}
	return run, err
}

// TestComparisonIsReadableAtEveryWidth checks that the tables fit the width,
// and repeat nothing that a wide one says once.
func TestComparisonIsReadableAtEveryWidth(t *testing.T) {
	for _, width := range []int{40, 80, 200} {
		var out strings.Builder
		figure := func(text, spread string) block.Cell {
			return block.Cell{Text: text, Figure: &block.Figure{Spread: spread}}
		}
		d := block.Document{Blocks: block.Blocks{
			block.Table{Title: "Title", Columns: []block.Column{{Heading: "test"}, {Heading: "A"}, {Heading: "B"}, {Heading: "B / A"}, {Heading: "verdict"}}, Rows: []block.Row{{Cells: []block.Cell{
				{Text: "4 KiB synchronous write at depth 1"}, figure("1.18k IOPS", "± 1.2 %"), figure("942 IOPS", "± 0.9 %"), figure("0.800 [0.790, 0.812]", ""), {Text: "slower, p < 0.001"},
			}}}},
			block.Sentence{Text: strings.Repeat("a long sentence ", 20)},
		}}
		if err := term.Render(&out, d, term.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if n := len([]rune(line)); n > width {
				t.Errorf("width %d: a line has %d columns: %s", width, n, line)
			}
		}
		if wide := strings.Contains(out.String(), "depth 1  1.18k IOPS ± 1.2 %  942 IOPS"); wide != (width == 200) {
			t.Errorf("width %d:\n%s", width, out.String())
		}
	}
	for _, format := range []string{formatText, formatJSON, formatMarkdown, formatHTML, formatCSV} {
		if err := render(failing{}, block.Document{Blocks: block.Blocks{block.Sentence{Text: "x"}}}, format); err == nil {
			t.Errorf("%s: an error of the writer is lost", format)
		}
	}
}

// failing is a writer that accepts nothing.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }
