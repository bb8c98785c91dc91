package tierfaults

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"assay/lab/tiers/tierstest"
)

// atOnce is how many cases run at the same time where -parallel does not say. Most
// of them wait for pods.
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
	dir, err := os.MkdirTemp("", "tierfaults-")
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
	build := exec.Command("go", "build", "-o", file, "assay/cmd/assay")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build assay: %w\n%s", err, out)
	}
	return file, nil
})

// TestFaults has one lab for all. What leaves the cluster whole is tried at once;
// what takes a part of it away follows, one after the other.
func TestFaults(t *testing.T) {
	b := newBed(t, tierstest.Up(t))
	type part struct {
		name string
		test func(*testing.T, *bed)
	}
	t.Run("of one run", func(t *testing.T) {
		for _, p := range []part{
			{"refused", refusals}, {"tier that cannot be", oneTierRefused}, {"rights", rights},
			{"interrupted early", interruptedEarly}, {"interrupted", interrupted},
			{"killed early", killedEarly}, {"killed", killed}, {"killed and run again", killedAndRunAgain}, {"kept", kept},
			{"store that is off", storeOff}, {"wrong token", wrongToken}, {"corrupt", corrupt}, {"store that goes away", storeGoesAway},
		} {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				p.test(t, b)
			})
		}
	})
	b.expectAsBefore(t)
	for _, p := range []part{
		{"everything", everything}, {"readme", readmeIsTrue}, {"drained", drained}, {"kubelet stopped", kubeletStopped},
		{"cut and restarted", cutAndRestarted}, {"no API server at the end", noServerAtTheEnd},
	} {
		t.Run(p.name, func(t *testing.T) {
			p.test(t, b)
			b.expectAsBefore(t)
		})
	}
}
