package clones

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/inventory"
	"assay/volume/clone"
)

// assumedRoom is the least size assumed for a guest's file systems.
const assumedRoom = 1 << 30

// Predict adds the future guests to an inventory: dirs are the directories measured in each,
// and tools are assumed to be installed.
func (d *Deployment) Predict(inv *assay.Inventory, of []clone.Template, dirs map[string][]string, tools []string) {
	for i, w := range d.wants {
		at, room := d.options.Guests[w.Guest], int64(assumedRoom)
		for _, disk := range of[i].Disks {
			room = max(room, disk.Bytes)
		}
		f := assay.Facts{Host: w.Guest}
		f.CPU.Threads, f.CPU.Usable, f.Memory.Total, f.Memory.Available = of[i].CPUs, of[i].CPUs, of[i].Memory, of[i].Memory
		for _, t := range tools {
			f.Tools = append(f.Tools, assay.ToolFacts{Name: t, Path: t})
		}
		for _, dir := range dirs[w.Guest] {
			f.Dirs = append(f.Dirs, assay.DirFacts{Path: dir, Exists: true, Writable: true, Bytes: room, Free: room})
		}
		inv.Hosts = append(inv.Hosts, at.Host())
		inv.Facts[w.Guest] = f
		inv.Subjects = append(inv.Subjects, inventory.Subjects(f, dirs[w.Guest])...)
	}
}

// Says describes what will be made, one sentence for each template on each host, and one more
// for an image.
func (d *Deployment) Says(of []clone.Template) []string {
	var all []string
	for i, w := range d.wants {
		if slices.ContainsFunc(d.wants[:i], w.Alike) {
			continue
		}
		var names []string
		for _, other := range d.wants {
			if w.Alike(other) {
				names = append(names, other.Guest)
			}
		}
		n := int64(len(names))
		disks := int64(0)
		for _, disk := range of[i].Disks {
			disks += disk.Bytes
		}
		all = append(all, fmt.Sprintf("a run creates %s on %s from %s and destroys them afterwards: %d MiB of memory, and disks that may grow to %d MiB in total",
			strings.Join(names, ", "), w.On, w.Title(), n*of[i].Memory>>20, n*disks>>20))
		if w.Image != nil {
			all = append(all, ofImage(w, names))
		}
	}
	return all
}

// ofImage describes what an image brings besides guests.
func ofImage(w clone.Want, guests []string) string {
	text := "cloud-init in " + strings.Join(guests, ", ") + " installs " + strings.Join(append([]string{"qemu-guest-agent"}, w.Image.Packages...), ", ") + " where they are missing"
	if w.Remote() {
		text = fmt.Sprintf("%s downloads %s and removes it afterwards; %s", w.On, w.Template, text)
	}
	return text
}
