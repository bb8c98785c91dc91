package userfacts

import (
	"strings"

	"assay"
)

type setter = func(f *assay.Facts, name, value string) bool

// onNIC returns a setter for the one interface; it is up, since it carried
// figures.
func onNIC(set func(*assay.NICFacts, string) bool) setter {
	return func(f *assay.Facts, _, value string) bool {
		for i := range f.NICs {
			if f.NICs[i].Name == NIC {
				return set(&f.NICs[i], value)
			}
		}
		f.NICs = append([]assay.NICFacts{{Name: NIC, State: "up"}}, f.NICs...)
		return set(&f.NICs[0], value)
	}
}

func onDisk(set func(*assay.BlockDevice, string) bool) setter {
	return func(f *assay.Facts, _, value string) bool { return set(disk(f), value) }
}

func disk(f *assay.Facts) *assay.BlockDevice {
	if d := f.Device(Disk); d != nil {
		return d
	}
	f.Block = append(f.Block, assay.BlockDevice{Name: Disk, Path: Disk, Kind: "disk"})
	return &f.Block[len(f.Block)-1]
}

// linked sets how the drive is attached.
func linked(bus assay.Bus, read func(string) *assay.Link) setter {
	return onDisk(func(d *assay.BlockDevice, value string) bool {
		d.Bus, d.Link = bus, read(value)
		return d.Link != nil
	})
}

func setRPM(d *assay.BlockDevice, value string) bool {
	rpm, ok := count(value)
	turns := true
	d.RPM, d.Rotational = rpm, &turns
	return ok && rpm >= 1000 && rpm <= 20000
}

// setWriteCache uses the kernel's words.
func setWriteCache(d *assay.BlockDevice, value string) bool {
	switch strings.TrimPrefix(strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(value)), "write") {
	case "back":
		d.WriteCache = "write back"
	case "through":
		d.WriteCache = "write through"
	default:
		return false
	}
	return true
}

// setCPU sets the vendor in the kernel's words if the model names one.
func setCPU(f *assay.Facts, _, value string) bool {
	f.CPU.Model = value
	for _, v := range []struct{ name, kernel string }{
		{"intel", "GenuineIntel"}, {"amd", "AuthenticAMD"}, {"ryzen", "AuthenticAMD"}, {"epyc", "AuthenticAMD"}, {"cortex", "ARM"},
	} {
		if strings.Contains(strings.ToLower(value), v.name) {
			f.CPU.Vendor = v.kernel
			return true
		}
	}
	f.CPU.Vendor = ""
	return true
}

func setCache(f *assay.Facts, _, value string) bool {
	bytes, ok := size(value)
	f.CPU.Caches = []assay.Cache{{Level: 3, Type: "Unified", Bytes: bytes, Count: 1}}
	return ok
}

// setDRAM parses channels x type - MT/s, with one module per channel.
func setDRAM(f *assay.Facts, _, value string) bool {
	channels, module, ok := strings.Cut(strings.ToUpper(value), "X")
	kind, speed, isWhole := strings.Cut(module, "-")
	n, okChannels := count(channels)
	mts, okSpeed := count(speed)
	if !ok || !isWhole || !okChannels || !okSpeed || n > 64 || mts < 100 || mts > 20000 || !isWord(strings.ToLower(kind)) {
		return false
	}
	f.Memory.Channels, f.Memory.DIMMs = n, nil
	for range n {
		f.Memory.DIMMs = append(f.Memory.DIMMs, assay.DIMM{Type: kind, MTs: mts})
	}
	return true
}

func setFileSystem(f *assay.Facts, _, value string) bool {
	value = strings.ToLower(value)
	directory(f).FileSystem = value
	return isWord(value)
}

// setZFS sets a property of the dataset, or the version of ZFS.
func setZFS(f *assay.Facts, name, value string) bool {
	if strings.ContainsAny(value, " \t\n=") {
		return false
	}
	d := directory(f)
	if d.FileSystem == "" {
		d.FileSystem = "zfs"
	}
	d.Dataset = Dataset
	pool := f.Pool(Dataset)
	if pool == nil {
		f.Pools = append(f.Pools, assay.PoolFacts{Kind: "zfs", Name: Dataset, Properties: map[string]string{}})
		pool = &f.Pools[len(f.Pools)-1]
	}
	property := strings.TrimPrefix(name, "zfs.")
	if property == "version" {
		pool.Version = value
		return value[0] >= '0' && value[0] <= '9'
	}
	pool.Properties[property] = value
	return true
}

func onStack(set func(*assay.StackFacts, string) bool) setter {
	return func(f *assay.Facts, _, value string) bool {
		if f.Stack == nil {
			f.Stack = &assay.StackFacts{}
		}
		return set(f.Stack, value)
	}
}

func directory(f *assay.Facts) *assay.DirFacts {
	if d := f.Dir(Given); d != nil {
		return d
	}
	f.Dirs = append(f.Dirs, assay.DirFacts{Path: Given, Mount: Given, Exists: true, Writable: true})
	return &f.Dirs[len(f.Dirs)-1]
}

// noDrive are the file systems that are not on a drive of this machine.
var noDrive = map[string]bool{
	"tmpfs": true, "ramfs": true, "nfs": true, "nfs3": true, "nfs4": true, "cifs": true, "smb3": true, "ceph": true,
	"9p": true, "virtiofs": true, "overlay": true,
}

// settle puts the directory on the drive. A ZFS dataset has drives but no
// single device directly under it.
func settle(f *assay.Facts) {
	if f.Device(Disk) == nil && f.Dir(Given) == nil {
		return
	}
	d := directory(f)
	d.Device, d.Drives = "", nil
	if noDrive[d.FileSystem] || strings.HasPrefix(d.FileSystem, "fuse") {
		return
	}
	disk(f)
	d.Drives = []string{Disk}
	if d.FileSystem != "zfs" {
		d.Device = Disk
	} else if d.Dataset == "" {
		d.Dataset = Dataset
	}
}
