package all

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
)

// Learners gives every learner.
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
