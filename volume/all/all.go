package all

import (
	"assay"
	"assay/volume"
	"assay/volume/bucket"
	"assay/volume/dir"
	"assay/volume/ephemeral"
	"assay/volume/hostpath"
	"assay/volume/namespace"
	"assay/volume/pvc"
	"assay/volume/rawblock"
)

// Kinds returns every kind of storage, in the order in which people are told of them.
func Kinds() []volume.Kind {
	return []volume.Kind{
		dir.Describe(),
		hostpath.Describe(),
		pvc.Describe(),
		rawblock.Describe(),
		ephemeral.Describe(),
		bucket.Describe(),
	}
}

// Volumes returns what lends each of them, and the namespace that pods are in.
func Volumes() []assay.Volume {
	all := []assay.Volume{namespace.New()}
	for _, k := range Kinds() {
		all = append(all, k.Volume())
	}
	return all
}
