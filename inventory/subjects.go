package inventory

import "assay"

// folder is the kind of volume that lends Windows directories.
const folder = "folder"

// Subjects returns what can be measured on one host: the CPU, memory, the
// temperatures, each drive, and each of the directories dirs, which stands on
// the drives under it.
//
// A drive is a whole disk with a size. A loop device counts only if it is all
// that is known under one of dirs; zram, RAM disks and CD drives never do.
func Subjects(f assay.Facts, dirs []string) []assay.Subject {
	id := func(kind assay.SubjectKind, name string) string {
		return f.Host + "/" + string(kind) + "/" + name
	}
	var found []assay.Subject
	add := func(kind assay.SubjectKind, name string, on []string) {
		found = append(found, assay.Subject{ID: id(kind, name), Kind: kind, Host: f.Host, Name: name, On: on})
	}
	for _, kind := range []assay.SubjectKind{assay.KindCPU, assay.KindMemory, assay.KindThermal} {
		add(kind, string(kind), nil)
	}
	dirs = distinct(dirs)
	under := map[string]bool{}
	for _, d := range dirs {
		if dir := f.Dir(d); dir != nil {
			for _, name := range dir.Drives {
				under[name] = true
			}
		}
	}
	drives := map[string]bool{}
	for _, b := range f.Block {
		if b.Bytes > 0 && (b.Kind == "disk" || b.Kind == "loop" && under[b.Name]) {
			drives[b.Name] = true
			add(assay.KindDrive, b.Name, nil)
		}
	}
	for _, d := range dirs {
		var on []string
		source := ""
		if dir := f.Dir(d); dir != nil {
			source = dir.Source
			for _, name := range dir.Drives {
				if drives[name] {
					on = append(on, id(assay.KindDrive, name))
				}
			}
		}
		add(assay.KindDirectory, d, on)
		found[len(found)-1].Source = source
		if f.OS.Windows {
			found[len(found)-1].Volume = folder
		}
	}
	return found
}

// Devices returns block devices, named by their paths, as subjects that stand on
// the drives under them. A device missing from the facts stands on nothing.
func Devices(f assay.Facts, paths []string) []assay.Subject {
	var found []assay.Subject
	for _, path := range distinct(paths) {
		s := assay.Subject{ID: f.Host + "/" + string(assay.KindDevice) + "/" + path, Kind: assay.KindDevice, Host: f.Host, Name: path}
		if b := f.DeviceAt(path); b != nil {
			s.On = drivesUnder(f, b.Name)
		}
		found = append(found, s)
	}
	return found
}

// Blocks returns devices that may be overwritten as subjects that stand on the drives
// under them. paths are their kernel paths.
func Blocks(f assay.Facts, all []assay.Subject, paths []string) []assay.Subject {
	var found []assay.Subject
	for i, s := range all {
		if b := f.DeviceAt(paths[i]); b != nil {
			s.On, s.Source = drivesUnder(f, b.Name), b.Path
		}
		found = append(found, s)
	}
	return found
}

// DrivesUnder returns the subjects of the whole disks under the directory or device that facts
// call name.
func DrivesUnder(f assay.Facts, name string) []string {
	var all []string
	if d := f.Dir(name); d != nil {
		for _, below := range d.Drives {
			all = append(all, drivesUnder(f, below)...)
		}
	} else if b := f.DeviceAt(name); b != nil {
		all = drivesUnder(f, b.Name)
	}
	return distinct(all)
}

// drivesUnder returns the subjects of the whole disks under a device.
func drivesUnder(f assay.Facts, name string) []string {
	b := f.Device(name)
	switch {
	case b == nil:
		return nil
	case b.Kind == "disk":
		return []string{f.Host + "/" + string(assay.KindDrive) + "/" + b.Name}
	}
	var all []string
	for _, below := range b.On {
		all = append(all, drivesUnder(f, below)...)
	}
	return distinct(all)
}
