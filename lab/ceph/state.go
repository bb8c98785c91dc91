package ceph

import "assay/lab/internal/home"

// state is what must be known about a lab. It is on disk before anything is made;
// what to take down is in the hosts' state.
type state struct {
	Options Options `json:"options"`
	FSID    string  `json:"fsid"`
	Ready   bool    `json:"ready"` // everything was made
}

const (
	hostsDir    = "hosts" // a lab of lab/hosts
	clusterFile = "cluster.yaml"
	imagesFile  = "rbd.yaml"
)

func homeOf(dir string) home.Home {
	return home.Home{Dir: dir, State: "ceph.json", Files: []string{hostsDir, clusterFile, imagesFile}}
}
