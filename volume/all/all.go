package all

import (
	"assay"
	"assay/volume/dir"
)

// Volumes gives every kind of volume.
func Volumes() []assay.Volume {
	return []assay.Volume{
		dir.New(),
	}
}
