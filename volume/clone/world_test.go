package clone

import (
	"cmp"
	"context"
	"crypto/sha512"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay"
)

// world is two hosts with a hypervisor of each kind, as seen through virsh, qm, pvesm and
// pvesh: the wording is that of libvirt 9.0 and of the sources of Proxmox VE 7.
type world struct {
	mu      sync.Mutex
	domains map[string]*domainThere   // by UUID, on kvm1
	volumes map[string]bool           // in pool images of kvm1
	held    map[string]string         // contents of some of them
	files   map[string]string         // made on nodes
	served  string                    // what URLs name
	failed  int                       // status of a download if not 0
	network string                    // libvirt's: what virsh net-info prints
	bridged bool                      // the bridge br0 exists
	formats map[string]string         // of volumes other than qcow2
	vms     map[string]map[string]*vm // by node and number
	free    int64                     // of each storage, B
	memory  int64                     // available per host, kB
	shared  int                       // storage ceph is
	poolIs  string                    // type of the pool
	making  int                       // refused looks at the pool, as volumes are made in it
	late    bool                      // an undefined domain was being started, and runs on
	changes int                       // changes left until assay is killed; <0 for no bound
	asked   []string
}

type domainThere struct{ name, state, text string }

type vm struct {
	config settings
	state  string
	disks  int
}

const kvm, pve1, pve2 = "kvm1", "pve1", "pve2"

// capabilities is what virsh domcapabilities prints, shortened.
const capabilities = "<domainCapabilities><path>/usr/bin/qemu-system-x86_64</path><domain>kvm</domain><machine>pc-i440fx-7.2</machine><arch>x86_64</arch>" +
	"<cpu><mode name='host-passthrough' supported='yes'/><mode name='maximum' supported='yes'/></cpu></domainCapabilities>"

const vmConfig = "agent: 1\nmemory: 1024\nname: debian12\nonboot: 1\nprotection: 1\nscsi0: ceph:base-9000-disk-0,size=8G\ntemplate: 1\n"

func newWorld(t *testing.T) *world {
	w := &world{
		domains: map[string]*domainThere{
			"5a0f9c1e-7c1d-4b64-9d0e-0000000000aa": {"debian12", "shut off", template(t)},
			"5a0f9c1e-7c1d-4b64-9d0e-0000000000ab": {"web", "running", "<domain/>"},
		},
		volumes: map[string]bool{"debian12.qcow2": true, "data.img": true},
		vms:     map[string]map[string]*vm{pve1: {"9000": {readSettings(vmConfig), "stopped", 1}, "101": {settings{"name": "web"}, "running", 1}}, pve2: {}},
		held:    map[string]string{}, files: map[string]string{}, network: "Name:           default\nActive:         yes\n", bridged: true,
		free: 100 << 30, memory: 16 << 20, shared: 1, poolIs: "dir", changes: -1,
	}
	return w
}

func (w *world) volume() Volume {
	return New().With(map[string]assay.Place{kvm: at{w, kvm}, pve1: at{w, pve1}, pve2: at{w, pve2}})
}

// left returns what exists now but not at first.
func (w *world) left(t *testing.T) (all []string) {
	first := newWorld(t)
	for uuid, d := range w.domains {
		if was := first.domains[uuid]; was == nil || *was != *d {
			all = append(all, "domain "+d.name)
		}
	}
	for v := range w.volumes {
		if !first.volumes[v] {
			all = append(all, "volume "+v)
		}
	}
	for node, vms := range w.vms {
		for id, v := range vms {
			if was := first.vms[node][id]; was == nil || !maps.Equal(was.config, v.config) || was.state != v.state {
				all = append(all, "VM "+id)
			}
		}
	}
	for f := range w.files {
		all = append(all, "file "+f)
	}
	for v := range first.volumes {
		if !w.volumes[v] {
			all = append(all, "lost "+v)
		}
	}
	if len(w.domains) < 2 || len(w.vms[pve1]) < 2 {
		all = append(all, "lost a guest")
	}
	return all
}

// at is the place of one of the hosts.
type at struct {
	world *world
	name  string
}

func (a at) Host() assay.Host { return assay.Host{Name: a.name} }
func (a at) Close() error     { return nil }

func (a at) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	w := a.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	words := c.Argv
	if words[0] == "virsh" {
		words = slices.Concat(words[:1], words[4:])
	}
	w.asked = append(w.asked, strings.Join(words, " "))
	o := map[string]string{}
	for i := 1; i+1 < len(words); i++ {
		if name, is := strings.CutPrefix(words[i], "--"); is {
			o[name] = words[i+1]
		}
	}
	text, wrong := "", ""
	switch words[0] {
	case "test", "rm", "df", "qemu-img", "sha512sum":
		return w.file(words), nil
	case "sh":
		return w.sh(words[2], words[4:], string(c.Stdin)), nil
	case "cat":
		text = fmt.Sprintf("MemTotal: 1 kB\nMemAvailable:    %d kB\n", w.memory)
	case "uname":
		text = a.name + ".lan\n"
	case "virsh":
		text, wrong = w.virsh(words[1], o, string(c.Stdin))
	case "qm":
		text, wrong = w.qm(a.name, words[1], words[2], o)
	case "pvesm":
		text = fmt.Sprintf("Name Type Status Total Used Available %%\n%s rbd active %d 0 %d 0%%\n", o["storage"], w.free>>10, w.free>>10)
	case "pvesh":
		text = w.pvesh(o["type"])
	}
	switch {
	case wrong == "killed":
		return assay.Output{}, assay.ErrHostGone
	case wrong != "":
		return assay.Output{Stderr: []byte(wrong + "\n"), Exit: 1}, nil
	}
	return assay.Output{Stdout: []byte(text)}, nil
}

// may uses up a change, if any.
func (w *world) may() bool {
	if w.changes == 0 {
		return false
	}
	w.changes--
	return true
}

func (w *world) domain(word string) (uuid string, d *domainThere) {
	if d := w.domains[word]; d != nil {
		return word, d
	}
	for uuid, d := range w.domains {
		if d.name == word {
			return uuid, d
		}
	}
	return "", nil
}

func (w *world) virsh(what string, o map[string]string, stdin string) (text, wrong string) {
	uuid, d := w.domain(o["domain"])
	if o["domain"] != "" && d == nil {
		return "", "error: failed to get domain '" + o["domain"] + "'"
	}
	if !slices.Contains([]string{"domstate", "dumpxml", "vol-pool", "vol-dumpxml", "vol-path", "vol-list", "pool-dumpxml", "pool-info", "pool-refresh", "net-info", "domcapabilities"}, what) && !w.may() {
		return "", "killed"
	}
	switch what {
	case "domstate":
		return d.state + "\n\n", ""
	case "dumpxml":
		return d.text, ""
	case "vol-pool":
		if !strings.HasPrefix(o["vol"], "/var/lib/libvirt/images/") {
			return "", "error: failed to get vol '" + o["vol"] + "'\nerror: Storage volume not found: no storage vol with matching path '" + o["vol"] + "'"
		}
		return "images\n", ""
	case "vol-dumpxml":
		name := o["vol"][strings.LastIndexByte(o["vol"], '/')+1:]
		if !w.volumes[name] {
			return "", "error: failed to get vol '" + o["vol"] + "'\nerror: Storage volume not found: no storage vol with matching path '" + o["vol"] + "'"
		}
		return "<volume type='file'><name>" + name + "</name><capacity unit='bytes'>10737418240</capacity><target><path>/var/lib/libvirt/images/" + name +
			"</path><format type='" + cmp.Or(w.formats[name], "qcow2") + "'/></target>" + w.formats["backing of "+name] + "</volume>", ""
	case "vol-path":
		return "/var/lib/libvirt/images/" + o["vol"] + "\n", ""
	case "vol-list":
		for v := range w.volumes {
			text += " " + v + "   /var/lib/libvirt/images/" + v + "\n"
		}
		return text, ""
	case "net-info":
		if w.network == "" {
			return "", "error: failed to get network 'default'\nerror: Network not found: no network with matching name 'default'"
		}
		return w.network, ""
	case "domcapabilities":
		return capabilities, ""
	case "vol-upload":
		w.held[o["vol"]] = stdin
	case "pool-dumpxml":
		return "<pool type='" + w.poolIs + "'><name>images</name></pool>", ""
	case "pool-info":
		return fmt.Sprintf("Name: images\nState: running\nCapacity: %d\nAllocation: 0\nAvailable: %d\n", w.free, w.free), ""
	case "vol-create-as":
		if w.volumes[o["name"]] {
			return "", "error: Failed to create vol\nerror: operation failed: storage volume '" + o["name"] + "' exists already"
		}
		w.volumes[o["name"]] = true
	case "vol-delete":
		delete(w.volumes, o["vol"])
		delete(w.held, o["vol"])
	case "define":
		e, err := parse([]byte(stdin))
		if err != nil {
			return "", "error: " + err.Error()
		}
		w.domains[e.get("uuid").text] = &domainThere{e.get("name").text, "shut off", stdin}
	case "start":
		d.state = "running"
	case "destroy":
		d.state = "shut off"
	case "pool-refresh":
		if w.making != 0 {
			w.making--
			return "", "error: Failed to refresh pool images\nerror: internal error: pool 'images' has asynchronous jobs running."
		}
	case "undefine":
		if w.late {
			w.late, d.state = false, "running"
			return "", ""
		}
		delete(w.domains, uuid)
	}
	return "", ""
}

// sh stands in for the scripts that download an image.
func (w *world) sh(script string, words []string, stdin string) assay.Output {
	name := words[len(words)-1]
	store, whole := w.held, w.served
	switch script {
	case digestScript:
		return assay.Output{Stdout: fmt.Appendf(nil, "%x  -\n", sha512.Sum512([]byte(w.held[words[1]])))}
	case putVolume + fetchScript:
		if !w.volumes[name] {
			return assay.Output{Stderr: []byte("no such volume"), Exit: 1}
		}
	case putFile + fetchScript:
		store = w.files
	case putFile + `put "$1"`:
		store, whole = w.files, stdin
	default:
		return assay.Output{Exit: 127}
	}
	if script != putFile+`put "$1"` && (w.failed != 0 || stdin != imageURL+"\n") {
		return assay.Output{Stderr: []byte("curl: (22) The requested URL returned error: 404\n"), Exit: w.failed}
	}
	if !w.may() {
		return assay.Output{Exit: 137}
	}
	store[name] = whole[:len(whole)/2]
	if !w.may() {
		return assay.Output{Exit: 137}
	}
	store[name] = whole
	return assay.Output{}
}

// file answers commands about a node's files and bridges.
func (w *world) file(words []string) assay.Output {
	name := words[len(words)-1]
	text, there := w.files[name]
	switch {
	case words[0] == "test" && words[1] == "-d":
		there = w.bridged
	case words[0] == "test":
		there = !there
	case words[0] == "df":
		return assay.Output{Stdout: fmt.Appendf(nil, "Filesystem 1-blocks Used Available Capacity Mounted on\n/dev/sda %d 0 %d 0%% /\n", w.free, w.free)}
	case words[0] == "rm":
		there = w.may()
		if there {
			delete(w.files, name)
		}
	case words[0] == "sha512sum":
		return assay.Output{Stdout: fmt.Appendf(nil, "%x  %s\n", sha512.Sum512([]byte(text)), name)}
	case name == imageFile || there:
		return assay.Output{Stdout: fmt.Appendf(nil, `{"virtual-size": 3221225472, "filename": %q, "format": %q%s}`, name, cmp.Or(w.formats["image"], "qcow2"), w.formats["backing"])}
	default:
		return assay.Output{Stderr: []byte("qemu-img: Could not open '" + name + "': No such file or directory\n"), Exit: 1}
	}
	if !there {
		return assay.Output{Exit: 1}
	}
	return assay.Output{}
}

func (w *world) qm(node, what, id string, o map[string]string) (text, wrong string) {
	v := w.vms[node][id]
	if what == "create" {
		return w.create(node, id, o)
	}
	if v == nil {
		return "", "Configuration file 'nodes/" + node + "/qemu-server/" + id + ".conf' does not exist"
	}
	if what != "config" && what != "status" && !w.may() {
		return "", "killed"
	}
	switch what {
	case "config":
		for _, key := range slices.Sorted(maps.Keys(v.config)) {
			text += key + ": " + v.config[key] + "\n"
		}
		return text, ""
	case "status":
		return "status: " + v.state + "\n", ""
	case "clone":
		number := strings.Fields(w.asked[len(w.asked)-1])[3]
		half := &vm{settings{"lock": "clone", "description": "qmclone temporary file"}, "stopped", 0}
		w.vms[node][number] = half
		if !w.may() {
			return "", "killed"
		}
		whole := maps.Clone(v.config)
		delete(whole, "template")
		whole["name"], whole["description"], whole["lock"] = o["name"], o["description"], "clone"
		half.config, half.disks = whole, 1
		if !w.may() {
			return "", "killed"
		}
		delete(whole, "lock")
		if o["target"] != "" {
			delete(w.vms[node], number)
			w.vms[o["target"]][number] = half
		}
	case "set":
		v.config["onboot"], v.config["protection"] = o["onboot"], o["protection"]
	case "resize":
		v.config["size"] = w.asked[len(w.asked)-1]
	case "start":
		v.state = "running"
	case "stop":
		v.state = "stopped"
	case "unlock":
		delete(v.config, "lock")
	case "destroy":
		if v.state == "running" || v.config["lock"] != "" {
			return "", "VM " + id + " is running - destroy failed"
		}
		delete(w.vms[node], id)
	}
	return "", ""
}

// create is qm create: disks to import must exist.
func (w *world) create(node, id string, o map[string]string) (text, wrong string) {
	if !w.may() {
		return "", "killed"
	}
	half := &vm{settings{"lock": "create"}, "stopped", 0}
	w.vms[node][id] = half
	for _, disk := range []string{"scsi0", "scsi1"} {
		_, from, _ := strings.Cut(o[disk], "import-from=")
		from, _, _ = strings.Cut(from, ",")
		if _, there := w.files[from]; !there && from != imageFile {
			delete(w.vms[node], id)
			return "", "unable to create VM " + id + " - no such file " + from
		}
		if !w.may() {
			return "", "killed"
		}
		half.disks++
	}
	half.config = settings{"name": o["name"], "description": o["description"], "onboot": o["onboot"], "protection": "0", "agent": o["agent"], "scsi0": o["scsi0"]}
	return "", ""
}

func (w *world) pvesh(kind string) string {
	var all []map[string]any
	if kind == "storage" {
		all = append(all, map[string]any{"id": "storage/pve1/ceph", "storage": "ceph", "shared": w.shared}, map[string]any{"storage": "local-lvm", "shared": 0})
	}
	for node, vms := range w.vms {
		for id := range vms {
			if kind == "vm" {
				all = append(all, map[string]any{"vmid": json.Number(id), "node": node, "type": "qemu"})
			}
		}
	}
	text, _ := json.Marshal(all)
	return string(text)
}
