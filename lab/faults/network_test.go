package faults

import (
	"testing"

	"assay/lab/hosts"
)

// Stale servers keep their ports, and are left alone.
func TestStaleServers(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := newBed(t, 2)
	stale := []string{"5201", "5202"} // assay's first choice, and the next
	for _, port := range stale {
		b.breakHost("host2", hosts.StaleServer, port)
	}
	b.remember("host2")
	o := b.measure(short, 2, quickLink...).end()
	o.expectMeasured()
	o.expectLink("host1", "host2")
	o.expectLink("host2", "host1")
	b.expectNothingLeft()
	for _, port := range stale {
		if !enter(t, b.lab, "host2").runs("iperf3", "--server", port) {
			t.Errorf("the server on port %s was ended", port)
		}
	}
}

// If a firewall drops traffic to the server, the report names it and the port.
// The other direction is measured, and so are other hosts' links.
func TestFirewallDropsThePort(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := newBed(t, 3)
	b.breakHost("host3", hosts.Firewall, "5201")
	o := b.measure(short, 1, quickLink...).end()
	o.expectExit(partial)
	o.expectLink("host1", "host2")
	o.expectLink("host2", "host1")
	o.expectLink("host3", "host1")
	o.expectLink("host3", "host2")
	o.expectSaid("host3", "5201", "firewall")
	b.expectNothingLeft()
}
