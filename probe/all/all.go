package all

import (
	"assay"
	"assay/probe/dd"
	"assay/probe/fio"
	"assay/probe/iperf2"
	"assay/probe/iperf3"
	"assay/probe/migrate"
	"assay/probe/rados"
	"assay/probe/rbd"
	"assay/probe/s3"
	"assay/probe/s3bench"
	"assay/probe/sensors"
	"assay/probe/smart"
	"assay/probe/sysbench"
	"assay/probe/thermal"
	"assay/probe/warp"
)

// Probes gives every probe.
func Probes() []assay.Probe {
	return []assay.Probe{
		smart.New(),
		thermal.New(),
		fio.New(),
		dd.New(),
		sysbench.New(),
		iperf3.New(),
		s3.New(),
	}
}

// Readers gives all who read figures from what somebody else ran: the probes
// whose tools people run by hand, and tools that assay only reads.
func Readers() []assay.Measurer {
	var all []assay.Measurer
	for _, p := range Probes() {
		if m, ok := p.(assay.Measurer); ok {
			all = append(all, m)
		}
	}
	return append(all,
		iperf2.New(),
		rados.New(),
		rbd.New(),
		sensors.New(),
		migrate.New(),
		warp.New(),
		s3bench.New(),
	)
}
