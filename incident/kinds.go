package incident

// Kind is what a line says, in the words that a timeline shows.
type Kind string

// What the block layer and SCSI say.
const (
	MediumError     Kind = "medium error"
	WriteReadError  Kind = "write answered with a read error"
	IOError         Kind = "I/O error"
	HardwareError   Kind = "hardware error (sense 4)"
	AbortedCommand  Kind = "command aborted by the device"
	TargetError     Kind = "target error"
	SpaceError      Kind = "no space on the device behind"
	TransportError  Kind = "transport error"
	NoConnect       Kind = "device not reachable"
	CommandTimeout  Kind = "command timed out"
	DeviceOffline   Kind = "device taken offline"
	DeviceReset     Kind = "device was powered on or reset"
	TaskAbort       Kind = "driver aborts a command"
	HBAInfo         Kind = "HBA reports a link event"
	HBAFault        Kind = "HBA fault or reset"
	DriveIdentified Kind = "drive identified"
)

// What libata says.
const (
	ATACRC        Kind = "SATA CRC error"
	ATALinkError  Kind = "SATA link error (SError)"
	ATAMedia      Kind = "unreadable sector (UNC)"
	ATATimeout    Kind = "ATA command timed out"
	ATABusError   Kind = "ATA bus error"
	ATAFatal      Kind = "SATA interface fatal error"
	ATAReset      Kind = "SATA link reset"
	ATASlowed     Kind = "SATA link slowed down"
	ATALinkDown   Kind = "SATA link down"
	ATADead       Kind = "ATA device given up"
	ATADeviceFail Kind = "ATA device error"
	ATAAborted    Kind = "read refused (ABRT)"
	DriveLocked   Kind = "drive locked"
)

// What drives say of themselves.
const (
	SMARTFailed   Kind = "SMART status FAILED"
	SMARTPending  Kind = "pending or uncorrectable sectors"
	SMARTRealloc  Kind = "reallocated sectors"
	SMARTCRC      Kind = "CRC errors counted by the drive"
	SMARTMedia    Kind = "media errors counted by the drive"
	SMARTSelfTest Kind = "self-test found a read failure"
	SMARTErrorLog Kind = "unreadable sector in the drive's error log"
	SMARTWarning  Kind = "NVMe critical warning"
	SMARTClean    Kind = "drive reports no errors"
	SMARTUnsafe   Kind = "unsafe shutdowns"
	SMARTWorn     Kind = "drive worn out"
	SMARTUnread   Kind = "drive does not answer SMART"
)

// What the NVMe driver and PCI Express say.
const (
	NVMeMedia     Kind = "NVMe media error"
	NVMeDenied    Kind = "NVMe drive denies access"
	NVMeInternal  Kind = "NVMe internal error"
	NVMeTimeout   Kind = "NVMe command timed out"
	NVMePolled    Kind = "NVMe interrupt lost"
	NVMeDown      Kind = "NVMe controller down"
	NVMeGone      Kind = "NVMe controller gone from the bus"
	NVMeDead      Kind = "NVMe controller given up"
	NVMePower     Kind = "NVMe power state suspected"
	AERCorrected  Kind = "PCIe corrected error"
	AERFatal      Kind = "PCIe uncorrected error"
	PCIeDown      Kind = "PCIe link down"
	PCIeNarrow    Kind = "PCIe link below its best"
	IOMMUFault    Kind = "IOMMU fault"
	PowerStateErr Kind = "device does not leave its power state"
)

// What file systems say.
const (
	FSError    Kind = "file system error"
	FSAbort    Kind = "journal aborted or file system shut down"
	FSReadOnly Kind = "file system went read-only"
	FSCorrupt  Kind = "file system structure corrupt"
	FSChecksum Kind = "checksum error in data"
	FSDevErrs  Kind = "btrfs device error counters"
	NoSpace    Kind = "no space left"
	FSFull     Kind = "file system full"
)

// What sessions and networks say.
const (
	ISCSIConn    Kind = "iSCSI connection error"
	ISCSIDead    Kind = "iSCSI session given up"
	ISCSILogin   Kind = "iSCSI login failed"
	NVMeOFConn   Kind = "NVMe-oF connection lost"
	NFSDown      Kind = "NFS server not responding"
	FCDown       Kind = "Fibre Channel link or port lost"
	PathFailed   Kind = "multipath path failed"
	NICDown      Kind = "network link down"
	NICUp        Kind = "network link up"
	NICSlow      Kind = "network link at a low speed"
	NICHang      Kind = "network card hangs"
	BondDown     Kind = "bond lost a link"
	NICNoLink    Kind = "network port in use without a link"
	ClusterNet   Kind = "cluster network lost"
	ConntrackMax Kind = "connection table full"
	NoRoute      Kind = "no route or no answer"
)

// What replication engines and volume managers say.
const (
	DRBDNet      Kind = "DRBD peer lost"
	DRBDSplit    Kind = "DRBD split brain"
	DRBDAlone    Kind = "DRBD stands alone"
	DRBDDisk     Kind = "DRBD lost its disk"
	DRBDQuorum   Kind = "DRBD lost quorum"
	CephNoReply  Kind = "OSD heartbeat unanswered"
	CephSlow     Kind = "Ceph slow ops"
	CephDown     Kind = "Ceph OSD down"
	CephFull     Kind = "Ceph full or nearly full"
	CephScrub    Kind = "Ceph scrub found errors"
	CephSocket   Kind = "Ceph socket closed"
	CephSlowPing Kind = "Ceph slow heartbeats"
	CephMonDown  Kind = "Ceph monitor down"
	CephDegraded Kind = "Ceph degraded or inactive"
	CephStalled  Kind = "OSD sees a slow or failing disk"
	RBDBlocked   Kind = "RBD client blocklisted"
	ReplicaError Kind = "replica failed"
	EngineFault  Kind = "volume faulted"
	EngineSlow   Kind = "replica timed out"
	DiskPressure Kind = "node has disk pressure"
	ZFSIO        Kind = "ZFS read or write errors"
	ZFSChecksum  Kind = "ZFS checksum errors"
	ZFSSuspended Kind = "ZFS pool suspended"
	ZFSFaulted   Kind = "ZFS device faulted or missing"
	MDFailed     Kind = "md member failed"
	MDKicked     Kind = "md member kicked as not fresh"
	MapFails     Kind = "mapped device returns errors by its table"
	MapDelays    Kind = "mapped device delays requests by its table"
	MapSuspended Kind = "mapped device suspended"
	LoopShort    Kind = "loop device longer than its file"
	ThinFull     Kind = "thin pool full"
	PVMissing    Kind = "physical volume missing"
)

// What else hosts say.
const (
	EDACCorrected Kind = "memory error corrected"
	EDACFatal     Kind = "memory error not corrected"
	MCE           Kind = "machine check"
	BadPage       Kind = "kernel memory corrupt"
	OOM           Kind = "out of memory"
	OOMCgroup     Kind = "out of memory within a limit"
	HungTask      Kind = "task blocked"
	CPUStall      Kind = "CPU stall"
	USBReset      Kind = "USB device reset"
	USBAbort      Kind = "USB storage command aborted"
	USBDescriptor Kind = "USB device does not answer"
	USBCurrent    Kind = "USB over-current"
	USBGone       Kind = "USB device disconnected"
	USBHost       Kind = "USB controller died"
	Throttled     Kind = "CPU throttled by heat"
	TooHot        Kind = "critical temperature"
	UnderVoltage  Kind = "under-voltage"
	PowerLost     Kind = "power supply lost"
	ClockUnstable Kind = "clock source unstable"
	ClockStepped  Kind = "clock wrong or stepped"
	ClockSkew     Kind = "clock skew between hosts"
	CertNotYet    Kind = "certificate not valid yet"
	MMCError      Kind = "SD or eMMC error"
	GuestDisk     Kind = "virtual disk error"
	HostPaused    Kind = "guest paused by its host"
	Booted        Kind = "boot"
	Rebooted      Kind = "reboot or shutdown"
	Upgraded      Kind = "package upgraded"
	Drained       Kind = "node drained or cordoned"
	PodCrash      Kind = "pod crash loop"
	AppIO         Kind = "application saw an I/O error"
	AppReadOnly   Kind = "application saw a read-only file system"
	MountFailed   Kind = "volume not mounted or attached"
	NodeNotReady  Kind = "node not ready"
)
