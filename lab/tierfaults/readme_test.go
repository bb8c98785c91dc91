package tierfaults

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/lab/internal/laptop"
)

// ofTiers matches the README's commands on a tiers.yaml. The tests of cmd/assay run
// the others.
var ofTiers = regexp.MustCompile(`(?m)^\$ (assay .* -i tiers\.yaml\b.*)$`)

// readmeIsTrue runs the README's commands in order in one shell, with the lab's
// tiers.yaml. Runs are real, but short.
func readmeIsTrue(t *testing.T, b *bed) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := ofTiers.FindAllStringSubmatch(string(text), -1)
	if len(commands) < 4 {
		t.Fatalf("README.md has %d commands on a tiers.yaml", len(commands))
	}
	home := t.TempDir()
	if err := os.Symlink(b.Cluster(), filepath.Join(home, "tiers.yaml")); err != nil {
		t.Fatal(err)
	}
	// Files that a cluster.yaml refers to are next to it.
	if err := os.Symlink(filepath.Join(filepath.Dir(b.Cluster()), "kube"), filepath.Join(home, "kube")); err != nil {
		t.Fatal(err)
	}
	program, err := laptop.Binary()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		command := c[1]
		if strings.HasPrefix(command, "assay run") {
			command += " --time-budget 60s --repeats 1"
			if !strings.Contains(command, "--host") {
				command += " --host sd,garage"
			}
			if !strings.Contains(command, "--only") {
				command += " --only seqread-1m,put-64k"
			}
		}
		sh := exec.CommandContext(b.ctx, "bash", "-c", command)
		sh.Dir = home
		sh.Env = append(os.Environ(), "HOME="+home, "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"), "ASSAY_DB="+filepath.Join(home, "db"))
		out, err := sh.CombinedOutput()
		// Rejected figures and partial runs are valid answers; a usage error is not.
		if status := sh.ProcessState.ExitCode(); err != nil && status != 3 && status != 5 {
			t.Errorf("%s: status %d\n%s", command, status, out)
		}
	}
	if _, err := os.Stat(filepath.Join(home, "tiers.html")); err != nil {
		t.Error(err)
	}
}
