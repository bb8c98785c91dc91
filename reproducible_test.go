package assay

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Anyone who builds a release gets the same bytes, in any directory, so published
// builds can be verified. A quick run reuses compiled packages; any other
// compiles everything again for the second build.
func TestReleasesAreReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("two builds")
	}
	tree := filepath.Join(t.TempDir(), "here")
	copyTree(t, ".", tree)
	copied := filepath.Join(t.TempDir(), "somewhere else")
	copyTree(t, tree, copied)
	first := releaseFrom(t, tree, nil)
	var anew []string
	if os.Getenv("ASSAY_QUICK_TESTS") == "" {
		anew = []string{"GOCACHE=" + t.TempDir()}
	}
	if second := releaseFrom(t, copied, anew); second != first {
		t.Errorf("two builds of one tree differ: SHA-256 %s and %s", first, second)
	}
}

// releaseFrom returns the SHA-256 of assay as make dist builds it in that
// directory.
func releaseFrom(t *testing.T, dir string, env []string) string {
	t.Helper()
	binary := filepath.Join(dir, "assay")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X main.release=v1", "-o", binary, "./cmd/assay")
	build.Dir = dir
	build.Env = append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(content, []byte(dir)) {
		t.Errorf("the binary names the directory it was built in, %s", dir)
	}
	return fmt.Sprintf("%x", sha256.Sum256(content))
}

// copyTree copies the files that a build reads.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		copied := filepath.Join(to, name)
		if d.IsDir() {
			if n := d.Name(); path != from && (strings.HasPrefix(n, ".") || n == "node_modules" || n == "bin" || n == "out") {
				return fs.SkipDir
			}
			return os.MkdirAll(copied, 0o755)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(copied, content, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
