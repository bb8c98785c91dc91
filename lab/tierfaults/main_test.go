package tierfaults

import (
	"os"
	"testing"

	"assay/lab/internal/laptop"
	"assay/lab/tiers/tierstest"
)

// atOnce is how many cases run in parallel without -parallel. Most of them wait
// for pods.
const atOnce = 6

// The tests run a statically linked assay.
func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "tierfaults", atOnce, "CGO_ENABLED=0")) }

// TestFaults runs all tests in one lab. Those that leave the cluster intact run
// in parallel; those that take parts of it away follow, one by one.
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
			{"killed early", killedEarly}, {"killed", killed}, {"killed and run again", killedAndRunAgain}, {"kept", kept}, {"resumed", resumed},
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
		{"looked at", lookedAt}, {"everything", everything}, {"readme", readmeIsTrue}, {"drained", drained}, {"kubelet stopped", kubeletStopped},
		{"cut and restarted", cutAndRestarted}, {"no API server at the end", noServerAtTheEnd},
	} {
		t.Run(p.name, func(t *testing.T) {
			p.test(t, b)
			b.expectAsBefore(t)
		})
	}
}
