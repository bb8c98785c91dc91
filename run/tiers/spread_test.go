package tiers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/inventory/cluster"
	"assay/volume/all"
)

const mirrored = `
hosts: {pve1: 10.0.0.1, pve2: 10.0.0.2, pve3: 10.0.0.3}
tiers:
  mirror: {host: pve1, drbd: {replicas: {pve1: 10.1.0.1, pve2: 10.1.0.2}, volume_group: vms}}
  local: {host: pve3, directory: /srv}
`

// Hosts with parts of a tier are asked and reserved like those that measure it, and two
// trials share them as one resource.
func TestPartsOnOtherHosts(t *testing.T) {
	opened := func(text string) (*Deployment, error) {
		c, err := cluster.Read("cluster.yaml", []byte(text), all.Kinds()...)
		if err != nil {
			t.Fatal(err)
		}
		return Open(Options{Cluster: c, Tiers: c.Tiers, Here: "here", Remote: func(h cluster.Host) (assay.Place, error) { return nowhere{assay.Host{Name: h.Name}}, nil }})
	}
	d, err := opened(mirrored)
	if err != nil {
		t.Fatal(err)
	}
	asked := func() string {
		var names []string
		for _, a := range d.Asked() {
			names = append(names, a.Place.Host().Name)
		}
		slices.Sort(names)
		return strings.Join(names, " ")
	}
	if got := asked(); got != "pve1 pve2 pve3" {
		t.Errorf("asked are %s", got)
	}
	if got := fmt.Sprint(d.shared()); got != "[{the hosts of tier mirror [] [pve1 pve2] []}]" {
		t.Error(got)
	}
	d.Restrict(d.options.Tiers[1:])
	if got := asked(); got != "pve3" || len(d.shared()) > 0 {
		t.Errorf("without the mirror asked are %s", got)
	}
	if _, err := opened(strings.Replace(mirrored, "pve2: 10.1", "pve9: 10.1", 1)); err == nil || !strings.Contains(err.Error(), `tier mirror: no host "pve9"`) {
		t.Error(err)
	}
}

const inGuests = `
hosts: {pve1: 10.0.0.1, pve2: 10.0.0.2}
vms:
  web: {on: pve1, proxmox: 101}
  old: {on: pve2, address: 10.0.0.33}
tiers:
  none: {host: web, vmdisk: {storage: local}}
  ssh: {host: old, directory: /srv}
`

// If a measuring guest is reached through its hypervisor, that hypervisor is asked too: it is
// watched during the run, and reports what backs the guest's disks.
func TestHypervisorsAreAsked(t *testing.T) {
	c, err := cluster.Read("cluster.yaml", []byte(inGuests), all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(Options{Cluster: c, Tiers: c.Tiers, Here: "here", Remote: func(h cluster.Host) (assay.Place, error) { return nowhere{assay.Host{Name: h.Name}}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range d.Asked() {
		names = append(names, a.Place.Host().Name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "old pve1 web" {
		t.Errorf("asked are %s", got)
	}
}
