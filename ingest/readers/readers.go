package readers

import (
	"assay"
	"assay/ingest/facts/ceph"
	"assay/ingest/facts/dmidecode"
	"assay/ingest/facts/drbd"
	"assay/ingest/facts/ethtool"
	"assay/ingest/facts/free"
	"assay/ingest/facts/linstor"
	"assay/ingest/facts/lspci"
	"assay/ingest/facts/zfs"
	"assay/ingest/pasted"
	"assay/probe/dd"
	"assay/probe/fio"
	"assay/probe/iperf2"
	"assay/probe/iperf3"
	"assay/probe/migrate"
	"assay/probe/rados"
	"assay/probe/rbd"
	"assay/probe/s3bench"
	"assay/probe/sensors"
	"assay/probe/smart"
	"assay/probe/sysbench"
	"assay/probe/virsh"
	"assay/probe/warp"
)

// All returns every reader.
func All() []assay.Reader {
	var all []assay.Reader
	for _, m := range Measurers() {
		all = append(all, m)
	}
	for _, l := range Learners() {
		all = append(all, l)
	}
	return all
}

// Measurers returns the readers of figures: the probes whose tools people run
// by hand, and tools that assay only reads.
func Measurers() []assay.Measurer {
	all := []assay.Measurer{
		iperf2.New(),
		rados.New(),
		rbd.New(),
		sensors.New(),
		migrate.New(),
		virsh.New(),
		warp.New(),
		s3bench.New(),
	}
	var probes []assay.Measurer
	for _, p := range []assay.Probe{smart.New(), fio.New(), dd.New(), sysbench.New(), iperf3.New()} {
		probes = append(probes, p.(assay.Measurer))
	}
	return append(append(probes, all...), pasted.Readers()...)
}

// Learners returns the readers of what a machine is, not how fast it is.
func Learners() []assay.Learner {
	return []assay.Learner{
		ceph.New(),
		dmidecode.New(),
		drbd.New(),
		ethtool.New(),
		free.New(),
		linstor.New(),
		lspci.New(),
		zfs.New(),
	}
}
