package userfacts

import (
	"slices"
	"strings"

	"assay"
)

// Word is one fact that can be given.
type Word struct {
	Name    string // "nic"
	Example string // "nic=10G"
	Help    string // what it is, in a few words

	expects string // what its value must be
	free    bool   // its value may be any text, commas too
	set     func(f *assay.Facts, name, value string) bool
}

// Words lists the facts that can be given, in help text order.
func Words() []Word { return slices.Clone(words) }

// word returns the word of that name, or nil. All ZFS properties share one.
func word(name string) *Word {
	if property, ok := strings.CutPrefix(name, "zfs."); ok {
		if !slices.Contains(zfsProperties, property) {
			return nil
		}
		name = "zfs.sync"
	}
	for i := range words {
		if words[i].Name == name {
			return &words[i]
		}
	}
	return nil
}

// exampleOf returns the word's example under the requested name.
func (w Word) exampleOf(name string) string {
	if name == w.Name {
		return w.Example
	}
	return name + "=VALUE"
}

const (
	aSize   = "a size such as 512GB (10^9) or 2GiB (2^30)"
	aTime   = "a time such as 0.2ms, 80us or 28s"
	aRate   = "a speed such as 500MB/s or 1.2GB/s"
	aNumber = "a whole number above zero"
	aTruth  = "yes or no"
)

// zfsProperties are the properties of zfs get, the version of ZFS, and the one
// module parameter that rules ask for.
var zfsProperties = []string{
	"sync", "compression", "dedup", "recordsize", "volblocksize", "direct", "primarycache", "secondarycache",
	"logbias", "atime", "checksum", "copies", "version", "zfs_dio_enabled",
}

var words []Word

// The table is built here: the functions it holds could not query a table that
// is initialised where it is declared.
func init() {
	words = slices.Concat(network, processor, memory, drive, fileSystem, stack)
}

var network = []Word{
	{Name: "nic", Example: "nic=10G", Help: "speed of the network interface in bit/s", expects: "a speed such as 10G, 2.5G or 1000M", set: onNIC(func(n *assay.NICFacts, v string) (ok bool) { n.Speed, ok = bits(v); return })},
	{Name: "mtu", Example: "mtu=1500", Help: "its MTU in bytes", expects: "an MTU from 68 to 65535", set: onNIC(func(n *assay.NICFacts, v string) (ok bool) {
		n.MTU, ok = count(v)
		return ok && n.MTU >= 68 && n.MTU <= 65535
	})},
	{Name: "vlan", Example: "vlan=yes", Help: "its frames carry a VLAN tag", expects: aTruth, set: onNIC(func(n *assay.NICFacts, v string) (ok bool) { n.VLAN, ok = truth(v); return })},
	{Name: "bond", Example: "bond=2", Help: "how many links it bonds", expects: aNumber, set: onNIC(func(n *assay.NICFacts, v string) (ok bool) { n.Members, ok = count(v); return })},
	{Name: "slot", Example: "slot=gen2x4", Help: "PCIe slot of the card", expects: aPCIe, set: onNIC(func(n *assay.NICFacts, v string) bool { n.Link = pcie(v); return n.Link != nil })},
	{Name: "rtt", Example: "rtt=0.2ms", Help: "round-trip time to the peer, the server or the other replica", expects: aTime, set: func(f *assay.Facts, _, v string) (ok bool) { f.RTT, ok = duration(v); return }},
}

var processor = []Word{
	{Name: "cpu", Example: "cpu=Intel Core i5-8500T", Help: "model of the processor", expects: "the model's name", free: true, set: setCPU},
	{Name: "cores", Example: "cores=6", Help: "its physical cores", expects: aNumber, set: func(f *assay.Facts, _, v string) (ok bool) { f.CPU.Cores, ok = count(v); return }},
	{Name: "threads", Example: "threads=12", Help: "its logical CPUs", expects: aNumber, set: func(f *assay.Facts, _, v string) (ok bool) { f.CPU.Threads, ok = count(v); return }},
	{Name: "llc", Example: "llc=9MiB", Help: "size of all last-level caches together", expects: aSize, set: setCache},
	{Name: "governor", Example: "governor=performance", Help: "CPU frequency governor", expects: "a governor's name, such as performance", set: func(f *assay.Facts, _, v string) bool {
		f.CPU.Governor = strings.ToLower(v)
		return isWord(f.CPU.Governor)
	}},
	{Name: "turbo", Example: "turbo=no", Help: "turbo boost is on", expects: aTruth, set: func(f *assay.Facts, _, v string) bool { f.CPU.Turbo = pointer(v); return f.CPU.Turbo != nil }},
	{Name: "turbo_window", Example: "turbo_window=28s", Help: "how long it may boost (tau of the long-term power limit)", expects: aTime, set: func(f *assay.Facts, _, v string) (ok bool) { f.CPU.TurboWindow, ok = duration(v); return }},
	{Name: "virtual", Example: "virtual=no", Help: "it is a virtual machine", expects: aTruth, set: func(f *assay.Facts, _, v string) bool { f.CPU.Virtual = pointer(v); return f.CPU.Virtual != nil }},
}

var memory = []Word{
	{Name: "ram", Example: "ram=16GiB", Help: "total memory", expects: aSize, set: func(f *assay.Facts, _, v string) (ok bool) { f.Memory.Total, ok = size(v); return }},
	{Name: "available", Example: "available=12GiB", Help: "available memory (MemAvailable)", expects: aSize, set: func(f *assay.Facts, _, v string) (ok bool) { f.Memory.Available, ok = size(v); return }},
	{Name: "dram", Example: "dram=2xDDR4-2666", Help: "populated channels x type - MT/s", expects: "CHANNELSxTYPE-MT/s such as 2xDDR4-2666", set: setDRAM},
}

var drive = []Word{
	{Name: "pcie", Example: "pcie=gen3x4", Help: "PCIe link of the drive: its slowest hop", expects: aPCIe, set: linked(assay.BusNVMe, pcie)},
	{Name: "sata", Example: "sata=6G", Help: "SATA link of the drive", expects: "1.5G, 3G or 6G", set: linked(assay.BusSATA, sata)},
	{Name: "usb", Example: "usb=5G", Help: "USB link of the drive", expects: "2, 3, 5G, 10G or 20G", set: linked(assay.BusUSB, usb)},
	{Name: "sd", Example: "sd=ddr50", Help: "bus mode of the SD card", expects: "hs, sdr12, sdr25, sdr50, ddr50 or sdr104", set: linked(assay.BusMMC, card("sd"))},
	{Name: "emmc", Example: "emmc=hs200", Help: "bus mode of the eMMC", expects: "hs, ddr52, hs200 or hs400", set: linked(assay.BusMMC, card("emmc"))},
	{Name: "rotational", Example: "rotational=yes", Help: "the drive is a spinning disk", expects: aTruth, set: onDisk(func(d *assay.BlockDevice, v string) bool { d.Rotational = pointer(v); return d.Rotational != nil })},
	{Name: "rpm", Example: "rpm=7200", Help: "its revolutions per minute; implies a spinning disk", expects: "rpm from 1000 to 20000", set: onDisk(setRPM)},
	{Name: "plp", Example: "plp=no", Help: "it has power-loss protection", expects: aTruth, set: onDisk(func(d *assay.BlockDevice, v string) bool { d.PLP = pointer(v); return d.PLP != nil })},
	{Name: "write_cache", Example: "write_cache=back", Help: "its volatile write cache", expects: "back or through", set: onDisk(setWriteCache)},
	{Name: "model", Example: "model=PM9A1", Help: "model of the drive", expects: "the model's name", free: true, set: onDisk(func(d *assay.BlockDevice, v string) bool { d.Model = v; return true })},
	{Name: "size", Example: "size=512GB", Help: "size of the drive", expects: aSize, set: onDisk(func(d *assay.BlockDevice, v string) (ok bool) { d.Bytes, ok = size(v); return })},
}

var fileSystem = []Word{
	{Name: "fs", Example: "fs=ext4", Help: "file system of the directory", expects: "a file system's name, such as ext4, zfs or tmpfs", set: setFileSystem},
	{Name: "zfs.sync", Example: "zfs.sync=standard", Help: "a property of the ZFS dataset; likewise " + strings.Join(zfsProperties[1:], ", "), expects: "the value that zfs get prints", set: setZFS},
}

var stack = []Word{
	{Name: "stack", Example: "stack=ceph", Help: "replicated storage under it", expects: "ceph, drbd, longhorn, garage, minio or another name", set: onStack(func(s *assay.StackFacts, v string) bool { s.Kind = strings.ToLower(v); return isWord(s.Kind) })},
	{Name: "protocol", Example: "protocol=C", Help: "DRBD's protocol", expects: "A, B or C", set: onStack(func(s *assay.StackFacts, v string) bool {
		s.Protocol = strings.ToUpper(v)
		return slices.Contains([]string{"A", "B", "C"}, s.Protocol)
	})},
	{Name: "replicas", Example: "replicas=3", Help: "copies of each byte", expects: aNumber, set: onStack(func(s *assay.StackFacts, v string) (ok bool) { s.Copies, ok = count(v); return })},
	{Name: "remote", Example: "remote=2", Help: "copies on nodes other than the client's", expects: aNumber, set: onStack(func(s *assay.StackFacts, v string) (ok bool) { s.Remote, ok = count(v); return })},
	{Name: "nodes", Example: "nodes=3", Help: "nodes that hold data", expects: aNumber, set: onStack(func(s *assay.StackFacts, v string) (ok bool) { s.Nodes, ok = count(v); return })},
	{Name: "osds", Example: "osds=12", Help: "total number of drives in all nodes", expects: aNumber, set: onStack(func(s *assay.StackFacts, v string) (ok bool) { s.Drives, ok = count(v); return })},
	{Name: "outside", Example: "outside=yes", Help: "the clients are not on these nodes", expects: aTruth, set: onStack(func(s *assay.StackFacts, v string) (ok bool) { s.Outside, ok = truth(v); return })},
	{Name: "mesh", Example: "mesh=yes", Help: "the nodes are linked directly, without a switch", expects: aTruth, set: onStack(func(s *assay.StackFacts, v string) (ok bool) { s.Mesh, ok = truth(v); return })},
	{Name: "drive_read", Example: "drive_read=3500MB/s", Help: "read rate of one of these drives", expects: aRate, set: onStack(func(s *assay.StackFacts, v string) (ok bool) { s.Read, ok = rate(v); return })},
	{Name: "drive_write", Example: "drive_write=3100MB/s", Help: "write rate of one of these drives", expects: aRate, set: onStack(func(s *assay.StackFacts, v string) (ok bool) { s.Write, ok = rate(v); return })},
	{Name: "local_latency", Example: "local_latency=80us", Help: "latency of a 4 KiB synchronous write on the local drive alone", expects: aTime, set: onStack(func(s *assay.StackFacts, v string) (ok bool) { s.Local, ok = duration(v); return })},
}
