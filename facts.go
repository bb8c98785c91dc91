package assay

import "time"

// Facts describe a machine. Unknown numbers are 0, strings "" and booleans nil; each
// is then listed in Missing with a way to get it.
type Facts struct {
	Host   string        `json:"host"`
	Taken  time.Time     `json:"taken"`
	OS     OSFacts       `json:"os"`
	CPU    CPUFacts      `json:"cpu"`
	Memory MemoryFacts   `json:"memory"`
	Block  []BlockDevice `json:"block,omitempty"`
	Dirs   []DirFacts    `json:"dirs,omitempty"` // the directories that were asked about
	Pools  []PoolFacts   `json:"pools,omitempty"`
	NICs   []NICFacts    `json:"nics,omitempty"`
	Stack  *StackFacts   `json:"stack,omitempty"`  // the replicated storage it uses
	Claim  *ClaimFacts   `json:"claim,omitempty"`  // of Kubernetes, that it has mounted
	Guest  *GuestFacts   `json:"guest,omitempty"`  // what its hypervisor says of it
	RTT    float64       `json:"rtt,omitempty"`    // s, to the peer that its figures are about
	Limits *LimitFacts   `json:"limits,omitempty"` // nil: unknown
	Clock  *ClockFacts   `json:"clock,omitempty"`
	// Synchronised reports whether something keeps the clock on time (NTP).
	Synchronised *bool         `json:"synchronised,omitempty"`
	Sensors      []Sensor      `json:"sensors,omitempty"`
	Tools        []ToolFacts   `json:"tools,omitempty"`
	Packager     string        `json:"packager,omitempty"` // apt, dnf, pacman, apk
	Root         bool          `json:"root"`               // commands run as root
	DropCaches   bool          `json:"drop_caches"`        // /proc/sys/vm/drop_caches is writable
	IOUring      *bool         `json:"io_uring,omitempty"` // the kernel lets this user use it
	Missing      []MissingFact `json:"missing,omitempty"`
}

// GuestFacts is a virtual machine as configured on its hypervisor.
type GuestFacts struct {
	Hypervisor string `json:"hypervisor"`        // the host that it runs on
	CPU        string `json:"cpu,omitempty"`     // host, or the model that it is shown
	Machine    string `json:"machine,omitempty"` // pc, q35, …
	// Template is what it was created from for the run; "" if it exists
	// independently.
	Template string      `json:"template,omitempty"`
	Disks    []GuestDisk `json:"disks,omitempty"`
}

// GuestDisk is a virtual disk.
type GuestDisk struct {
	Name     string `json:"name"` // on the hypervisor: scsi0, vda
	Bus      string `json:"bus,omitempty"`
	Storage  string `json:"storage,omitempty"` // of Proxmox VE, or the pool of libvirt, that it is in
	Source   string `json:"source,omitempty"`  // a file, a device, an image of a pool
	Serial   string `json:"serial,omitempty"`  // as the guest sees it, where one was given
	Cache    string `json:"cache,omitempty"`   // none, writeback, writethrough, directsync, unsafe
	AIO      string `json:"aio,omitempty"`     // io_uring, native, threads; "" leaves it to QEMU
	IOThread bool   `json:"iothread,omitempty"`
	// Device is the kernel name of the hypervisor's block device that Source is or
	// lies on; "" if unknown, and on ZFS, NFS, btrfs or Ceph.
	Device string `json:"device,omitempty"`
}

// LimitFacts is what the control group that commands run in, and all visible groups
// above it, may use: the lowest limit of each kind.
type LimitFacts struct {
	CPU    float64   `json:"cpu,omitempty"`    // CPUs; 0: no quota
	Memory int64     `json:"memory,omitempty"` // B; 0: no less than there is
	IO     []IOLimit `json:"io,omitempty"`
}

// IOLimit is what a control group may do on one device; 0: no limit.
type IOLimit struct {
	Device     string `json:"device"`               // kernel name, or major:minor
	ReadBytes  int64  `json:"read_bytes,omitempty"` // B/s
	WriteBytes int64  `json:"write_bytes,omitempty"`
	Reads      int64  `json:"reads,omitempty"` // a second
	Writes     int64  `json:"writes,omitempty"`
}

// ClockFacts is the offset of a host's clock from that of the machine that
// asked.
type ClockFacts struct {
	Offset float64 `json:"offset"` // s; positive: ahead
	Within float64 `json:"within"` // s: it is at most this much more or less
}

// MissingFact names a fact that could not be determined, and how to get it.
type MissingFact struct {
	Fact string `json:"fact"` // as in "dimm speed", "sda pcie link"
	Why  string `json:"why"`
	Hint string `json:"hint,omitempty"`
}

// OSFacts is the system software.
type OSFacts struct {
	Windows      bool   `json:"windows,omitempty"` // it runs Windows; Kernel is then its version and build
	Hostname     string `json:"hostname,omitempty"`
	Distribution string `json:"distribution,omitempty"` // "Debian GNU/Linux 12 (bookworm)"
	Kernel       string `json:"kernel,omitempty"`
	Arch         string `json:"arch,omitempty"`
	BootID       string `json:"boot_id,omitempty"`
	Machine      string `json:"machine,omitempty"` // vendor and product
	BIOS         string `json:"bios,omitempty"`
	Container    string `json:"container,omitempty"` // docker, lxc, … or ""
	// CommandLine is the part of the kernel's command line that affects
	// performance.
	CommandLine string            `json:"command_line,omitempty"`
	IOMMU       string            `json:"iommu,omitempty"`      // its units, or off
	HugePages   string            `json:"huge_pages,omitempty"` // transparent ones: always, madvise, never
	Sysctls     map[string]string `json:"sysctls,omitempty"`
}

// CPUFacts is the processor.
type CPUFacts struct {
	Model          string            `json:"model,omitempty"`
	Vendor         string            `json:"vendor,omitempty"`
	Sockets        int               `json:"sockets,omitempty"`
	Cores          int               `json:"cores,omitempty"`   // physical, all sockets
	Threads        int               `json:"threads,omitempty"` // online logical CPUs
	Usable         int               `json:"usable,omitempty"`  // of these, those that commands may run on (cpuset, affinity)
	Caches         []Cache           `json:"caches,omitempty"`
	Governor       string            `json:"governor,omitempty"`
	Driver         string            `json:"driver,omitempty"` // of cpufreq
	Turbo          *bool             `json:"turbo,omitempty"`
	MinHz          float64           `json:"min_hz,omitempty"`
	MaxHz          float64           `json:"max_hz,omitempty"`
	TurboWindow    float64           `json:"turbo_window,omitempty"` // s, tau of the long power limit (PL1)
	IdleStates     string            `json:"idle_states,omitempty"`  // C-states that it may enter
	Virtualisation string            `json:"virtualisation,omitempty"`
	Virtual        *bool             `json:"virtual,omitempty"` // runs under a hypervisor
	Mitigations    map[string]string `json:"mitigations,omitempty"`
}

// SMT reports whether cores run more than one thread; nil if unknown.
func (c CPUFacts) SMT() *bool {
	if c.Cores == 0 || c.Threads == 0 {
		return nil
	}
	on := c.Threads > c.Cores
	return &on
}

// LastLevel returns the total size of all last-level caches in bytes; 0 if
// unknown.
func (c CPUFacts) LastLevel() int64 {
	level, total := 0, int64(0)
	for _, k := range c.Caches {
		if k.Type == "Instruction" {
			continue
		}
		switch {
		case k.Level > level:
			level, total = k.Level, k.Bytes*int64(max(k.Count, 1))
		case k.Level == level:
			total += k.Bytes * int64(max(k.Count, 1))
		}
	}
	return total
}

// Cache is one kind of CPU cache.
type Cache struct {
	Level int    `json:"level"`
	Type  string `json:"type"`  // Data, Instruction, Unified
	Bytes int64  `json:"bytes"` // of one instance
	Count int    `json:"count"` // how many instances
}

// MemoryFacts is RAM.
type MemoryFacts struct {
	Total     int64  `json:"total,omitempty"`     // B
	Available int64  `json:"available,omitempty"` // B, when the facts were taken
	Swap      int64  `json:"swap,omitempty"`
	DIMMs     []DIMM `json:"dimms,omitempty"`
	Channels  int    `json:"channels,omitempty"` // populated channels
}

// DIMM is one memory module.
type DIMM struct {
	Locator string `json:"locator"`
	Bank    string `json:"bank,omitempty"`
	Bytes   int64  `json:"bytes"`
	Type    string `json:"type"`          // DDR4, DDR5
	MTs     int    `json:"mts,omitempty"` // configured MT/s
	Rated   int    `json:"rated,omitempty"`
	Width   int    `json:"width,omitempty"` // data bits
	Part    string `json:"part,omitempty"`
}

// Bus is how a block device is attached.
type Bus string

// The buses.
const (
	BusNVMe   Bus = "nvme"
	BusSATA   Bus = "sata"
	BusSAS    Bus = "sas"
	BusUSB    Bus = "usb"
	BusMMC    Bus = "mmc" // SD and eMMC
	BusVirtio Bus = "virtio"
	BusXen    Bus = "xen"
	BusISCSI  Bus = "iscsi"
	BusLoop   Bus = "loop"
	BusNone   Bus = "" // a mapping on other devices, or unknown
)

// BlockDevice is a node in the tree of block devices.
type BlockDevice struct {
	Name       string   `json:"name"` // kernel name: nvme0n1, sda1, dm-0
	Path       string   `json:"path"` // /dev/…
	Kind       string   `json:"kind"` // disk, part, crypt, lvm, raid, loop, zram, rom, other
	On         []string `json:"on,omitempty"`
	Bytes      int64    `json:"bytes"`
	Model      string   `json:"model,omitempty"`
	Serial     string   `json:"serial,omitempty"`
	Firmware   string   `json:"firmware,omitempty"`
	Bus        Bus      `json:"bus,omitempty"`
	Link       *Link    `json:"link,omitempty"`
	Rotational *bool    `json:"rotational,omitempty"`
	RPM        int      `json:"rpm,omitempty"`
	WriteCache string   `json:"write_cache,omitempty"` // "write back" or "write through", the kernel's words
	PLP        *bool    `json:"plp,omitempty"`         // power-loss protection
	Scheduler  string   `json:"scheduler,omitempty"`
	ReadOnly   bool     `json:"read_only,omitempty"`
	Backing    string   `json:"backing,omitempty"` // the file under a loop device
	Mounts     []string `json:"mounts,omitempty"`
	Sync       string   `json:"sync,omitempty"` // of an MD array: idle, "recovery 12.6%"
	// Stack is what replicates this device, if facts tell that per device.
	Stack *StackFacts `json:"stack,omitempty"`
}

// DirFacts is a directory that was requested.
type DirFacts struct {
	Path       string   `json:"path"`  // as it was asked for
	Mount      string   `json:"mount"` // mount point
	FileSystem string   `json:"file_system"`
	Source     string   `json:"source"`
	Options    []string `json:"options,omitempty"`
	Device     string   `json:"device,omitempty"` // kernel name of the block device right under it
	Drives     []string `json:"drives,omitempty"` // kernel names of the disks at the bottom
	Bytes      int64    `json:"bytes"`            // size of the file system
	Free       int64    `json:"free"`             // free for this user
	Inodes     int64    `json:"inodes,omitempty"` // 0: made as needed, or unknown
	FreeInodes int64    `json:"free_inodes,omitempty"`
	Writable   bool     `json:"writable"`
	Exists     bool     `json:"exists"`
	Dataset    string   `json:"dataset,omitempty"` // ZFS
}

// PoolFacts is what ZFS reports about the dataset under a directory.
type PoolFacts struct {
	Kind       string            `json:"kind"` // zfs
	Name       string            `json:"name"`
	Version    string            `json:"version,omitempty"`
	Properties map[string]string `json:"properties,omitempty"`
}

// Bonding is the driver of a bond.
const Bonding = "bonding"

// NICFacts is one network interface.
type NICFacts struct {
	Name    string  `json:"name"`
	State   string  `json:"state,omitempty"`
	Speed   float64 `json:"speed,omitempty"`   // bit/s
	Fastest float64 `json:"fastest,omitempty"` // bit/s of the fastest mode that it supports
	Duplex  string  `json:"duplex,omitempty"`
	MTU     int     `json:"mtu,omitempty"`
	Driver  string  `json:"driver,omitempty"`
	Slot    string  `json:"slot,omitempty"` // PCI address
	Link    *Link   `json:"link,omitempty"` // of that slot
	Virtual bool    `json:"virtual,omitempty"`
	VLAN    bool    `json:"vlan,omitempty"`    // frames carry a VLAN tag
	Members int     `json:"members,omitempty"` // of a bond: how many links send, each at Speed
	Down    int     `json:"down,omitempty"`    // of a bond: how many links are down
}

// Rate returns the speed in bit/s of all links of an interface together.
func (n NICFacts) Rate() float64 { return n.Speed * float64(max(n.Members, 1)) }

// StackFacts is replicated storage that a host uses, or whose data it holds: everything
// between a client and the drives.
type StackFacts struct {
	Kind    string `json:"kind"` // ceph, drbd, longhorn, garage, minio
	Version string `json:"version,omitempty"`
	Health  string `json:"health,omitempty"`  // as it says of itself: HEALTH_OK, UpToDate
	Lacking string `json:"lacking,omitempty"` // what it says of copies that are missing or being made: "686 pgs degraded"
	Nodes   int    `json:"nodes,omitempty"`   // that hold data
	Drives  int    `json:"drives,omitempty"`  // in all: OSDs
	Copies  int    `json:"copies,omitempty"`  // of each byte
	Remote  int    `json:"remote,omitempty"`  // copies on other nodes than the client's
	Outside bool   `json:"outside,omitempty"` // the clients are not on the nodes
	Mesh    bool   `json:"mesh,omitempty"`    // direct links between the nodes, no switch
	Apart   bool   `json:"apart,omitempty"`   // copies travel over a network of their own
	// PublicNIC and ClusterNIC are this host's interfaces on Ceph's public network, and
	// on that for the copies.
	PublicNIC  string  `json:"public_nic,omitempty"`
	ClusterNIC string  `json:"cluster_nic,omitempty"`
	Protocol   string  `json:"protocol,omitempty"` // of DRBD: A, B or C
	Read       float64 `json:"read,omitempty"`     // B/s that one drive reads
	Write      float64 `json:"write,omitempty"`    // B/s that one drive writes
	Local      float64 `json:"local,omitempty"`    // s, a 4 KiB synchronous write on the drive alone
	// Settings are those of the pool: size, min_size, pg_num.
	Settings map[string]string `json:"settings,omitempty"`
	// OSD are the settings of one of Ceph's OSDs, and how data is balanced among all.
	OSD map[string]string `json:"osd,omitempty"`
	// Disks are the drives that hold the data, if the cluster tells; else those that may, if
	// the storage chooses some of them when it is created.
	Disks []StackDisk `json:"disks,omitempty"`
}

// StackDisk is a drive under replicated storage, or a replica of it.
type StackDisk struct {
	Name    string   `json:"name"`              // as the storage calls it: osd.3
	Host    string   `json:"host"`              // that it is in
	Devices []string `json:"devices,omitempty"` // the kernel's names: nvme0n1
	Copies  string   `json:"copies,omitempty"`  // the address at which it gets copies from the others
	Serves  string   `json:"serves,omitempty"`  // the address at which clients reach it
}

// ClaimFacts is a Kubernetes claim (PVC) and the volume under it, as reported
// by the API.
type ClaimFacts struct {
	Class       string   `json:"class,omitempty"`       // of storage
	Provisioner string   `json:"provisioner,omitempty"` // that made the volume
	Driver      string   `json:"driver,omitempty"`      // of CSI; "" where the volume is of another kind
	Volume      string   `json:"volume,omitempty"`      // the persistent volume
	Nodes       []string `json:"nodes,omitempty"`       // that it can be used on; none: any
	Locality    string   `json:"locality,omitempty"`    // of data, in Longhorn's words: best-effort
	Copies      []string `json:"copies,omitempty"`      // nodes that hold a copy each, where the API tells
}

// Sensor is one temperature sensor. Key is the name in Tick.Temps.
type Sensor struct {
	Key   string `json:"key"`  // chip/label, unique on the host
	Path  string `json:"path"` // the file that holds millidegrees
	Kind  string `json:"kind"` // cpu, drive, other
	Drive string `json:"drive,omitempty"`
}

// ToolFacts is a program that was looked for.
type ToolFacts struct {
	Name    string `json:"name"`
	Path    string `json:"path,omitempty"` // "" where it is missing
	Version string `json:"version,omitempty"`
	Script  bool   `json:"script,omitempty"` // it is a script, which may run anything
}

// Dir returns the facts of a directory, or nil.
func (f Facts) Dir(path string) *DirFacts {
	for i := range f.Dirs {
		if f.Dirs[i].Path == path {
			return &f.Dirs[i]
		}
	}
	return nil
}

// Device returns a block device by its kernel name, or nil.
func (f Facts) Device(name string) *BlockDevice {
	for i := range f.Block {
		if f.Block[i].Name == name {
			return &f.Block[i]
		}
	}
	return nil
}

// DeviceAt returns the facts of the block device at a path such as /dev/sda or
// /dev/mapper/vg-data, or nil.
func (f Facts) DeviceAt(path string) *BlockDevice {
	for i := range f.Block {
		if b := &f.Block[i]; b.Path == path || "/dev/"+b.Name == path {
			return b
		}
	}
	return nil
}

// StackOf returns what replicates a subject's data, or nil, and whether facts tell that for
// the very device that it is or lies on. If they tell it for any device, the host's stack does
// not apply to its other devices and directories.
func (f Facts) StackOf(s Subject) (stack *StackFacts, own bool) {
	if s.Kind != KindBlock && s.Kind != KindDirectory {
		return f.Stack, false
	}
	on := f.DeviceAt(s.Name)
	if d := f.Dir(s.Name); d != nil {
		on = f.Device(d.Device)
	}
	if on != nil && on.Stack != nil {
		return on.Stack, true
	}
	for _, b := range f.Block {
		if b.Stack != nil {
			return nil, false
		}
	}
	return f.Stack, false
}

// Replicated reports whether a stack has a copy on a host other than the one that uses it.
func (s StackFacts) Replicated() bool { return s.Copies > 1 || s.Remote > 0 }

// Tool returns what is known about a program; Path is "" if it is missing.
func (f Facts) Tool(name string) ToolFacts {
	for _, t := range f.Tools {
		if t.Name == name {
			return t
		}
	}
	return ToolFacts{Name: name}
}

// Pool returns the pool or dataset of that name, or nil.
func (f Facts) Pool(name string) *PoolFacts {
	for i := range f.Pools {
		if f.Pools[i].Name == name {
			return &f.Pools[i]
		}
	}
	return nil
}
