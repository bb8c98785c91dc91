package hoststest_test

import (
	"os"
	"testing"

	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
)

func TestTheLabEndsWithItsTest(t *testing.T) {
	var dir string
	t.Run("a test with a lab", func(t *testing.T) {
		l := hoststest.Up(t, hosts.Standard(1))
		dir = l.Dir
		if !l.Alive()["host1"] {
			t.Error("host1 is not up")
		}
	})
	if _, err := os.Stat(dir); dir != "" && err == nil {
		t.Errorf("%s is still there", dir)
	}
}
