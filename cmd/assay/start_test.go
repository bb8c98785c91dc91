package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// mostAllocations bounds what all packages together allocate before main begins: a
// quarter above what they need, over a quarter of which is the Kubernetes client's scheme.
const mostAllocations = 24_000

// What is only needed by some commands is made when they need it.
func TestLittleIsMadeAtStart(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := filepath.Join(t.TempDir(), "assay")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
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
