package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// mostAllocations bounds the allocations of all packages before main begins: a
// quarter above what they need.
const mostAllocations = 10_500

// mostBytes bounds the size of the released program, which is copied to each
// host that drives a bucket's load.
const mostBytes = 45_000_000

// What only some commands need is created on demand.
func TestSmallAndQuickToStart(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := filepath.Join(t.TempDir(), "assay")
	if out, err := exec.Command("go", "build", "-trimpath", "-tags", "stdlibjson", "-gcflags=k8s.io/...=-l", "-gcflags=maragu.dev/...=-l", "-ldflags", "-s -w", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	built, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if built.Size() > mostBytes {
		t.Errorf("%d B, want at most %d: built as the Makefile does; a build without -s has its symbols, see go tool nm -size -sort size", built.Size(), mostBytes)
	}
	cmd := exec.Command(program, "--help")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	total := 0
	for _, m := range regexp.MustCompile(`(?m)^init .* (\d+) allocs$`).FindAllSubmatch(out, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		total += n
	}
	if total == 0 || total > mostAllocations {
		t.Errorf("%d allocations before main begins, want at most %d: see them with GODEBUG=inittrace=1 assay --help", total, mostAllocations)
	}
}
