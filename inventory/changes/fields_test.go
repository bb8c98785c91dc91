package changes

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay"
)

// full returns an inventory with every field set.
func full() assay.Inventory {
	yes, no := true, false
	return assay.Inventory{
		Hosts: []assay.Host{
			{Name: "pve1", Labels: map[string]string{"cooling": "stock"}},
			{Name: "pve2", OS: assay.Windows},
			{Name: "pve3", Absent: &assay.Absence{Word: assay.Unknown, Why: "no route", Hint: "plug it in", Gone: "pve3"}},
		},
		File: "/home/me/cluster.yaml",
		Subjects: []assay.Subject{{ID: "pve1/directory//srv", Kind: assay.KindDirectory, Host: "pve1", Name: "/srv",
			On: []string{"pve1/drive/nvme0n1"}, Source: "/dev/nvme0n1p3", Params: map[string]string{"device": "/dev/nvme0n1"}, Peer: "p", Network: "n", Tier: "ssd", Volume: "dir"}},
		Networks: []assay.Network{{Name: "storage", Addresses: map[string]string{"pve1": "10.0.0.1", "pve2": "10.0.0.2"},
			Rate: 10e9, MTU: 9000, Direct: true}},
		Resources: []assay.Resource{{Name: "pool", Networks: []string{"storage"}, Hosts: []string{"pve1"}, Directories: []string{"/srv"}}},
		Facts: map[string]assay.Facts{"pve1": {
			Host: "pve1", Taken: time.Unix(1_700_000_000, 0).UTC(),
			OS: assay.OSFacts{Hostname: "pve1", Distribution: "Debian GNU/Linux 12 (bookworm)", Kernel: "6.8.12-4-pve", Arch: "x86_64",
				BootID: "b1", Machine: "LENOVO M920q", BIOS: "LENOVO M1UKT77A 05/27/2024", Container: "lxc",
				CommandLine: "iommu=pt", IOMMU: "dmar0", HugePages: "madvise", Sysctls: map[string]string{"vm.swappiness": "60"}},
			CPU: assay.CPUFacts{Model: "i5-8500T", Vendor: "GenuineIntel", Sockets: 1, Cores: 6, Threads: 12, Usable: 12,
				Caches:   []assay.Cache{{Level: 3, Type: "Unified", Bytes: 9 << 20, Count: 1}},
				Governor: "powersave", Driver: "intel_pstate", Turbo: &yes, MinHz: 800e6, MaxHz: 3.5e9, TurboWindow: 28, IdleStates: "POLL, C1",
				Virtualisation: "kvm", Virtual: &yes, Mitigations: map[string]string{"meltdown": "Mitigation: PTI"}},
			Memory: assay.MemoryFacts{Total: 16 << 30, Available: 12 << 30, Swap: 8 << 30, Channels: 2,
				DIMMs: []assay.DIMM{{Locator: "DIMM0", Bank: "BANK 0", Bytes: 16 << 30, Type: "DDR4", MTs: 2666, Rated: 3200, Width: 64, Part: "CT16G"}}},
			Block: []assay.BlockDevice{{Name: "nvme0n1", Path: "/dev/nvme0n1", Kind: "disk", On: []string{"below"}, Bytes: 512110190592,
				Model: "Samsung 980", Serial: "S64D", Firmware: "2B4Q", Bus: assay.BusNVMe,
				Link:       &assay.Link{Kind: "pcie", Mode: "Gen3 x4", Ceiling: 3.94e9, GTs: 8, Lanes: 4, At: "0000:01:00.0"},
				Rotational: &no, RPM: 7200, WriteCache: "write back", PLP: &no, Scheduler: "none", Backing: "/img", Mounts: []string{"/"}, Sync: "idle"}},
			Dirs: []assay.DirFacts{{Path: "/srv", Mount: "/", FileSystem: "ext4", Source: "/dev/nvme0n1p3", Options: []string{"rw", "relatime"},
				Device: "nvme0n1p3", Drives: []string{"nvme0n1"}, Bytes: 1e11, Free: 5e10, Inodes: 1e6, FreeInodes: 5e5, Writable: true, Exists: true, Dataset: "tank/data"}},
			Pools: []assay.PoolFacts{{Kind: "zfs", Name: "tank/data", Version: "2.2.6", Properties: map[string]string{"sync": "standard"}}},
			NICs: []assay.NICFacts{{Name: "eno1", State: "up", Speed: 10e9, Fastest: 10e9, Duplex: "full", MTU: 9000, Driver: "ixgbe", Slot: "0000:02:00.0",
				Link: &assay.Link{Kind: "pcie", Mode: "Gen3 x8", Ceiling: 7.8e9, GTs: 8, Lanes: 8, At: "0000:02:00.0"}, Members: 2, Down: 1}},
			Stack: &assay.StackFacts{Kind: "ceph", Version: "18.2.4", Health: "HEALTH_OK", Lacking: "2 pgs degraded", Nodes: 3, Drives: 6, Copies: 3, Remote: 2,
				Protocol: "C", Read: 5e8, Write: 4e8, Local: 1e-4, Settings: map[string]string{"pg_num": "128"},
				Disks: []assay.StackDisk{{Name: "osd.0", Host: "pve1", Devices: []string{"nvme0n1"}, Copies: "10.0.1.1", Serves: "10.0.0.1"}}, PublicNIC: "eno1", ClusterNIC: "eno2", OSD: map[string]string{"osd_op_queue": "wpq"}},
			RTT:    1e-4,
			Limits: &assay.LimitFacts{CPU: 2, Memory: 4 << 30, IO: []assay.IOLimit{{Device: "nvme0n1", ReadBytes: 1e8, WriteBytes: 5e7, Reads: 1000, Writes: 500}}},
			Clock:  &assay.ClockFacts{Offset: .01, Within: .002}, Synchronised: &yes,
			Sensors:  []assay.Sensor{{Key: "coretemp/Package", Path: "/sys/class/hwmon/hwmon3/temp1_input", Kind: "cpu", Drive: "sda"}},
			Tools:    []assay.ToolFacts{{Name: "fio", Path: "/usr/bin/fio", Version: "fio-3.33"}},
			Packager: "apt", IOUring: &yes,
			Missing: []assay.MissingFact{{Fact: "dimm speed", Why: "not root", Hint: "be root"}},
		}},
	}
}

// told lists what changing each field alone reports.
var told = map[string][]string{
	"Hosts.Name":                 {"pve1: is no longer among the hosts", "pve1x: is new among the hosts"},
	"Facts.Block.Backing":        {"pve1: file of device nvme0n1 was /img, is /imgx"},
	"Facts.Block.Bus":            {"pve1: bus of device nvme0n1 was nvme, is nvmex"},
	"Facts.Block.Bytes":          {"pve1: size of device nvme0n1 was 512.110190592 GB, is 1024.220381185 GB"},
	"Facts.Block.Firmware":       {"pve1: firmware of device nvme0n1 was 2B4Q, is 2B4Qx"},
	"Facts.Block.Kind":           {"pve1: kind of device nvme0n1 was disk, is diskx"},
	"Facts.Block.Link.Kind":      {"pve1: link of device nvme0n1 was pcie Gen3 x4, is pciex Gen3 x4"},
	"Facts.Block.Link.Mode":      {"pve1: link of device nvme0n1 was pcie Gen3 x4, is pcie Gen3 x4x"},
	"Facts.Block.Model":          {"pve1: device nvme0n1 was Samsung 980, S64D, is Samsung 980x, S64D"},
	"Facts.Block.Name":           {"pve1: device nvme0n1 is gone", "pve1: device nvme0n1x is new"},
	"Facts.Block.On":             {"pve1: base of device nvme0n1 was below, is belowx"},
	"Facts.Block.PLP":            {"pve1: power-loss protection of device nvme0n1 was no, is yes"},
	"Facts.Block.RPM":            {"pve1: speed of device nvme0n1 was 7200 rpm, is 14401 rpm"},
	"Facts.Block.ReadOnly":       {"pve1: being read-only of device nvme0n1 was no, is yes"},
	"Facts.Block.Rotational":     {"pve1: medium of device nvme0n1 was SSD, is spinning disk"},
	"Facts.Block.Scheduler":      {"pve1: I/O scheduler of device nvme0n1 was none, is nonex"},
	"Facts.Block.Serial":         {"pve1: device nvme0n1 was Samsung 980, S64D, is Samsung 980, S64Dx"},
	"Facts.Block.WriteCache":     {"pve1: write cache of device nvme0n1 was write back, is write backx"},
	"Facts.CPU.Caches.Bytes":     {"pve1: cache was L3 Unified 1 × 9216 KiB, is L3 Unified 1 × 18432.0009765625 KiB"},
	"Facts.CPU.Caches.Count":     {"pve1: cache was L3 Unified 1 × 9216 KiB, is L3 Unified 3 × 9216 KiB"},
	"Facts.CPU.Caches.Level":     {"pve1: cache was L3 Unified 1 × 9216 KiB, is L7 Unified 1 × 9216 KiB"},
	"Facts.CPU.Caches.Type":      {"pve1: cache was L3 Unified 1 × 9216 KiB, is L3 Unifiedx 1 × 9216 KiB"},
	"Facts.CPU.Cores":            {"pve1: number of cores was 6, is 13"},
	"Facts.CPU.Driver":           {"pve1: frequency driver was intel_pstate, is intel_pstatex"},
	"Facts.CPU.Governor":         {"pve1: governor was powersave, is powersavex"},
	"Facts.CPU.MaxHz":            {"pve1: highest clock was 3.5 GHz, is 7.000000001 GHz"},
	"Facts.CPU.MinHz":            {"pve1: lowest clock was 0.8 GHz, is 1.600000001 GHz"},
	"Facts.CPU.Mitigations":      {"pve1: mitigation of meltdown was Mitigation: PTI, is Mitigation: PTIx"},
	"Facts.CPU.Model":            {"pve1: CPU was i5-8500T, is i5-8500Tx"},
	"Facts.CPU.Sockets":          {"pve1: number of sockets was 1, is 3"},
	"Facts.CPU.Threads":          {"pve1: number of CPU threads was 12, is 25"},
	"Facts.CPU.Turbo":            {"pve1: turbo was on, is off"},
	"Facts.CPU.Usable":           {"pve1: number of usable CPUs was 12, is 25"},
	"Facts.CPU.Vendor":           {"pve1: CPU was GenuineIntel, is GenuineIntelx"},
	"Facts.CPU.Virtual":          {"pve1: being a virtual machine was yes, is no"},
	"Facts.CPU.Virtualisation":   {"pve1: hypervisor was kvm, is kvmx"},
	"Facts.Dirs.Dataset":         {"pve1: base of directory /srv was tank/data, is tank/datax"},
	"Facts.Dirs.Device":          {"pve1: base of directory /srv was nvme0n1p3, is nvme0n1p3x"},
	"Facts.Dirs.Drives":          {"pve1: I/O limit was /srv: 100 MB/s read, 50 MB/s write, 1000 reads/s, 500 writes/s, is nvme0n1: 100 MB/s read, 50 MB/s write, 1000 reads/s, 500 writes/s", "pve1: base of directory /srv was nvme0n1, is nvme0n1x"},
	"Facts.Dirs.Exists":          {"pve1: directory /srv was there, is not there"},
	"Facts.Dirs.FileSystem":      {"pve1: file system of directory /srv was ext4, is ext4x"},
	"Facts.Dirs.Mount":           {"pve1: mount point of directory /srv was /, is /x"},
	"Facts.Dirs.Options":         {"pve1: mount options of directory /srv was relatime,rw, is relatime,rwx"},
	"Facts.Dirs.Path":            {"pve1: I/O limit was /srv: 100 MB/s read, 50 MB/s write, 1000 reads/s, 500 writes/s, is /srvx: 100 MB/s read, 50 MB/s write, 1000 reads/s, 500 writes/s", "pve1: directory /srv is gone"},
	"Facts.Dirs.Source":          {"pve1: base of directory /srv was /dev/nvme0n1p3, is /dev/nvme0n1p3x"},
	"Facts.Dirs.Writable":        {"pve1: directory /srv was writable, is not writable"},
	"Facts.DropCaches":           {"pve1: being able to drop caches was no, is yes"},
	"Facts.IOUring":              {"pve1: being able to use io_uring was yes, is no"},
	"Facts.Limits.CPU":           {"pve1: CPU quota was 2 CPUs, is 5 CPUs"},
	"Facts.Limits.IO.Device":     {"pve1: I/O limit was /srv: 100 MB/s read, 50 MB/s write, 1000 reads/s, 500 writes/s, is nvme0n1x: 100 MB/s read, 50 MB/s write, 1000 reads/s, 500 writes/s"},
	"Facts.Limits.IO.ReadBytes":  {"pve1: I/O limit was /srv: 100 MB/s read, 50 MB/s write, 1000 reads/s, 500 writes/s, is /srv: 200 MB/s read, 50 MB/s write, 1000 reads/s, 500 writes/s"},
	"Facts.Limits.IO.Reads":      {"pve1: I/O limit was /srv: 100 MB/s read, 50 MB/s write, 1000 reads/s, 500 writes/s, is /srv: 100 MB/s read, 50 MB/s write, 2001 reads/s, 500 writes/s"},
	"Facts.Limits.IO.WriteBytes": {"pve1: I/O limit was /srv: 100 MB/s read, 50 MB/s write, 1000 reads/s, 500 writes/s, is /srv: 100 MB/s read, 100 MB/s write, 1000 reads/s, 500 writes/s"},
	"Facts.Limits.IO.Writes":     {"pve1: I/O limit was /srv: 100 MB/s read, 50 MB/s write, 1000 reads/s, 500 writes/s, is /srv: 100 MB/s read, 50 MB/s write, 1000 reads/s, 1001 writes/s"},
	"Facts.Limits.Memory":        {"pve1: memory limit was 4 GiB, is 8.000000000931323 GiB"},
	"Facts.Memory.Channels":      {"pve1: number of memory channels was 2, is 5"},
	"Facts.Memory.DIMMs.Bank":    {"pve1: memory module BANK 0 DIMM0 is gone", "pve1: memory module BANK 0x DIMM0 is new"},
	"Facts.Memory.DIMMs.Bytes":   {"pve1: memory module BANK 0 DIMM0 was 16 GiB, is 32.00000000093132 GiB"},
	"Facts.Memory.DIMMs.Locator": {"pve1: memory module BANK 0 DIMM0 is gone", "pve1: memory module BANK 0 DIMM0x is new"},
	"Facts.Memory.DIMMs.MTs":     {"pve1: memory module BANK 0 DIMM0 was 2666 MT/s, is 5333 MT/s"},
	"Facts.Memory.DIMMs.Part":    {"pve1: memory module BANK 0 DIMM0 was CT16G, is CT16Gx"},
	"Facts.Memory.DIMMs.Rated":   {"pve1: memory module BANK 0 DIMM0 was 3200 MT/s rated, is 6401 MT/s rated"},
	"Facts.Memory.DIMMs.Type":    {"pve1: memory module BANK 0 DIMM0 was DDR4, is DDR4x"},
	"Facts.Memory.DIMMs.Width":   {"pve1: memory module BANK 0 DIMM0 was 64 bits, is 129 bits"},
	"Facts.Memory.Total":         {"pve1: memory was 16 GiB, is 32 GiB"},
	"Facts.NICs.Driver":          {"pve1: driver of interface eno1 was ixgbe, is ixgbex"},
	"Facts.NICs.Duplex":          {"pve1: duplex of interface eno1 was full, is fullx"},
	"Facts.NICs.Link.Kind":       {"pve1: link of interface eno1 was pcie Gen3 x8, is pciex Gen3 x8"},
	"Facts.NICs.Link.Mode":       {"pve1: link of interface eno1 was pcie Gen3 x8, is pcie Gen3 x8x"},
	"Facts.NICs.MTU":             {"pve1: MTU of interface eno1 was 9000, is 18001"},
	"Facts.NICs.Members":         {"pve1: number of members of interface eno1 was 2, is 5"},
	"Facts.NICs.Name":            {"pve1: interface eno1 is gone", "pve1: interface eno1x is new"},
	"Facts.NICs.Slot":            {"pve1: slot of interface eno1 was 0000:02:00.0, is 0000:02:00.0x"},
	"Facts.NICs.Speed":           {"pve1: speed of interface eno1 was 10 Gb/s, is 20.000000001 Gb/s"},
	"Facts.NICs.State":           {"pve1: state of interface eno1 was up, is upx"},
	"Facts.NICs.VLAN":            {"pve1: VLAN tagging of interface eno1 was no, is yes"},
	"Facts.NICs.Virtual":         {"pve1: interface eno1 is gone"},
	"Facts.OS.Arch":              {"pve1: kernel was x86_64, is x86_64x"},
	"Facts.OS.BIOS":              {"pve1: BIOS was LENOVO M1UKT77A 05/27/2024, is LENOVO M1UKT77A 05/27/2024x"},
	"Facts.OS.CommandLine":       {"pve1: kernel command line was iommu=pt, is iommu=ptx"},
	"Facts.OS.HugePages":         {"pve1: huge pages was madvise, is madvisex"},
	"Facts.OS.IOMMU":             {"pve1: IOMMU was dmar0, is dmar0x"},
	"Facts.OS.Sysctls":           {"pve1: sysctls was vm.swappiness=60, is vm.swappiness=60x"},
	"Facts.CPU.IdleStates":       {"pve1: idle states was POLL, C1, is POLL, C1x"},
	"Facts.Stack.Settings":       {"pve1: pool of replicated storage was pg_num=128, is pg_num=128x"},
	"Facts.OS.Container":         {"pve1: container was lxc, is lxcx"},
	"Facts.OS.Distribution":      {"pve1: system was Debian GNU/Linux 12 (bookworm), is Debian GNU/Linux 12 (bookworm)x"},
	"Facts.OS.Hostname":          {"pve1: host name was pve1, is pve1x"},
	"Facts.OS.Kernel":            {"pve1: kernel was 6.8.12-4-pve, is 6.8.12-4-pvex"},
	"Facts.OS.Machine":           {"pve1: machine was LENOVO M920q, is LENOVO M920qx"},
	"Facts.Pools.Properties":     {"pve1: sync of zfs tank/data was standard, is standardx"},
	"Facts.Pools.Version":        {"pve1: version of zfs tank/data was 2.2.6, is 2.2.6x"},
	"Facts.Root":                 {"pve1: running as root was no, is yes"},
	"Facts.Stack.Apart":          {"pve1: network of the copies of replicated storage was that of the clients, is one of its own"},
	"Facts.Stack.OSD":            {"pve1: OSDs of replicated storage was osd_op_queue=wpq, is osd_op_queue=wpqx"},
	"Facts.Stack.PublicNIC":      {"pve1: interface on the public network of replicated storage was eno1, is eno1x"},
	"Facts.Stack.ClusterNIC":     {"pve1: interface on the cluster network of replicated storage was eno2, is eno2x"},
	"Facts.Stack.Copies":         {"pve1: number of replicas of replicated storage was 3, is 7"},
	"Facts.Stack.Drives":         {"pve1: number of drives of replicated storage was 6, is 13"},
	"Facts.Stack.Kind":           {"pve1: replicated storage was ceph, is cephx"},
	"Facts.Stack.Mesh":           {"pve1: way between nodes of replicated storage was a switch, is cables"},
	"Facts.Stack.Nodes":          {"pve1: number of nodes of replicated storage was 3, is 7"},
	"Facts.Stack.Outside":        {"pve1: way to the clients of replicated storage was from its nodes, is from other hosts"},
	"Facts.Stack.Protocol":       {"pve1: protocol of replicated storage was C, is Cx"},
	"Facts.Stack.Remote":         {"pve1: number of remote replicas of replicated storage was 2, is 5"},
	"Facts.Stack.Version":        {"pve1: replicated storage was 18.2.4, is 18.2.4x"},
	"Facts.Tools.Name":           {"pve1: fio is gone"},
	"Facts.Tools.Path":           {"pve1: fio was /usr/bin/fio, is /usr/bin/fiox"},
	"Facts.Tools.Version":        {"pve1: fio was fio-3.33, is fio-3.33x"},
	"Hosts.Labels":               {"pve1: label cooling was stock, is stockx"},
	"Networks.Addresses":         {"pve1: address on storage was 10.0.0.1, is 10.0.0.1x"},
	"Networks.Direct":            {"pve1, pve2: way between hosts of network storage was cables, is a switch"},
	"Networks.MTU":               {"pve1, pve2: MTU of network storage was 9000, is 18001"},
	"Networks.Name":              {"pve1: address on storage is gone", "pve2: address on storage is gone"},
	"Networks.Rate":              {"pve1, pve2: rate of network storage was 10 Gb/s, is 20.000000001 Gb/s"},
}

// unheeded lists the fields that may differ between two inventories, and why.
var unheeded = map[string]string{
	"File":                  "the same hosts may be named by a file that was moved",
	"Hosts.OS":              "what runs on it is told by its facts",
	"Hosts.Absent.Word":     "a host that could not be queried says nothing",
	"Hosts.Absent.Why":      "as above",
	"Hosts.Absent.Hint":     "as above",
	"Hosts.Absent.Gone":     "as above",
	"Subjects.ID":           "subjects follow from facts, networks and what somebody wants measured",
	"Subjects.Kind":         "as above",
	"Subjects.Host":         "as above",
	"Subjects.Name":         "as above",
	"Subjects.On":           "as above",
	"Subjects.Source":       "as above",
	"Subjects.Params":       "as above",
	"Subjects.Peer":         "as above",
	"Subjects.Network":      "as above",
	"Subjects.Tier":         "as above",
	"Subjects.Volume":       "as above",
	"Subjects.Turns":        "as above",
	"Resources.Name":        "what trials share stands in the trials",
	"Resources.Networks":    "as above",
	"Resources.Hosts":       "as above",
	"Resources.Directories": "as above",
	"Facts.Host":            "the name by which the facts are found",
	"Facts.Taken":           "the clock",
	"Facts.OS.Windows":      "told by the system's name",
	"Facts.OS.BootID":       "a machine that was started again is the same",
	"Facts.RTT":             "measured, and never twice the same",
	"Facts.Packager":        "installs, and measures nothing",
	"Facts.Missing.Fact":    "what is missing is known by its lack",
	"Facts.Missing.Why":     "as above",
	"Facts.Missing.Hint":    "as above",
	"Facts.Sensors.Key":     "sensors watch, and change no figure",
	"Facts.Sensors.Path":    "as above; hwmon numbers differ from boot to boot",
	"Facts.Sensors.Kind":    "as above",
	"Facts.Sensors.Drive":   "as above",

	"Facts.CPU.TurboWindow":     "thermald moves it",
	"Facts.Memory.Available":    "of the moment",
	"Facts.Memory.Swap":         "no figure is taken with memory that is swapped",
	"Facts.Block.Path":          "follows from the name, but of mappings, whose name it is",
	"Facts.Block.Link.Ceiling":  "follows from the mode",
	"Facts.Block.Link.GTs":      "follows from the mode",
	"Facts.Block.Link.Lanes":    "follows from the mode",
	"Facts.Block.Link.At":       "bus numbers differ from boot to boot",
	"Facts.Block.Mounts":        "where else it is mounted; of the directories it is told",
	"Facts.Dirs.Bytes":          "of ZFS and network file systems it changes with what others store",
	"Facts.Dirs.Free":           "of the moment",
	"Facts.Dirs.Inodes":         "grows with the file system",
	"Facts.Dirs.FreeInodes":     "of the moment",
	"Facts.Block.Sync":          "of the moment: who resumes wants to go on after a resync",
	"Facts.Clock.Offset":        "of the moment",
	"Facts.Clock.Within":        "as above",
	"Facts.Synchronised":        "as above",
	"Facts.Tools.Script":        "told by path and version, and unknown of runs that are older than it",
	"Facts.NICs.Link.Ceiling":   "follows from the mode",
	"Facts.NICs.Link.GTs":       "follows from the mode",
	"Facts.NICs.Link.Lanes":     "follows from the mode",
	"Facts.NICs.Link.At":        "bus numbers differ from boot to boot",
	"Facts.Pools.Kind":          "names the dataset: what a directory is on is told of the directory",
	"Facts.Pools.Name":          "as above",
	"Facts.Stack.Health":        "of the moment",
	"Facts.Stack.Lacking":       "of the moment",
	"Facts.NICs.Down":           "told by the number of members",
	"Facts.NICs.Fastest":        "of the card, whose change is told by the link or driver",
	"Facts.Stack.Read":          "measured",
	"Facts.Stack.Write":         "measured",
	"Facts.Stack.Local":         "measured",
	"Facts.Stack.Disks.Name":    "their number is told, and OSDs come and go",
	"Facts.Stack.Disks.Host":    "as above",
	"Facts.Stack.Disks.Copies":  "as above",
	"Facts.Stack.Disks.Devices": "as above",
	"Facts.Stack.Disks.Serves":  "as above",
}

// Every field is changed alone: whoever adds one must list it in told or
// unheeded.
func TestEachFieldAlone(t *testing.T) {
	seen := map[string]bool{} // by path: whether it is set
	eachField(t, full(), func(path string, field reflect.Value) {
		seen[path] = seen[path] || field.Kind() == reflect.Bool || !field.IsZero()
	})
	for path, set := range seen {
		if !set {
			t.Errorf("%s is not set in full: a new field? set it there, and say below what its change means", path)
		}
		done := false
		is := eachField(t, full(), func(at string, field reflect.Value) {
			if at == path && !done {
				done = true
				disturb(field)
			}
		})
		got := Between(full(), is)
		_, ignored := unheeded[path]
		want, listed := told[path]
		switch {
		case ignored == listed:
			t.Errorf("%q: must be either told or unheeded; now: %q", path, got)
		case listed && !slices.Equal(got, want):
			t.Errorf("%s: %s", path, cmp.Diff(want, got))
		case ignored && len(got) > 0:
			t.Errorf("%s changes by itself, and is told: %q", path, got)
		}
	}
	for path := range unheeded {
		if _, there := seen[path]; !there {
			t.Errorf("there is no field %s", path)
		}
	}
	for path := range told {
		if _, there := seen[path]; !there {
			t.Errorf("there is no field %s", path)
		}
	}
}

// eachField visits every leaf field of a copy and returns the copy; all
// elements of a list share one path.
func eachField(t testing.TB, inv assay.Inventory, visit func(path string, field reflect.Value)) assay.Inventory {
	t.Helper()
	inv = copied(t, inv)
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		switch {
		case v.Type() == reflect.TypeFor[time.Time](), v.Kind() == reflect.Map && v.Type().Elem().Kind() == reflect.String:
			visit(path, v)
		case v.Kind() == reflect.Pointer:
			if !v.IsNil() {
				walk(path, v.Elem())
			}
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
			for i := range v.Len() {
				walk(path, v.Index(i))
			}
		case v.Kind() == reflect.Map:
			keys := v.MapKeys()
			slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
			for _, key := range keys {
				one := reflect.New(v.Type().Elem()).Elem()
				one.Set(v.MapIndex(key))
				walk(path, one)
				v.SetMapIndex(key, one)
			}
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().Field(i).Name
				if path != "" {
					name = path + "." + name
				}
				walk(name, v.Field(i))
			}
		default:
			visit(path, v)
		}
	}
	walk("", reflect.ValueOf(&inv).Elem())
	return inv
}

func copied(t testing.TB, inv assay.Inventory) (out assay.Inventory) {
	t.Helper()
	b, err := json.Marshal(inv)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// disturb changes the value of a field.
func disturb(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Int, reflect.Int64:
		v.SetInt(2*v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(2*v.Float() + 1)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Slice: // of words
		if v.Len() > 0 {
			v.Index(0).SetString(v.Index(0).String() + "x")
		}
	case reflect.Map: // of words
		words, _ := v.Interface().(map[string]string)
		for _, first := range slices.Sorted(maps.Keys(words))[:min(len(words), 1)] {
			words[first] += "x"
		}
	case reflect.Struct:
		at, ok := v.Interface().(time.Time)
		if !ok {
			panic(fmt.Sprintf("no other value for %s", v.Type()))
		}
		v.Set(reflect.ValueOf(at.Add(time.Hour)))
	default:
		panic(fmt.Sprintf("no other value for %s", v.Type()))
	}
}
