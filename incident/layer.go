package incident

// Layer is a part of a machine or cluster that can be to blame.
type Layer string

// The layers, from the bottom up.
const (
	Link        Layer = "cable or link"
	Drive       Layer = "drive"
	Controller  Layer = "controller or PCIe"
	Memory      Layer = "memory or CPU"
	Power       Layer = "power"
	Thermal     Layer = "thermal"
	Network     Layer = "network"
	Session     Layer = "iSCSI, NVMe-oF or NFS session"
	Engine      Layer = "replication engine"
	Volumes     Layer = "ZFS, md or LVM"
	FileSystem  Layer = "file system"
	Hypervisor  Layer = "hypervisor"
	OutOfMemory Layer = "out of memory"
	Clock       Layer = "clock"
	Operator    Layer = "operator"
	Application Layer = "application" // reports errors, is never blamed
)

// Layers returns all layers that can be blamed.
func Layers() []Layer {
	return []Layer{Link, Drive, Controller, Memory, Power, Thermal, Network, Session, Engine, Volumes, FileSystem, Hypervisor, OutOfMemory, Clock, Operator}
}
