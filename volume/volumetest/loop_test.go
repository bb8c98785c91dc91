package volumetest_test

import (
	"os"
	"path/filepath"
	"testing"

	"assay"
	"assay/place/local"
	"assay/volume/volumetest"
)

// A kind that lends in several ways, whose device exists only while lent, and that
// changes an existing property.
func TestLoop(t *testing.T) {
	volumetest.NeedLoop(t)
	volumetest.Test(t, func(t *testing.T) volumetest.Fixture {
		dir := t.TempDir()
		property := filepath.Join(dir, volumetest.Property)
		if err := os.WriteFile(property, []byte("writethrough\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return volumetest.Fixture{
			Volume: volumetest.Loop{}, Place: local.New("here", ""),
			Subject: assay.Subject{ID: "here/directory/" + dir, Kind: assay.KindDirectory, Host: "here", Name: dir},
			Present: func(_ *testing.T, r assay.Receipt) bool {
				_, err := os.Lstat(r.Names["file"])
				return err == nil
			},
			Ways: []assay.Way{{"cache": "writeback"}},
			Property: func(t *testing.T, _ assay.Property) string {
				b, err := os.ReadFile(property)
				if err != nil {
					t.Fatal(err)
				}
				return string(b[:len(b)-1])
			},
		}
	})
}
