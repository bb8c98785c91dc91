package analysis

import (
	"testing"

	"assay"
)

// A journal's writes, 4 KiB after 4 KiB, are sequential but no large transfer: on a
// drive that is overwritten they come before the others.
func TestALargeTransferHasLargeBlocks(t *testing.T) {
	run := assay.Run{Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "pve1"}}}}
	for _, c := range []struct {
		name, title, bs string
		iops, bandwidth float64
	}{
		{"syncwrite-4k-seq", "4 KiB sequential synchronous write at depth 1", "4k", 305, 1.25e6},
		{"fill-1m", "1 MiB sequential write over and over", "1m", 1060, 1.11e9},
	} {
		labels := map[string]string{"bs": c.bs, "pattern": "write"}
		run.Results = append(run.Results, assay.Result{
			Trial: assay.Trial{ID: c.name, Probe: "fio", Case: c.name, Title: c.title, Repeats: 1,
				Subject: assay.Subject{ID: "pve1/block//dev/sda", Kind: assay.KindBlock, Host: "pve1", Name: "/dev/sda"}},
			Scratch: assay.Scratch{File: "/dev/sda", Bytes: 4 << 30},
			Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
				{Metric: "storage.write.iops", Value: c.iops, Unit: assay.PerSecond, Labels: labels},
				{Metric: "storage.write.bandwidth", Value: c.bandwidth, Unit: assay.BytesPerSecond, Labels: labels},
			}}},
		})
	}
	f := Of(run)
	if got := f.transfer("write"); got == nil || got.Value != 1.11e9 {
		t.Errorf("%+v", got)
	}
}
