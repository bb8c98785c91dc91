package faults

import (
	"testing"

	"assay/lab/hosts"
)

// Servers that somebody left behind keep their ports, and are left alone.
func TestStaleServers(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := newBed(t, 2)
	stale := []string{"5201", "5202"} // the first that assay would take, and the next
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

// A firewall that drops what goes to the server is named with the port. The
// other direction is measured, and so are the links of others.
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
