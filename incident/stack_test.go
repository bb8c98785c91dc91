package incident_test

import (
	"testing"

	"assay/incident"
)

func TestControllerOf(t *testing.T) {
	for name, want := range map[string]string{
		"nvme0n1": "nvme0", "nvme12n3": "nvme12", "nvme0n1p2": "nvme0", "nvme0c1n1": "nvme0c1", "nvme0": "nvme0", "nvme": "nvme", "sda1": "sda",
		"nvme-Samsung_SSD_980_PRO_1TB_A": "nvme-Samsung_SSD_980_PRO_1TB_A", "nvme-eui.0025": "nvme-eui.0025", "nvme0n": "nvme0n", "nvmen1": "nvmen1",
	} {
		if got := incident.ControllerOf(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
