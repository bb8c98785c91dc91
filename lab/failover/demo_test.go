package failover

import (
	"testing"

	"assay/lab/internal/laptop"
)

// TestDemo cuts, under load, the link of a host that holds a keepalived address.
func TestDemo(t *testing.T) {
	laptop.Demo(t)
	b := newBed(t)
	b.startKeepalived(t)
	l := b.laptopWith(cutUnderLoad)
	l.Show("vms-failover", "run", "-i", l.File, "--suite", "failover", "--repeats", "1", "--time-budget", "10m")
	b.expectHome(t)
}
