package report

import (
	"testing"

	"assay/analysis"
)

func TestASlowOSDIsNamedWithItsDrive(t *testing.T) {
	o := analysis.SlowOSD{Name: "osd.2", Host: "pve3", Devices: []string{"sdb"}, Commit: .085, Others: .012, Stood: 14, Looks: 18}
	const what = " takes 85.0 ms to commit a write, the other OSDs 12.0 ms (ceph osd perf, in 14 of 18 looks). A write waits for its slowest copy: check that drive."
	if got := slowOSDWords(o); got != "osd.2 on pve3 (sdb)"+what {
		t.Error(got)
	}
	o.Host, o.Devices = "", nil
	if got := slowOSDWords(o); got != "osd.2"+what {
		t.Error(got)
	}
}
