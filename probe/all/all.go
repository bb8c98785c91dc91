package all

import (
	"assay"
	"assay/probe/dd"
	"assay/probe/fio"
	"assay/probe/smart"
	"assay/probe/sysbench"
	"assay/probe/thermal"
)

// Probes gives every probe.
func Probes() []assay.Probe {
	return []assay.Probe{
		smart.New(),
		thermal.New(),
		fio.New(),
		dd.New(),
		sysbench.New(),
	}
}
