package assay

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// reading is the code that turns output into a page: it runs nothing.
var reading = []string{
	".", "./ingest/...", "./limits/...", "./audit/...", "./analysis/...", "./reference/...", "./compare/...", "./stats/...",
	"./report", "./report/block", "./report/csv", "./report/html", "./report/json", "./report/markdown", "./report/term", "./report/versus",
}

// Reading compiles wherever Go does: browsers read outputs too.
func TestWhatReadsCompilesEverywhere(t *testing.T) {
	targets := []string{"js/wasm", "darwin/arm64", "windows/amd64"}
	if os.Getenv("ASSAY_QUICK_TESTS") != "" {
		targets = targets[:1] // each takes minutes of CPU the first time
	}
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			system, arch, _ := strings.Cut(target, "/")
			build := exec.Command("go", append([]string{"build"}, reading...)...)
			build.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
			if out, err := build.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// Reading needs nothing that runs a tool or talks to a store, a cluster or a
// database.
func TestWhatReadsRunsNothing(t *testing.T) {
	out, err := exec.Command("go", append([]string{"list", "-deps"}, reading...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, foreign := range []string{"assay/stacks/s3/", "assay/stacks/kube", "assay/place/", "assay/volume/", "assay/store", "k8s.io/", "github.com/minio/", "modernc.org/"} {
		for pkg := range strings.Lines(string(out)) {
			if strings.HasPrefix(pkg, foreign) {
				t.Errorf("what reads imports %s", strings.TrimSpace(pkg))
			}
		}
	}
}
