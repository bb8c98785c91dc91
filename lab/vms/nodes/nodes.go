// Package nodes imitates two nodes of a Proxmox VE cluster with one VM, as far as assay
// queries them about a migration. Its logs follow published ones; its JSON has not been
// compared with real output. Nothing runs: it is a stand-in for tests, not a Proxmox VE.
package nodes

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay"
)

// VM is the number of the VM.
const VM = "101"

// Cluster is the state of the nodes.
type Cluster struct {
	Node   string // that the VM is on
	Status string // running or stopped
	QEMU   string // QEMU's state: running, paused
	Lock   string
	HA     bool
	Memory int64 // of the VM, in B

	Leaving    string   // the node at which a migration is under way, "" for none
	Resources  []string // of its node, used by the VM
	Disks      []string // on its node only
	CD         bool     // the last disk is in a CD drive
	NotAllowed []string // nodes
	Log        string   // what qm migrate prints
	Refuses    string   // why it fails, for Times attempts
	Times      int
	Available  int64 // memory of each node, in B
	Addresses  string

	// Meanwhile is called before each command.
	Meanwhile func(node, command string)

	mu    sync.Mutex
	asked []string
}

// New returns a cluster of pve1, which runs the VM, and pve2.
func New() *Cluster {
	return &Cluster{Node: "pve1", Status: "running", QEMU: "running", Memory: 4 << 30, Available: 16 << 30}
}

// Asked returns the commands that were run, each prefixed with its node.
func (c *Cluster) Asked() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.asked)
}

// At returns the place of a node, which has the same name in cluster.yaml.
func (c *Cluster) At(node string) assay.Place { return place{c, node} }

type place struct {
	*Cluster
	node string
}

func (p place) Host() assay.Host { return assay.Host{Name: p.node} }
func (p place) Close() error     { return nil }

func (p place) Run(_ context.Context, cmd assay.Cmd) (assay.Output, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	words := cmd.Argv
	if words[0] == "sh" {
		words = words[4:] // after the script and its name
	}
	command := strings.Join(words, " ")
	p.asked = append(p.asked, p.node+": "+command)
	if p.Meanwhile != nil {
		p.Meanwhile(p.node, command)
	}
	said, why := p.answer(words)
	if why != "" && words[0] == "qm" { // run so that all its output is kept
		return assay.Output{Stdout: []byte(said + why + "\n"), Exit: 255}, nil
	}
	if why != "" {
		return assay.Output{Stdout: []byte(said), Stderr: []byte(why + "\n"), Exit: 255}, nil
	}
	return assay.Output{Stdout: []byte(said)}, nil
}

// answer returns a command's output, and its error message if it fails.
func (p place) answer(words []string) (said, why string) {
	base := "/nodes/" + p.node
	switch words[0] {
	case "uname":
		return p.node + ".example.org\n", ""
	case "cat":
		return fmt.Sprintf("MemTotal: 1 kB\nMemAvailable:    %d kB\n", p.Available>>10), ""
	case "ip":
		return p.Addresses, ""
	case "qm":
		return p.migrate(words)
	}
	switch what := strings.Join(words[:3], " "); what {
	case "pvesh get " + base + "/qemu/" + VM + "/status/current":
		if p.Node != p.node {
			return "", "Configuration file 'nodes/" + p.node + "/qemu-server/" + VM + ".conf' does not exist"
		}
		now := map[string]any{"vmid": 101, "name": "mail", "status": p.Status, "qmpstatus": p.QEMU, "maxmem": p.Memory, "ha": map[string]any{"managed": map[bool]int{true: 1}[p.HA]}}
		if p.Lock != "" {
			now["lock"] = p.Lock
		}
		return text(now), ""
	case "pvesh get " + base + "/tasks":
		tasks := []map[string]any{{"upid": "UPID:" + p.node + ":0000F00D:00000001:690D4CC0:vzdump:102:root@pam:", "type": "vzdump", "id": "102", "node": p.node}}
		if p.Leaving == p.node {
			tasks = append(tasks, map[string]any{"upid": p.task(), "type": "qmigrate", "id": VM, "node": p.node})
		}
		return text(tasks), ""
	case "pvesh get " + base + "/qemu/" + VM + "/migrate":
		return text(p.obstacles()), ""
	case "pvesh delete " + base + "/tasks/" + p.task():
		if p.Leaving != p.node {
			return "", "no such task"
		}
		p.Leaving, p.Lock = "", ""
		return "", ""
	}
	return "", "no '" + strings.Join(words, " ") + "' handler"
}

func (p place) task() string {
	return "UPID:" + p.node + ":0000BEEF:00000002:690D4CC0:qmigrate:" + VM + ":root@pam:"
}

func (p place) obstacles() map[string]any {
	disks := []map[string]any{}
	for i, d := range p.Disks {
		disks = append(disks, map[string]any{"volid": d, "size": 34359738368, "cdrom": map[bool]int{true: 1}[p.CD && i == len(p.Disks)-1]})
	}
	resources := p.Resources
	if resources == nil {
		resources = []string{}
	}
	all := map[string]any{"running": 1, "local_disks": disks, "local_resources": resources}
	not := map[string]any{}
	for _, node := range p.NotAllowed {
		not[node] = map[string]any{"unavailable_storages": []string{"vms"}}
	}
	all["not_allowed_nodes"] = not
	return all
}

// migrate stands in for qm migrate VM NODE.
func (p place) migrate(words []string) (said, why string) {
	has := func(option string) bool { return slices.Contains(words, option) }
	to := words[3]
	abort := func(reason string) (string, string) {
		return "2025-02-11 09:12:00 ERROR: " + reason + "\n2025-02-11 09:12:00 ERROR: migration aborted (duration 00:00:00): " + reason + "\n", "migration aborted"
	}
	switch {
	case p.Times > 0:
		p.Times--
		return abort(p.Refuses)
	case p.Node != p.node:
		return "", "Configuration file 'nodes/" + p.node + "/qemu-server/" + VM + ".conf' does not exist"
	case p.Lock != "":
		return "", "VM is locked (" + p.Lock + ")"
	case to == p.node:
		return "", "400 Parameter verification failed.\ntarget: target is local node."
	case p.Status == "running" && !has("--online"):
		return "", "can't migrate running VM without --online"
	case slices.ContainsFunc(p.Disks, func(d string) bool { return !strings.Contains(d, "cloudinit") }) && !has("--with-local-disks"):
		return abort("Problem found while scanning volumes - can't live migrate attached local disks without with-local-disks option")
	}
	p.Node = to
	return p.Log, ""
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // words and numbers
	}
	return string(b) + "\n"
}
