package session

import (
	"slices"
	"testing"

	"assay"
)

// Every kind of resource in the file reaches the inventory.
func TestResourcesReachTheInventory(t *testing.T) {
	c, err := ReadCluster("../../inventory/cluster/testdata/valid/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Resource{
		{Name: "uplink", Networks: []string{"storage"}},
		{Name: "circuit-1", Hosts: []string{"pve1", "pve2"}},
		{Name: "pool", Hosts: []string{"pve1", "pve3"}, Directories: []string{"/srv"}},
		{Name: "export", Networks: []string{"mesh"}, Directories: []string{"/srv", "/mnt/with blanks"}},
		{Name: "hypervisor pve1", Hosts: []string{"pve1", "web", "bench-1"}},
		{Name: "hypervisor pve3", Hosts: []string{"pve3", "db", "old", "cloud-1"}},
		{Name: "hypervisor pve2", Hosts: []string{"pve2", "win", "bench-2"}},
	}
	if got := resourcesOf(c); !slices.EqualFunc(got, want, func(a, b assay.Resource) bool {
		return a.Name == b.Name && slices.Equal(a.Hosts, b.Hosts) && slices.Equal(a.Networks, b.Networks) && slices.Equal(a.Directories, b.Directories)
	}) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A run may be restricted to some of the file's networks, by name.
func TestChosenNetworks(t *testing.T) {
	c, err := ReadCluster("../../inventory/cluster/testdata/valid/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	names := func(networks []assay.Network) (out []string) {
		for _, n := range networks {
			out = append(out, n.Name)
		}
		return out
	}
	all, err := Target{}.chosenNetworks(c)
	if err != nil || len(all) < 2 || !slices.Contains(names(all), "storage") {
		t.Fatalf("%v: %v", names(all), err)
	}
	one, err := Target{Networks: []string{"storage"}}.chosenNetworks(c)
	if err != nil || !slices.Equal(names(one), []string{"storage"}) {
		t.Errorf("%v: %v", names(one), err)
	}
	if _, err := (Target{Networks: []string{"storage", "storge"}}).chosenNetworks(c); err == nil || assay.Hint(err) == "" {
		t.Errorf("no such network: %v", err)
	}
}
