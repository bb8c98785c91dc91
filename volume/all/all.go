package all

import (
	"assay"
	"assay/kube"
	"assay/volume/bucket"
	"assay/volume/dir"
	"assay/volume/ephemeral"
	"assay/volume/hostpath"
	"assay/volume/namespace"
	"assay/volume/pvc"
	"assay/volume/rawblock"
)

// Volumes gives every kind of volume.
func Volumes() []assay.Volume {
	return []assay.Volume{
		dir.New(),
		bucket.New(kube.Secret),
		ephemeral.New(),
		hostpath.New(),
		namespace.New(),
		pvc.New(),
		rawblock.New(),
	}
}
