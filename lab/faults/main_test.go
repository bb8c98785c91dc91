package faults

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// atOnce is how many tests run at the same time where -parallel does not say.
// Most of them wait for a connection to be given up, which needs no CPU.
const atOnce = "6"

// workshop holds the assay that the tests run.
var workshop string

func TestMain(m *testing.M) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		_ = flag.Set("test.parallel", atOnce)
	}
	os.Exit(within(m))
}

// within runs the tests between the making of the workshop and its removal.
func within(m *testing.M) int {
	dir, err := os.MkdirTemp("", "faults-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	workshop = dir
	return m.Run()
}

// binary builds assay once.
var binary = sync.OnceValues(func() (string, error) {
	file := filepath.Join(workshop, "assay")
	out, err := exec.Command("go", "build", "-o", file, "assay/cmd/assay").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build assay: %w\n%s", err, out)
	}
	return file, nil
})
