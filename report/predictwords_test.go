package report

import (
	"testing"

	"assay/analysis"
)

func TestChangesInWords(t *testing.T) {
	for change, want := range map[string]string{
		"pve4.nic=0.05G":    "50 MbE in pve4",
		"pve*.nic=2.5G":     "2.5 GbE in pve*",
		"vms.replicas=2":    "2 replicas of vms",
		"vms.drive=500MB/s": "drives of 500 MB/s under vms",
		"vms.drive=PLP":     "drives with power-loss protection under vms",
		"tank.sync=off":     "sync=off on tank",
	} {
		c, err := analysis.ParseChange(change)
		if got := changesInWords([]analysis.Change{c}); err != nil || got != want {
			t.Errorf("%s: %q (%v), want %q", change, got, err, want)
		}
	}
}
