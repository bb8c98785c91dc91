package session

import (
	"testing"

	"assay"
)

// Cleanup names a setting as restored, and space as removed, even if lending it changed
// a setting.
func TestReceiptsAreNamed(t *testing.T) {
	cache := []assay.Property{{Of: "/dev/disk/by-id/ata-X_S1", Name: "write_cache", Value: "on"}}
	for _, c := range []struct {
		r              assay.Receipt
		name, restores string
	}{
		{assay.Receipt{Subject: "pve1/block/x", Restore: cache}, "write_cache=on of /dev/disk/by-id/ata-X_S1", "write_cache=on of /dev/disk/by-id/ata-X_S1"},
		{assay.Receipt{Subject: "pve1/block/x", Bytes: 1 << 30}, "pve1/block/x", ""},
		{assay.Receipt{Subject: "s", Bytes: 1 << 30, Restore: cache, Names: map[string]string{"dir": "/tank/.assay-1"}}, "/tank/.assay-1", ""},
		{assay.Receipt{Names: map[string]string{"namespace": "assay-1"}}, "assay-1", ""},
	} {
		if name, restores := NameOf(c.r), Restores(c.r); name != c.name || restores != c.restores {
			t.Errorf("%+v: %q, %q", c.r, name, restores)
		}
	}
}
