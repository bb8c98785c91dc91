package all_test

import (
	"os"
	"os/exec"
	"testing"

	"assay"
	"assay/place/local"
	"assay/volume/ephemeral"
	"assay/volume/hostpath"
	"assay/volume/volumetest"
)

// TestMounted runs the conformance suite for the kinds that lend directories
// mounted in a pod, on a file system of this machine.
func TestMounted(t *testing.T) {
	mount := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=200m", "assay-test", mount).CombinedOutput(); err != nil {
		t.Skipf("needs root to mount a tmpfs: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", mount).Run() })
	for _, v := range []assay.Volume{ephemeral.New(), hostpath.New()} {
		t.Run(v.Kind(), func(t *testing.T) {
			volumetest.Test(t, func(*testing.T) volumetest.Fixture {
				return volumetest.Fixture{Volume: v, Place: local.New("tier", ""),
					Subject: assay.Subject{ID: "tier/directory" + mount, Kind: assay.KindDirectory, Host: "tier", Name: mount},
					Present: func(_ *testing.T, r assay.Receipt) bool {
						_, err := os.Lstat(r.Names["dir"])
						return err == nil
					}}
			})
		})
	}
}
