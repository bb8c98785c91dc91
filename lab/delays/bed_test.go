package delays

import (
	"os"
	"path/filepath"
	"testing"

	"assay/run/session"
)

func TestTheBedsFileIsRead(t *testing.T) {
	for _, stack := range []Stack{Emulated, Native} {
		file := filepath.Join(t.TempDir(), "layers.yaml")
		if err := os.WriteFile(file, []byte(stack.clusterText("/run/bed/ssh_config")), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := session.ReadCluster(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Hosts) != 2 || len(c.Networks) != 1 || c.Tiers[0].Name != stack.Bottom || c.Tiers[len(c.Tiers)-1].Name != Both {
			t.Errorf("%+v", c)
		}
	}
}
