package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/internal/marked"
	"assay/stats"
)

func TestSimulationFollowsFromItsSeed(t *testing.T) {
	c := cell{.5, .02}
	many := simulate(c, stats.FirstLook, 60, 7)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if one := simulate(c, stats.FirstLook, 60, 7); one != many {
		t.Errorf("%+v, and with one processor %+v", many, one)
	}
	if other := simulate(c, stats.FirstLook, 60, 8); other == many {
		t.Error("another seed gives the same series")
	}
}

// Correlated series take longer, and a naive interval misses the mean far more
// often: the table shows it.
func TestCorrelatedSeriesTakeLonger(t *testing.T) {
	free, tied := simulate(cell{0, .02}, stats.FirstLook, 300, 1), simulate(cell{.8, .02}, stats.FirstLook, 300, 1)
	if tied.median < 2*free.median || tied.naive > .7 || free.naive < .9 || tied.coverage < .88 || tied.given != 0 || free.p95 < free.median {
		t.Errorf("free %+v\ntied %+v", free, tied)
	}
}

func TestJudge(t *testing.T) {
	good := row{coverage: .94}
	if err := judge([]row{good, {coverage: .93}, {coverage: .955}}); err != nil {
		t.Error(err)
	}
	for _, c := range []float64{.929, .956, 0, 1} {
		err := judge([]row{good, {cell: cell{.5, .01}, coverage: c}})
		if !errors.Is(err, errCoverage) || !strings.Contains(err.Error(), "at phi 0.5 and 1 %") {
			t.Errorf("coverage %v: %v", c, err)
		}
	}
}

func TestJudgeRepeats(t *testing.T) {
	if err := judgeRepeats([]figure{{coverage: .93}, {coverage: 1}}); err != nil {
		t.Error(err)
	}
	if err := judgeRepeats([]figure{{coverage: .95}, {spread: .03, coverage: .92}}); !errors.Is(err, errCoverage) || !strings.Contains(err.Error(), "spread by 3 %") {
		t.Errorf("%v", err)
	}
}

func TestRepeatsThatSpreadMoreTakeMore(t *testing.T) {
	rows := repeats(200, 1)
	for i, r := range rows {
		if r.coverage < .9 || i > 0 && r.median <= rows[i-1].median {
			t.Errorf("%+v", rows)
		}
	}
}

// A coverage outside its bounds is an error and is not written: with one
// series, coverage is all or nothing.
func TestVerifyFails(t *testing.T) {
	path := document(t, "before\n"+marked.Begin(markName)+"old\n"+marked.End(markName)+"after\n")
	var out bytes.Buffer
	err := verify(&out, wish{trials: 1, seed: 1, first: stats.FirstLook, document: path})
	if !errors.Is(err, errCoverage) {
		t.Errorf("%v", err)
	}
	if rows := strings.Count(out.String(), "| ±"); rows != len(cells()) {
		t.Errorf("%d rows in\n%s", rows, out.String())
	}
	if text, _ := os.ReadFile(path); !strings.Contains(string(text), "old") {
		t.Errorf("written all the same:\n%s", text)
	}
	if verify(&out, wish{trials: 0, first: 1}) == nil {
		t.Error("no trials are no proof")
	}
}

func document(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "document.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The document matches the current code: its cheapest row is computed again.
func TestTheDocumentIsOfToday(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "doc", "statistics.md"))
	if err != nil {
		t.Fatal(err)
	}
	stands, _ := marked.Between(string(text), markName)
	var w wish
	if _, err := fmt.Sscanf(stands, "%d series a row, seed %d, first look at %d samples:", &w.trials, &w.seed, &w.first); err != nil {
		t.Fatalf("%v in %q", err, stands)
	}
	lines := strings.Split(strings.TrimSpace(table([]row{simulate(cell{0, .02}, w.first, w.trials, w.seed)}, w)), "\n")
	if want := lines[len(lines)-1]; !strings.Contains(stands, want) {
		t.Errorf("the document has not\n%s\nmake verify-stats writes it", want)
	}
	if w.trials < 4000 || w.first != stats.FirstLook || strings.Count(stands, "| ±") != len(cells()) {
		t.Errorf("the document has another table than make verify-stats writes:\n%s", stands)
	}
}
