package laptop

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"assay/internal/interrupts"
	"assay/internal/patient"
)

// workshop is where the tests' assay is built.
var workshop struct {
	name, dir string
	build     []string // extra environment of the build
}

// Main is for a package's TestMain: it runs the tests and returns the program's
// exit status. name is the prefix of temporary directories, atOnce is how many
// tests run in parallel unless -parallel is given, and build is extra environment
// for building assay.
func Main(m *testing.M, name string, atOnce int, build ...string) int {
	dir, err := os.MkdirTemp("", name+"-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	workshop.name, workshop.dir, workshop.build = name, dir, build
	interrupts.Reach()
	return patient.Run(m, atOnce)
}

// Binary returns the path of assay, which is built once.
func Binary() (string, error) { return binary() }

var binary = sync.OnceValues(func() (string, error) {
	file := filepath.Join(workshop.dir, "assay")
	// Without symbol tables, linking takes half the time.
	build := exec.Command("go", "build", "-ldflags=-s", "-o", file, "assay/cmd/assay") //nolint:gosec // building it is what a workshop is for
	build.Env = append(os.Environ(), workshop.build...)
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build assay: %w\n%s", err, out)
	}
	return file, nil
})
