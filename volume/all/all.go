package all

import (
	"assay"
	"assay/volume"
	"assay/volume/bucket"
	"assay/volume/cephpool"
	"assay/volume/clone"
	"assay/volume/device"
	"assay/volume/dir"
	"assay/volume/drbd"
	"assay/volume/ephemeral"
	"assay/volume/folder"
	"assay/volume/hostpath"
	"assay/volume/linstor"
	"assay/volume/moved"
	"assay/volume/namespace"
	"assay/volume/pvc"
	"assay/volume/radosspace"
	"assay/volume/rawblock"
	"assay/volume/rbd"
	"assay/volume/stopped"
	"assay/volume/vmdisk"
	"assay/volume/zfs"
)

// Kinds returns every kind of storage, in display order.
func Kinds() []volume.Kind {
	return []volume.Kind{
		dir.Describe(),
		hostpath.Describe(),
		pvc.Describe(),
		rawblock.Describe(),
		ephemeral.Describe(),
		bucket.Describe(),
		cephpool.Describe(),
		radosspace.Describe(),
		rbd.Describe(),
		zfs.Describe(),
		drbd.Describe(),
		linstor.Describe(),
		vmdisk.Describe(),
	}
}

// Volumes returns the volume of each of them, and those that need no tier: drives, directories
// of Windows, guests that are moved, and whatever is stopped.
func Volumes() []assay.Volume {
	all := []assay.Volume{device.New(), folder.New(), moved.New(), stopped.New()}
	for _, k := range Kinds() {
		all = append(all, k.Volume())
	}
	return all
}

// Journalled returns everything that a receipt may be for: the volumes, the
// namespace of pods, and guests made for a run, with the images they are made of.
func Journalled() []assay.Journalled {
	all := []assay.Journalled{namespace.New(), clone.New(), clone.Images{}}
	for _, v := range Volumes() {
		all = append(all, v)
	}
	return all
}
