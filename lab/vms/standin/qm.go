package standin

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// The output of qm and pvesm of Proxmox VE, after its sources (qemu-server, pve-storage)
// and output that people have published; none of it was captured here.

const vm = "101"

// idOf returns the id of a volume.
func idOf(volume string) string { return Storage + ":" + volume }

// qmCommand runs the qm commands that do not concern the agent.
func qmCommand(words []string) (exit int) {
	fail := func(lines ...string) {
		exit = 255
		for _, line := range lines {
			fmt.Fprintln(os.Stderr, line)
		}
	}
	if words[1] != vm {
		fail("Configuration file 'nodes/pve1/qemu-server/" + words[1] + ".conf' does not exist")
		return exit
	}
	o := options(words[2:])
	err := Change(directory(), func(m *Machine) {
		switch words[0] {
		case "status":
			fmt.Println("status: " + map[bool]string{false: "running", true: "stopped"}[m.Off])
		case "config":
			_, current := o["current"]
			fmt.Print(m.config(current))
		case "set":
			for slot, value := range o {
				m.set(slot, value, fail)
			}
		case "unlink":
			m.unlink(o["idlist"], fail)
		default:
			fail("ERROR: unknown command 'qm " + words[0] + "'")
		}
	})
	if err != nil {
		fail(err.Error())
	}
	return exit
}

// config returns the VM's configuration. A full bus is shown filled with other
// disks.
func (m *Machine) config(current bool) string {
	var b strings.Builder
	b.WriteString(config)
	unused := 0
	for _, d := range m.Disks {
		switch {
		case d.Unused:
			fmt.Fprintf(&b, "unused%d: %s\n", unused, idOf(d.Volume))
			unused++
		case current || !d.Pending:
			fmt.Fprintf(&b, "%s: %s,backup=0,cache=%s", d.Slot, idOf(d.Volume), d.Cache)
			if d.AIO != "" {
				b.WriteString(",aio=" + d.AIO)
			}
			if d.Thread > 0 {
				b.WriteString(",iothread=1")
			}
			fmt.Fprintf(&b, ",serial=%s,size=%dM\n", d.Serial, m.Volumes[d.Volume]>>20)
		}
	}
	if m.Slots <= 0 {
		for i := 1; i < 31; i++ {
			fmt.Fprintf(&b, "scsi%d: local-lvm:vm-101-disk-%d,size=1G\nvirtio%d: local-lvm:vm-101-disk-%d,size=1G\n", i, i, i%16, 40+i)
		}
	}
	return b.String()
}

func (m *Machine) set(slot, value string, fail func(...string)) {
	id, rest, _ := strings.Cut(value, ",")
	volume, ours := strings.CutPrefix(id, Storage+":")
	bus := strings.TrimRight(slot, "0123456789")
	fmt.Printf("update VM %s: -%s %s\n", vm, slot, value)
	if _, there := m.Volumes[volume]; !ours || !there || m.Lock != "" {
		fail(map[bool]string{true: "VM is locked (" + m.Lock + ")", false: "volume '" + id + "' does not exist"}[m.Lock != ""])
		return
	}
	d := Disk{Slot: slot, Volume: volume, Bus: bus}
	for word := range strings.SplitSeq(rest, ",") {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "cache":
			d.Cache = value
		case "aio":
			d.AIO = value
		case "serial":
			d.Serial = value
		case "iothread":
			d.Thread, _ = strconv.Atoi(value)
		case "discard", "backup", "replicate":
		default:
			fail("400 Parameter verification failed.", slot+": invalid format - property is not defined in schema: "+key, "qm set <vmid> [OPTIONS]")
			return
		}
	}
	if err := m.plugIn(d); err != nil {
		fail(err.Error())
	}
}

func (m *Machine) unlink(slot string, fail func(...string)) {
	if m.Lock != "" {
		fail("VM is locked (" + m.Lock + ")")
		return
	}
	if n, is := strings.CutPrefix(slot, "unused"); is {
		count := 0
		for i, d := range m.Disks {
			if d.Unused && strconv.Itoa(count) == n {
				m.free(d.Volume)
				m.Disks = slices.Delete(m.Disks, i, i+1)
				return
			}
			if d.Unused {
				count++
			}
		}
		return
	}
	i := slices.IndexFunc(m.Disks, func(d Disk) bool { return d.Slot == slot && !d.Unused })
	if i < 0 {
		fmt.Fprintln(os.Stderr, "cannot delete '"+slot+"' - not set in current configuration!")
		return
	}
	d := m.Disks[i]
	if !m.plugOut(slot) {
		m.Disks[i].Pending = true
		fail("400 Parameter verification failed.", slot+": hotplug problem - error on hot-unplugging device 'virtio"+slot+"' - still busy in guest?", "qm unlink <vmid> --idlist <string> [OPTIONS]")
		return
	}
	m.Disks = append(m.Disks, Disk{Slot: "unused", Volume: d.Volume, Unused: true})
}

// pvesmCommand runs pvesm.
func pvesmCommand(words []string) (exit int) {
	fail := func(lines ...string) {
		exit = 255
		for _, line := range lines {
			fmt.Fprintln(os.Stderr, line)
		}
	}
	o := options(words[1:])
	err := Change(directory(), func(m *Machine) {
		switch words[0] {
		case "status":
			if o["storage"] != Storage {
				fail("400 Parameter verification failed.", "storage: No such storage.", "pvesm status  [OPTIONS]")
				return
			}
			used := int64(0)
			for _, bytes := range m.Volumes {
				used += bytes
			}
			fmt.Printf("%-7s %10s %10s %15s %15s %15s %8s\n", "Name", "Type", "Status", "Total", "Used", "Available", "%")
			fmt.Printf("%-7s %10s %10s %15d %15d %15d %7.2f%%\n", Storage, "lvmthin", "active", (m.Free+used)>>10, used>>10, m.Free>>10, 0.0)
		case "alloc":
			kib, err := strconv.ParseInt(words[4], 10, 64)
			switch name := words[3]; {
			case err != nil || !strings.HasPrefix(name, "vm-"+words[2]+"-"):
				fail("illegal name '" + name + "' - should be 'vm-" + words[2] + "-*'")
			default:
				switch m.alloc(name, kib<<10) {
				case "":
					fmt.Printf("successfully created '%s'\n", idOf(name))
				case "exists":
					fail("lvcreate '" + Storage + "/" + name + "' error:   Logical Volume \"" + name + "\" already exists in volume group \"" + Storage + "\"")
				default:
					fail("  Volume group \"" + Storage + "\" has insufficient free space")
				}
			}
		case "list":
			fmt.Println("Volid Format Type Size VMID")
			for name, bytes := range m.Volumes {
				fmt.Printf("%s raw images %d %s\n", idOf(name), bytes, vm)
			}
		case "path":
			name := strings.TrimPrefix(words[1], Storage+":")
			if _, there := m.Volumes[name]; !there {
				fail("no such volume '" + words[1] + "'")
				return
			}
			fmt.Println(VolumeFile(directory(), name))
		case "free":
			name := strings.TrimPrefix(words[1], Storage+":")
			if m.free(name) {
				fmt.Printf("Removed volume '%s'\n", words[1])
			}
		default:
			fail("ERROR: unknown command 'pvesm " + words[0] + "'")
		}
	})
	if err != nil {
		fail(err.Error())
	}
	return exit
}
