package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Another user's run of a host with the same name joins the user's own history
// and comparisons only if asked for.
func TestImportedRunsMustBeAskedFor(t *testing.T) {
	t.Parallel()
	db, file := withRuns(t, olderRun, newerRun), filepath.Join(t.TempDir(), "theirs.assay")
	theirs := withRuns(t, "20260801-120000-00000d")
	for _, args := range [][]string{{theirs, "export", "-o", file}, {db, "import", file}} {
		if got := verb(t, args[0], args[1:]...); got.status != 0 {
			t.Fatalf("%q: status %d\n%s%s", args, got.status, got.stdout, got.stderr)
		}
	}
	const imported = "20260801-120000-00000d"
	for _, test := range []struct {
		words  string
		status int
		has    string
		not    string
	}{
		{words: "trend storage.read.iops", has: "2 runs", not: imported},
		{words: "trend storage.read.iops --imported", has: "3 runs"},
		{words: "trend storage.read.iops --imported --runs 1", has: "1 run:"},
		{words: "compare host=alpha vs run=" + newerRun, has: "2 runs", not: imported},
		{words: "compare host=alpha imported=no vs run=" + newerRun, has: "2 runs", not: imported},
		{words: "compare host=alpha imported=* vs run=" + newerRun, has: "3 runs"},
		{words: "compare host=alpha vs imported=yes", has: imported},
		{words: "compare host=alpha vs imported!=no", has: imported},
		// The first column has nothing from the other column's run.
		{words: "compare host=alpha vs " + imported, has: "2 runs, " + olderRun},
		{words: "gate host=alpha vs " + imported, has: "pass"},
		{words: "compare run=" + olderRun + " vs run=2026*", has: "2 runs", not: imported},
		{words: "compare run=" + olderRun + " vs run=202608*", status: exitUsage, has: "hint: imported runs count only if you ask for them"},
		{words: "compare run=" + olderRun + " vs imported=maybe", status: exitUsage, has: "hint: imported=yes"},
	} {
		got := verb(t, db, strings.Fields(test.words)...)
		if all := got.stdout + got.stderr; got.status != test.status || !strings.Contains(all, test.has) || test.not != "" && strings.Contains(all, test.not) {
			t.Errorf("%s: status %d\n%s", test.words, got.status, all)
		}
	}
}

// So does tool output that somebody else posted: it is never the latest, and prune
// keeps the user's runs as if it were not there.
func TestImportedOutputIsNoRunOfTheUsers(t *testing.T) {
	t.Parallel()
	db := withRuns(t, olderRun)
	if got := verb(t, db, "import", "../../doc/examples/emmc.txt"); !strings.Contains(got.stdout, "stored") {
		t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	for _, test := range []struct{ words, has, not string }{
		{"show latest", olderRun, "import"},
		{"runs", "(imported)", ""},
		{"prune --keep 1 --dry-run", "", olderRun},
	} {
		got := verb(t, db, strings.Fields(test.words)...)
		if all := got.stdout + got.stderr; !strings.Contains(all, test.has) || test.not != "" && strings.Contains(all, test.not) {
			t.Errorf("%s: status %d\n%s", test.words, got.status, all)
		}
	}
}
