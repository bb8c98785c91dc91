package standin

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// The output of virsh of libvirt 9.0.0, with the errors that a libvirtd of that
// version returned for a domain in QEMU.

// options parses --name value and --flag; here a value never begins with two
// hyphens.
func options(words []string) map[string]string {
	all := map[string]string{}
	for i := 0; i < len(words); i++ {
		name, is := strings.CutPrefix(words[i], "--")
		if !is {
			continue
		}
		all[name] = ""
		if i+1 < len(words) && !strings.HasPrefix(words[i+1], "--") {
			i++
			all[name] = words[i]
		}
	}
	return all
}

// attachedXML is the XML of a disk to attach.
type attachedXML struct {
	Driver struct {
		Cache    string `xml:"cache,attr"`
		IO       string `xml:"io,attr"`
		IOThread int    `xml:"iothread,attr"`
	} `xml:"driver"`
	Source struct {
		Pool   string `xml:"pool,attr"`
		Volume string `xml:"volume,attr"`
	} `xml:"source"`
	Target struct {
		Dev string `xml:"dev,attr"`
		Bus string `xml:"bus,attr"`
	} `xml:"target"`
	Serial string `xml:"serial"`
}

// virshCommand runs one command given in the arguments.
func virshCommand(words []string) (exit int) {
	o := options(words[1:])
	fail := func(lines ...string) {
		exit = 1
		for _, line := range lines {
			fmt.Fprintln(os.Stderr, "error: "+line)
		}
	}
	if pool, named := o["pool"]; named && pool != Storage {
		fail("failed to get pool '"+pool+"'", "Storage pool not found: no storage pool with matching name '"+pool+"'")
		return exit
	}
	err := Change(directory(), func(m *Machine) {
		if domain, named := o["domain"]; named && !m.knows(domain) {
			fail("failed to get domain '" + domain + "'")
			return
		}
		if m.ofClones(words[0], o, fail) {
			return
		}
		switch words[0] {
		case "domstate":
			fmt.Println(map[bool]string{false: "running", true: "shut off"}[m.Off])
		case "dumpxml":
			fmt.Print(m.domain("db"))
		case "pool-info":
			used := int64(0)
			for _, bytes := range m.Volumes {
				used += bytes
			}
			fmt.Printf("Name:           %s\nState:          running\nCapacity:       %d\nAllocation:     %d\nAvailable:      %d\n", Storage, m.Free+used, used, m.Free)
		case "pool-refresh":
		case "vol-list":
			for name := range m.Volumes {
				fmt.Printf(" %s   %s\n", name, VolumeFile(directory(), name))
			}
		case "vol-create-as":
			bytes, err := strconv.ParseInt(o["capacity"], 10, 64)
			if err != nil {
				fail("Malformed size " + o["capacity"])
				return
			}
			switch why := m.alloc(o["name"], bytes); why {
			case "":
			case "exists":
				fail("Failed to create vol "+o["name"], "storage volume '"+o["name"]+"' exists already")
			default:
				fail("Failed to create vol "+o["name"], "cannot allocate "+o["capacity"]+" bytes in file '"+VolumeFile(directory(), o["name"])+"': No space left on device")
			}
		case "vol-path":
			if _, there := m.Volumes[o["vol"]]; !there {
				fail("failed to get vol '"+o["vol"]+"'", "Storage volume not found: no storage vol with matching path '"+o["vol"]+"'")
				return
			}
			fmt.Println(VolumeFile(directory(), o["vol"]))
		case "vol-delete":
			if !m.free(o["vol"]) {
				fail("failed to get vol '"+o["vol"]+"'", "Storage volume not found: no storage vol with matching path '"+o["vol"]+"'")
			}
		case "iothreadadd", "iothreaddel":
			m.thread(words[0], o["id"], fail)
		case "attach-device", "detach-device":
			text, err := io.ReadAll(os.Stdin)
			var d attachedXML
			if err != nil || o["file"] != "/dev/stdin" || xml.Unmarshal(text, &d) != nil {
				fail("Failed to parse the XML of a device")
				return
			}
			if m.Off {
				fail("Failed to "+strings.TrimSuffix(words[0], "-device")+" device from /dev/stdin", "Requested operation is not valid: domain is not running")
				return
			}
			if words[0] == "attach-device" {
				m.attachXML(d, fail)
			} else {
				m.detachXML(d, fail)
			}
		default:
			fail("unknown command: '" + words[0] + "'")
		}
	})
	if err != nil {
		fail(err.Error())
	}
	return exit
}

func (m *Machine) thread(what, word string, fail func(...string)) {
	id, err := strconv.Atoi(word)
	used := slices.ContainsFunc(m.Disks, func(d Disk) bool { return d.Thread == id })
	switch at := slices.Index(m.Threads, id); {
	case err != nil:
		fail("Numeric value '" + word + "' for <id> option is malformed or out of range")
	case m.Off:
		fail("Requested operation is not valid: domain is not running")
	case what == "iothreadadd" && at >= 0:
		fail("invalid argument: an IOThread is already using iothread_id '" + word + "'")
	case what == "iothreadadd":
		m.Threads = append(m.Threads, id)
	case at < 0:
		fail("invalid argument: cannot find IOThread '" + word + "' in iothreadids list")
	case used:
		fail("invalid argument: cannot remove IOThread " + word + " since it is being used by disk 'vdz'")
	default:
		m.Threads = slices.Delete(m.Threads, at, at+1)
	}
}

func (m *Machine) attachXML(d attachedXML, fail func(...string)) {
	const failed = "Failed to attach device from /dev/stdin"
	_, there := m.Volumes[d.Source.Volume]
	switch {
	case d.Target.Dev == "vda" || slices.ContainsFunc(m.Disks, func(o Disk) bool { return o.Slot == d.Target.Dev }):
		fail(failed, "XML error: target '"+d.Target.Dev+"' duplicated for disk sources '"+d.Source.Volume+"' and '"+d.Source.Volume+"'")
	case d.Source.Pool != Storage || !there:
		fail(failed, "Storage volume not found: no storage vol with matching name '"+d.Source.Volume+"'")
	case d.Driver.IOThread != 0 && !slices.Contains(m.Threads, d.Driver.IOThread):
		fail(failed, fmt.Sprintf("unsupported configuration: Disk iothread '%d' not defined in iothreadid", d.Driver.IOThread))
	case m.Slots <= 0:
		fail(failed, "internal error: No more available PCI slots")
	default:
		err := m.plugIn(Disk{Slot: d.Target.Dev, Volume: d.Source.Volume, Serial: d.Serial, Bus: d.Target.Bus, Cache: d.Driver.Cache, AIO: d.Driver.IO, Thread: d.Driver.IOThread})
		if err != nil {
			fail(failed, err.Error())
		}
	}
}

// detachXML uses only the target. It is no error if the guest does not respond.
func (m *Machine) detachXML(d attachedXML, fail func(...string)) {
	if !slices.ContainsFunc(m.Disks, func(o Disk) bool { return o.Slot == d.Target.Dev }) && d.Target.Dev != "vda" {
		fail("Failed to detach device from /dev/stdin", "device not found: disk "+d.Target.Dev+" not found")
		return
	}
	m.plugOut(d.Target.Dev)
}

// domain returns the guest in virsh dumpxml's format, abridged.
func (m *Machine) domain(name string) string {
	var b strings.Builder
	b.WriteString("<domain type='kvm'><name>" + name + "</name>")
	if len(m.Threads) > 0 {
		fmt.Fprintf(&b, "<iothreads>%d</iothreads><iothreadids>", len(m.Threads))
		for _, id := range m.Threads {
			fmt.Fprintf(&b, "<iothread id='%d'/>", id)
		}
		b.WriteString("</iothreadids>")
	}
	b.WriteString(`<cpu mode='host-passthrough'/><devices><controller type='scsi' index='0' model='virtio-scsi'/>
<disk type='file' device='disk'><driver name='qemu' type='qcow2'/><source file='/var/lib/libvirt/images/db.qcow2'/><target dev='vda' bus='virtio'/></disk>
`)
	for _, d := range m.Disks {
		thread := ""
		if d.Thread > 0 {
			thread = fmt.Sprintf(" iothread='%d'", d.Thread)
		}
		if d.AIO != "" {
			thread += " io='" + d.AIO + "'"
		}
		fmt.Fprintf(&b, "<disk type='volume' device='disk'><driver name='qemu' type='raw' cache='%s'%s discard='unmap'/><source pool='%s' volume='%s' index='2'/><backingStore/><target dev='%s' bus='%s'/><serial>%s</serial></disk>\n",
			d.Cache, thread, Storage, d.Volume, d.Slot, d.Bus, d.Serial)
	}
	b.WriteString("</devices></domain>\n")
	return b.String()
}
