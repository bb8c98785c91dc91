package rbd

import (
	_ "embed" // the schema

	"assay"
	"assay/volume"
	"assay/volume/cephpool"
)

//go:embed schema.json
var schema string

// Describe returns the kind: an image in a Ceph pool, measured by hosts with a
// keyring.
func Describe() volume.Kind {
	return volume.Kind{
		Word: "rbd", Schema: schema,
		Where:  volume.Where{Hosts: true},
		New:    func() volume.Storage { return &cephpool.Storage{Made: assay.KindImage, Images: true} },
		Volume: func() assay.Volume { return New() },
	}
}
