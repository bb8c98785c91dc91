package all

import (
	"assay"
	"assay/probe/dd"
	"assay/probe/diskspd"
	"assay/probe/failover"
	"assay/probe/fio"
	"assay/probe/iperf3"
	"assay/probe/migrate"
	"assay/probe/rados"
	"assay/probe/rbd"
	"assay/probe/s3"
	"assay/probe/smart"
	"assay/probe/sysbench"
	"assay/probe/thermal"
	"assay/probe/virsh"
)

// Probes returns every probe.
func Probes() []assay.Probe {
	return []assay.Probe{
		smart.New(),
		thermal.New(),
		fio.New(),
		diskspd.New(),
		dd.New(),
		sysbench.New(),
		iperf3.New(),
		s3.New(),
		rados.New(),
		rbd.New(),
		virsh.New(),
		migrate.New(),
		failover.New(),
	}
}
