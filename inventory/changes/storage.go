package changes

import (
	"slices"
	"strings"

	"assay"
	"assay/inventory/traits"
	"assay/stacks/zfs"
)

func ofStorage(was, is assay.Facts, measured []string) []string {
	var said []string
	if len(was.Block) > 0 && len(is.Block) > 0 {
		said = ofDevices(was, is, measured)
	}
	said = append(said, ifKnown(placed(was), placed(is), directories().compare)...)
	said = append(said, pools.compare(was.Pools, is.Pools)...)
	said = append(said, properties.compare(propertiesOf(was.Pools), propertiesOf(is.Pools))...)
	if was.Stack != nil && is.Stack != nil {
		said = append(said, compare("replicated storage", stackTraits, *was.Stack, *is.Stack)...)
	}
	return said
}

// device is a block device with the names of the devices it stands on.
type device struct {
	assay.BlockDevice
	on string
}

// ofDevices compares the machine's drives, and whatever lies under what is
// measured.
func ofDevices(was, is assay.Facts, measured []string) []string {
	usedThen, usedNow := used(was, measured), used(is, measured)
	list := func(f assay.Facts) (all []device) {
		for _, b := range f.Block {
			if key := stableName(b); usedThen[key] || usedNow[key] || built(b) {
				all = append(all, device{b, namesOf(f, b.On)})
			}
		}
		return all
	}
	return devices().compare(list(was), list(is))
}

// built reports whether a device is a drive that is part of the machine. Sticks,
// cards, network devices and those made by the kernel come and go.
func built(b assay.BlockDevice) bool {
	return b.Kind == "disk" && b.Bytes > 0 &&
		!slices.Contains([]assay.Bus{assay.BusUSB, assay.BusMMC, assay.BusISCSI, assay.BusLoop}, b.Bus)
}

// used returns the devices under the directories and at paths, by their stable
// names.
func used(f assay.Facts, paths []string) map[string]bool {
	all := map[string]bool{}
	var walk func(names []string)
	walk = func(names []string) {
		for _, name := range names {
			if b := f.Device(name); b != nil && !all[stableName(*b)] {
				all[stableName(*b)] = true
				walk(b.On)
			}
		}
	}
	for _, d := range f.Dirs {
		walk(append([]string{d.Device}, d.Drives...))
	}
	for _, path := range paths {
		if b := f.DeviceAt(path); b != nil {
			walk([]string{b.Name})
		}
	}
	return all
}

// stableName returns the path of a mapping, because dm-0 and dm-1 may swap at
// boot; the file of a loop device, whose number changes with each mount; and the
// kernel name of all others.
func stableName(b assay.BlockDevice) string {
	switch {
	case strings.HasPrefix(b.Path, "/dev/mapper/"):
		return b.Path
	case b.Bus == assay.BusLoop && b.Backing != "":
		return "loop of " + b.Backing
	}
	return b.Name
}

// stableSource returns what a file system was mounted from, by a stable name.
func stableSource(f assay.Facts, source string) string {
	for _, b := range f.Block {
		if b.Bus == assay.BusLoop && b.Path == source {
			return stableName(b)
		}
	}
	return source
}

// namesOf returns the stable names of devices, sorted.
func namesOf(f assay.Facts, devices []string) string {
	var all []string
	for _, name := range devices {
		if b := f.Device(name); b != nil {
			name = stableName(*b)
		}
		all = append(all, name)
	}
	slices.Sort(all)
	return strings.Join(all, " and ")
}

// devices returns the kind of block devices, told apart by stable name.
func devices() kind[device] {
	base := trait[device]{what: "base", of: one(func(d device) string { return d.on })}
	return kind[device]{
		noun: "device", gone: true, fresh: true,
		key:    func(d device) string { return stableName(d.BlockDevice) },
		traits: append(resuming(traits.Drive, func(d device) assay.BlockDevice { return d.BlockDevice }), base),
	}
}

// directory is a directory with the stable names of what it lies on.
type directory struct {
	assay.DirFacts
	source, device, drives string
}

func placed(f assay.Facts) (all []directory) {
	for _, d := range f.Dirs {
		all = append(all, directory{d, stableSource(f, d.Source), namesOf(f, without([]string{d.Device}, empty)), namesOf(f, d.Drives)})
	}
	return all
}

func empty(word string) bool { return word == "" }

// directories returns the kind of measured directories.
func directories() kind[directory] {
	base := trait[directory]{what: "base", of: func(d directory) []string { return []string{d.source, d.Dataset, d.device, d.drives} }}
	return kind[directory]{
		noun: "directory", gone: true,
		key:    func(d directory) string { return d.Path },
		traits: append(resuming(traits.Directory, func(d directory) assay.DirFacts { return d.DirFacts }), base),
	}
}

func either(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

// pools are the ZFS datasets under the directories; their properties are
// compared separately.
var pools = kind[assay.PoolFacts]{
	key:    nameOfPool,
	traits: []trait[assay.PoolFacts]{{what: "version", of: one(func(p assay.PoolFacts) string { return p.Version })}},
}

func nameOfPool(p assay.PoolFacts) string { return words(p.Kind, p.Name) }

func propertiesOf(all []assay.PoolFacts) (found []pair) {
	for _, p := range all {
		for _, property := range pairs(p.Properties) {
			if slices.Contains(zfs.Volatile, property.name) {
				continue
			}
			found = append(found, pair{property.name + " of " + nameOfPool(p), property.value})
		}
	}
	return found
}
