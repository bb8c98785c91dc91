package tierfaults

import (
	"os"
	"testing"

	"assay/lab/internal/laptop"
	"assay/lab/tiers/tierstest"
)

// atOnce is how many cases run at the same time where -parallel does not say. Most
// of them wait for pods.
const atOnce = 6

// The assay that the tests run is a static program.
func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "tierfaults", atOnce, "CGO_ENABLED=0")) }

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
