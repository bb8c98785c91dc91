package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/store"
)

// plainRun returns an audited run of one trial with comparable figures.
func plainRun(id string, begun time.Time) assay.Run {
	r := assay.Result{Trial: assay.Trial{
		ID: "fio/randread-4k@alpha/directory//srv", Title: "random reads", Probe: "fio", Case: "randread-4k", Length: time.Second,
		Subject: assay.Subject{ID: "alpha/directory//srv", Kind: assay.KindDirectory, Host: "alpha", Name: "/srv"},
	}}
	for i := range 8 {
		r.Repeats = append(r.Repeats, assay.Repeat{N: i + 1, Started: begun, Elapsed: time.Second, Outcome: assay.Done,
			Measurements: []assay.Measurement{{Metric: "storage.read.iops", Value: float64(1000 + i), Unit: assay.PerSecond, Labels: map[string]string{"bs": "4096"}}}})
	}
	return audited(assay.Run{ID: id, Suite: "quick", Version: "test", Started: begun, Elapsed: time.Minute, Status: assay.RunDone,
		Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "alpha"}}}, Results: []assay.Result{r}})
}

// The runs that these tests store: two intact ones, and the newest, which is
// damaged.
const olderRun, newerRun, badRun = "20260901-120000-00000a", "20260902-120000-00000b", "20260903-120000-00000c"

// withRuns creates a database of runs, the oldest first.
func withRuns(t *testing.T, ids ...string) (db string) {
	t.Helper()
	db = filepath.Join(t.TempDir(), "assay.db")
	st, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for i, id := range ids {
		if err := st.Import(t.Context(), plainRun(id, time.Date(2026, 9, 1+i, 12, 0, 0, 0, time.UTC))); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// change changes a database behind assay's back.
func change(t *testing.T, db string, statements ...string) {
	t.Helper()
	file, err := sql.Open("sqlite", "file:"+db)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, s := range statements {
		if _, err := file.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// damages are the possible defects of a run, as SQL.
var damages = map[string]string{
	"hosts":     `UPDATE run SET hosts = '{' WHERE id = '` + badRun + `'`,
	"labels":    `UPDATE run SET labels = '[1' WHERE id = '` + badRun + `'`,
	"remarks":   `UPDATE run SET remarks = '{}' WHERE id = '` + badRun + `'`,
	"started":   `UPDATE run SET started = 'yesterday' WHERE id = '` + badRun + `'`,
	"imported":  `UPDATE run SET imported = 77 WHERE id = '` + badRun + `'`,
	"inventory": `UPDATE run SET inventory = x'00' WHERE id = '` + badRun + `'`,
	"notes":     `UPDATE run SET notes = 'x' WHERE id = '` + badRun + `'`,
	"trial":     `UPDATE trial SET trial = '{' WHERE run = '` + badRun + `'`,
	"figure":    `UPDATE measurement SET labels = '{' WHERE run = '` + badRun + `'`,
	"samples":   `INSERT INTO series SELECT run, trial, repeat, position, x'ffff', NULL FROM measurement WHERE run = '` + badRun + `'`,
}

// inHead are the defects in the run's own row, which a list of runs reads.
var inHead = []string{"hosts", "labels", "remarks", "started", "imported"}

// outcome is the exit status and output of a verb.
type outcome struct {
	status         int
	stdout, stderr string
}

func verb(t *testing.T, db string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := execute(context.Background(), append(args, "--db", db), newApp(strings.NewReader(""), &stdout, &stderr))
	return outcome{status, stdout.String(), stderr.String()}
}

func runIDs(t *testing.T, db string) (ids []string) {
	t.Helper()
	file, err := sql.Open("sqlite", "file:"+db)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := file.QueryContext(t.Context(), "SELECT id FROM run ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// One unreadable run, whatever is wrong with it, does not block the others: it is left
// out with a single line that names it, and stays untouched.
func TestABadRowStopsNoVerb(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, test := range []struct {
		args   []string
		status int
		wants  string
		heads  bool // reads only heads: damage below them does not matter
		silent bool // asked neither for that run nor for all
	}{
		{args: []string{"runs"}, wants: newerRun, heads: true},
		{args: []string{"runs", "--format", "json"}, wants: newerRun, heads: true},
		{args: []string{"show"}, wants: newerRun, heads: true},
		{args: []string{"report", newerRun}, wants: newerRun, silent: true},
		{args: []string{"trend", "storage.read.iops"}, wants: "2 runs"},
		{args: []string{"compare", "run!=" + newerRun, "vs", "run=" + newerRun}, wants: "equivalent"},
		{args: []string{"gate", "host=alpha", "date<2026-09-02", "vs", "host=alpha", "date>=2026-09-02"}, wants: "pass"},
		{args: []string{"export", newerRun, "-o", filepath.Join(dir, "out.assay")}, wants: "1 run", heads: true},
		{args: []string{"pin", newerRun, "good"}, wants: newerRun, silent: true},
		{args: []string{"note", newerRun, "a note"}, silent: true},
		{args: []string{"prune", "--keep", "1", "--yes"}, wants: "deleted 1 run", heads: true},
		{args: []string{"cleanup"}, silent: true},
	} {
		for what, damage := range damages {
			t.Run(strings.Join(test.args[:min(len(test.args), 3)], " ")+"/"+what, func(t *testing.T) {
				db := withRuns(t, olderRun, newerRun, badRun)
				change(t, db, damage)
				got := verb(t, db, test.args...)
				deep := !slices.Contains(inHead, what)
				if deep && test.args[0] == "trend" && !slices.Contains([]string{"trial", "figure"}, what) {
					return // which it does not read
				}
				wants := test.wants
				if deep && test.args[0] == "prune" {
					wants = "deleted 2 runs" // it counts among the newest
				}
				if got.status != test.status || !strings.Contains(got.stdout, wants) {
					t.Errorf("status %d, wants %q:\n%s%s", got.status, wants, got.stdout, got.stderr)
				}
				want := 1
				if test.silent || deep && test.heads || what == "samples" {
					want = 0
				}
				if n := strings.Count(got.stderr, "run "+badRun+" cannot be read and is left out: "); n != want || strings.Contains(got.stdout, badRun) && want == 1 {
					t.Errorf("it is named %d times, want %d:\n%s%s", n, want, got.stdout, got.stderr)
				}
				if ids := runIDs(t, db); !slices.Contains(ids, badRun) {
					t.Errorf("the bad one is gone: %q", ids)
				}
			})
		}
	}
}

// The latest run is the newest readable one; naming the bad one reports what is wrong
// with it, and fails.
func TestABadRowIsNotTheLatest(t *testing.T) {
	t.Parallel()
	for what, damage := range damages {
		t.Run(what, func(t *testing.T) {
			db := withRuns(t, olderRun, newerRun, badRun)
			change(t, db, damage)
			if slices.Contains(inHead, what) {
				for _, args := range [][]string{{"report"}, {"show", "latest"}, {"audit"}, {"note", "latest", "x"}, {"pin", "latest", "base"}} {
					got := verb(t, db, args...)
					if got.status != 0 && got.status != exitRejected || strings.Count(got.stderr, badRun) != 1 || strings.Contains(got.stdout, badRun) {
						t.Errorf("%q: status %d\n%s%s", args, got.status, got.stdout, got.stderr)
					}
				}
			}
			for _, args := range [][]string{{"report", badRun}, {"audit", badRun}, {"compare", olderRun, badRun, "-o", filepath.Join(t.TempDir(), "x.html")}} {
				got := verb(t, db, args...)
				if got.status == 0 || !strings.Contains(got.stderr, badRun) || !strings.Contains(got.stderr, "damaged") || !strings.Contains(got.stderr, "hint: ") || strings.Contains(got.stderr, "no stored results") {
					t.Errorf("%q: status %d\n%s%s", args, got.status, got.stdout, got.stderr)
				}
			}
		})
	}
}

// Many bad runs are counted, not listed.
func TestManyBadRowsAreOneWarning(t *testing.T) {
	t.Parallel()
	var ids []string
	for i := range 20 {
		ids = append(ids, fmt.Sprintf("20260901-120000-%06d", i))
	}
	db := withRuns(t, ids...)
	change(t, db, "UPDATE run SET hosts = '' WHERE id <> '"+ids[7]+"'")
	got := verb(t, db, "runs")
	if got.status != 0 || !strings.Contains(got.stdout, ids[7]) || strings.Count(got.stderr, "\n") != 6 {
		t.Errorf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
}

// An invalid pin still keeps its run.
func TestABadNameKeepsItsRun(t *testing.T) {
	t.Parallel()
	for _, since := range []string{"yesterday", "2026-09-03T12:00:00.000000000Z"} {
		for _, name := range []string{"base", "-o; x"} {
			db := withRuns(t, olderRun, newerRun)
			change(t, db, fmt.Sprintf("INSERT INTO pin (name, run, since) VALUES ('%s', '%s', '%s')", name, olderRun, since))
			got := verb(t, db, "prune", "--keep", "1", "--yes")
			if got.status != 0 || !strings.Contains(got.stderr, "1 run pinned") || len(runIDs(t, db)) != 2 {
				t.Errorf("%s since %s: status %d\n%s%s", name, since, got.status, got.stdout, got.stderr)
			}
		}
	}
}
