package failover

import (
	"testing"

	"assay/lab/internal/laptop"
)

// TestDemo cuts the link of a host that has an address of keepalived.
func TestDemo(t *testing.T) {
	laptop.Demo(t)
	b := newBed(t)
	b.startKeepalived(t)
	l := b.laptopWith("  vip: {host: host1, confirm: host1, link: eth1, address: ADDRESS, observers: [host3, host4]}\n")
	l.Show("vms-failover", "run", "-i", l.File, "--suite", "failover", "--repeats", "1", "--time-budget", "10m")
	b.expectHome(t)
}
