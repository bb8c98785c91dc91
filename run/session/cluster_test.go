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
	}
	if got := resourcesOf(c); !slices.EqualFunc(got, want, func(a, b assay.Resource) bool {
		return a.Name == b.Name && slices.Equal(a.Hosts, b.Hosts) && slices.Equal(a.Networks, b.Networks) && slices.Equal(a.Directories, b.Directories)
	}) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
