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

// Kinds returns every kind of storage, in the order in which people are told of them.
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

// Volumes returns what lends each of them, and what no tier needs to be made of: drives, directories of
// Windows, guests that are moved, and what is stopped.
func Volumes() []assay.Volume {
	all := []assay.Volume{device.New(), folder.New(), moved.New(), stopped.New()}
	for _, k := range Kinds() {
		all = append(all, k.Volume())
	}
	return all
}

// Journalled returns whatever a receipt may be of: the volumes, the namespace that
// pods are in, and guests that are made for a run, with what they are made of.
func Journalled() []assay.Journalled {
	all := []assay.Journalled{namespace.New(), clone.New(), clone.Images{}}
	for _, v := range Volumes() {
		all = append(all, v)
	}
	return all
}
