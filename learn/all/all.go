package all

import (
	"assay"
	"assay/learn/ceph"
	"assay/learn/dmidecode"
	"assay/learn/drbd"
	"assay/learn/ethtool"
	"assay/learn/free"
	"assay/learn/linstor"
	"assay/learn/lspci"
	"assay/learn/zfs"
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
