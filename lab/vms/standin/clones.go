package standin

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"strings"
)

// Template is a domain that is off, from which clones are made. One agent answers for all
// clones.
const Template = "debian12"

// template is the template in virsh dumpxml's format, abridged.
const template = `<domain type='kvm'><name>` + Template + `</name><uuid>5a0f9c1e-7c1d-4b64-9d0e-0000000000aa</uuid><memory unit='KiB'>262144</memory><vcpu>1</vcpu>
<devices><controller type='scsi' index='0' model='virtio-scsi'/><disk type='file' device='disk'><driver name='qemu' type='qcow2'/>
<source file='/var/lib/libvirt/images/` + Template + `.qcow2'/><target dev='vda' bus='virtio'/></disk>
<channel type='unix'><target type='virtio' name='org.qemu.guest_agent.0'/></channel></devices></domain>
`

// Clone is a defined domain.
type Clone struct{ Name, State string }

// clone finds a clone by name or UUID.
func (m *Machine) clone(word string) (uuid string, c Clone, known bool) {
	for uuid, c := range m.Clones {
		if word == uuid || word == c.Name {
			return uuid, c, true
		}
	}
	return "", Clone{}, false
}

// knows reports whether there is a domain of that name.
func (m *Machine) knows(domain string) bool {
	_, _, known := m.clone(domain)
	return known || domain == "db" || domain == Template
}

// runs reports whether a domain has an agent that answers.
func (m *Machine) runs(domain string) bool {
	_, c, _ := m.clone(domain)
	return domain == "db" || c.State == "running"
}

// ofClones handles commands about a template or its clones; it returns false for
// others.
func (m *Machine) ofClones(what string, o map[string]string, fail func(...string)) bool {
	uuid, c, known := m.clone(o["domain"])
	switch {
	case what == "domstate" && o["domain"] == Template:
		fmt.Println("shut off")
	case what == "dumpxml" && o["domain"] == Template:
		fmt.Print(template)
	case what == "vol-pool":
		fmt.Println(Storage)
	case what == "vol-dumpxml":
		fmt.Printf("<volume type='file'><name>%s.qcow2</name><capacity unit='bytes'>%d</capacity><target><path>%s</path></target></volume>\n", Template, int64(1)<<30, o["vol"])
	case what == "pool-dumpxml":
		fmt.Println("<pool type='dir'><name>" + Storage + "</name></pool>")
	case what == "define":
		var d struct {
			Name string `xml:"name"`
			UUID string `xml:"uuid"`
		}
		text, err := io.ReadAll(os.Stdin)
		if err != nil || o["file"] != "/dev/stdin" || xml.Unmarshal(text, &d) != nil || d.Name == "" || strings.Contains(string(text), Template+".qcow2") {
			fail("Failed to define domain from " + o["file"])
			return true
		}
		if m.Clones == nil {
			m.Clones = map[string]Clone{}
		}
		m.Clones[d.UUID] = Clone{d.Name, "shut off"}
	case !known:
		return false
	case what == "domstate":
		fmt.Println(c.State)
	case what == "dumpxml":
		fmt.Print(m.domain(c.Name))
	case what == "start":
		m.Clones[uuid] = Clone{c.Name, "running"}
	case what == "destroy":
		m.Clones[uuid] = Clone{c.Name, "shut off"}
	case what == "undefine":
		delete(m.Clones, uuid)
	default:
		return false
	}
	return true
}
