package migration

import (
	"bytes"
	"context"
	_ "embed" // the script
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"assay"
	hypervisors "assay/internal/hypervisor"
	"assay/internal/lazyregexp"
)

// proxmox is a VM of Proxmox VE. All nodes know which of them has it, and the others answer as
// if there were none.
type proxmox struct{ Move }

// Words implements Hypervisor.
func (m proxmox) Words() Words {
	return Words{
		Guest: "VM " + m.Guest, List: "qm list", Start: "qm start " + m.Guest, Jobs: "qm config " + m.Guest + " (qm unlock " + m.Guest + " removes a stale lock)",
		Forget: "qm destroy " + m.Guest, Downtime: "qm set " + m.Guest + " --migrate_downtime S",
	}
}

var proxmoxTroubles = []hypervisors.Trouble{
	{Said: "qemu-server/GUEST.conf' does not exist", Is: assay.ErrNotFound, Hint: "qm list lists the VMs of this node"},
	{Said: "no such cluster node", Hint: "both hosts must be nodes of one cluster: pvecm nodes"},
	{Said: "vm is locked", Is: assay.ErrBusy, Hint: "wait for the backup, snapshot or migration that holds it (qm config GUEST)"},
	{Said: "can't lock file", Is: assay.ErrBusy, Hint: "wait for what changes the VM's configuration"},
	{Said: "can't migrate local disk", Hint: "put the VM's disks on storage that both nodes share, or have them copied: disks: copy under migrate:"},
	{Said: "can't live migrate attached local disks", Hint: "put the VM's disks on storage that both nodes share, or have them copied: disks: copy under migrate:"},
	{Said: "can't migrate vm which uses local devices", Hint: "take the device from the VM: qm config GUEST names it"},
	{Said: "is not available on node", Hint: "pvesm status on both nodes lists their storages; each must have those of the VM"},
	{Said: "host key verification failed", Hint: "let the nodes reach each other: pvecm updatecerts"},
	{Said: "can't connect to destination address", Is: assay.ErrHostGone, Hint: "let the nodes reach each other by SSH, as root"},
}

func (m proxmox) run(ctx context.Context, at assay.Place, words ...string) (string, error) {
	return hypervisors.Tell(ctx, at, proxmoxTroubles, strings.NewReplacer("GUEST", m.Guest), assay.Cmd{Argv: words, Env: []string{"LC_ALL=C"}, Timeout: patience})
}

// node returns a host's node name in Proxmox VE.
func (m proxmox) node(ctx context.Context, at assay.Place) (string, error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"uname", "-n"}, Timeout: patience})
	if err != nil {
		return "", fmt.Errorf("%s: its name as a node: %w", at.Host().Name, err)
	}
	name, _, _ := strings.Cut(strings.TrimSpace(string(out.Stdout)), ".")
	if !hostName.MatchString(name) {
		return "", fmt.Errorf("%s: %.60q cannot be the name of a node", at.Host().Name, name)
	}
	return name, nil
}

// get queries a node's API about the node itself.
func (m proxmox) get(ctx context.Context, at assay.Place, path string, into any, options ...string) error {
	node, err := m.node(ctx, at)
	if err != nil {
		return err
	}
	text, err := m.run(ctx, at, slices.Concat([]string{"pvesh", "get", "/nodes/" + node + path}, options, []string{"--output-format", "json"})...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("pvesh get /nodes/%s%s on %s: %w: %w", node, path, at.Host().Name, assay.ErrNoOutput, err)
	}
	return nil
}

// current is what a node reports about one of its VMs.
type current struct {
	Status string `json:"status"`
	QEMU   string `json:"qmpstatus"`
	Lock   string `json:"lock"`
	Memory int64  `json:"maxmem"`
	HA     struct {
		Managed flag `json:"managed"`
	} `json:"ha"`
}

// flag is a boolean as Perl prints it.
type flag bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *flag) UnmarshalJSON(text []byte) error {
	switch strings.Trim(string(text), `"`) {
	case "1", "true":
		*f = true
	case "0", "false", "", "null":
		*f = false
	default:
		return fmt.Errorf("%.20q is neither true nor false", text)
	}
	return nil
}

// now asks a node for the VM; there is false if it is on another node, or
// nowhere.
func (m proxmox) now(ctx context.Context, at assay.Place) (c current, there bool, err error) {
	err = m.get(ctx, at, "/qemu/"+m.Guest+"/status/current", &c)
	if errors.Is(err, assay.ErrNotFound) {
		return c, false, nil
	}
	return c, err == nil, err
}

// State implements Hypervisor.
func (m proxmox) State(ctx context.Context, at assay.Place) (string, error) {
	c, there, err := m.now(ctx, at)
	if err != nil || !there {
		return Nowhere, err
	}
	return c.state()
}

// state returns the state of a VM in libvirt's words, some of which are Proxmox
// VE's too.
func (c current) state() (string, error) {
	switch {
	case c.Status == "stopped":
		return Off, nil
	case c.Status != "running":
		return "", fmt.Errorf("pvesh: a VM whose status is %.40q: %w", c.Status, assay.ErrNoOutput)
	case c.QEMU == "", c.QEMU == "running":
		return Running, nil
	}
	return c.QEMU, nil // paused, prelaunch, suspended, or another QEMU state
}

// task is a task that a node is running.
type task struct {
	UPID string `json:"upid"`
	Type string `json:"type"`
	ID   string `json:"id"`
	Node string `json:"node"`
}

// leaving returns the task that migrates the VM away from a node, "" if there is
// none.
func (m proxmox) leaving(ctx context.Context, at assay.Place) (string, error) {
	var all []task
	if err := m.get(ctx, at, "/tasks", &all, "--source", "active", "--vmid", m.Guest); err != nil {
		return "", err
	}
	for _, t := range all {
		if t.Type == "qmigrate" && t.ID == m.Guest && strings.HasPrefix(t.UPID, "UPID:") {
			return t.UPID, nil
		}
	}
	return "", nil
}

// Job implements Hypervisor. A VM stays locked for a migration until its new node finally has
// it, and longer if the migration was killed. Other locks belong to other tasks.
func (m proxmox) Job(ctx context.Context, at assay.Place) (string, error) {
	task, err := m.leaving(ctx, at)
	switch {
	case err != nil:
		return "", err
	case task != "":
		return Leaving, nil
	}
	c, there, err := m.now(ctx, at)
	if err != nil || !there || c.Lock != "migrate" {
		return NoJob, err
	}
	return "lock " + c.Lock, nil
}

// Abort implements Hypervisor.
func (m proxmox) Abort(ctx context.Context, at assay.Place) error {
	task, err := m.leaving(ctx, at)
	if err != nil {
		return err
	}
	if task == "" {
		return fmt.Errorf("%s: no migration of VM %s is under way: %w", at.Host().Name, m.Guest, assay.ErrNotFound)
	}
	node, err := m.node(ctx, at)
	if err != nil {
		return err
	}
	_, err = m.run(ctx, at, "pvesh", "delete", "/nodes/"+node+"/tasks/"+task)
	return err
}

// Autostart implements Hypervisor: onboot is part of the VM's configuration, which moves
// with it.
func (m proxmox) Autostart(context.Context, assay.Place) error { return nil }

// Disks implements Hypervisor: Proxmox VE makes volumes on the node that the VM is moved to,
// and removes the old ones once it is there.
func (m proxmox) Disks(context.Context, assay.Place) ([]Disk, error) { return nil, nil }

// obstacles are what a node lists as possible obstacles to a migration.
type obstacles struct {
	NotAllowed map[string]json.RawMessage `json:"not_allowed_nodes"`
	Disks      []struct {
		Volume string `json:"volid"`
		Size   size   `json:"size"`
		CD     flag   `json:"cdrom"`
	} `json:"local_disks"`
	Resources []string `json:"local_resources"`
}

// cloudInit is the volume of a cloud-init drive.
var cloudInit = lazyregexp.New(`vm-[0-9]+-cloudinit(\.[a-z0-9]+)?$`)

// size is a number that Perl may print as a string.
type size int64

// UnmarshalJSON implements json.Unmarshaler.
func (s *size) UnmarshalJSON(text []byte) error {
	word := strings.Trim(string(text), `"`)
	if word == "null" || word == "" {
		return nil
	}
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("%.40q is no size", text)
	}
	*s = size(n)
	return nil
}

// Ready implements Hypervisor.
func (m proxmox) Ready(ctx context.Context, home, away assay.Place) (Guest, error) {
	c, there, err := m.now(ctx, home)
	host := home.Host().Name
	switch {
	case err != nil:
		return Guest{}, err
	case !there:
		return Guest{}, fmt.Errorf("%s has no VM %s: %w", host, m.Guest, assay.ErrNotFound)
	case bool(c.HA.Managed):
		return Guest{}, assay.WithHint("take it out of HA for the run: ha-manager remove vm:"+m.Guest+"; add it back afterwards",
			"VM %s on %s is managed by HA, which moves it itself, and might while it is measured", m.Guest, host)
	case c.Lock != "":
		return Guest{}, assay.WithHint("wait for what holds it (qm config "+m.Guest+"); if nothing does any more, qm unlock "+m.Guest,
			"VM %s on %s is locked (%s): %w", m.Guest, host, c.Lock, assay.ErrBusy)
	case c.Memory <= 0 || c.Memory > 1<<50:
		return Guest{}, fmt.Errorf("%s: VM %s: %w: a memory of %d bytes", host, m.Guest, assay.ErrNoOutput, c.Memory)
	}
	target, err := m.node(ctx, away)
	if err != nil {
		return Guest{}, err
	}
	var in obstacles
	if err := m.get(ctx, home, "/qemu/"+m.Guest+"/migrate", &in, "--target", target); err != nil {
		return Guest{}, err
	}
	if err := m.passes(in, host, target); err != nil {
		return Guest{}, err
	}
	_, err = m.between(ctx, home, m.Away)
	return Guest{Memory: c.Memory}, err
}

// passes rejects a VM with something in the way of a move.
func (m proxmox) passes(in obstacles, host, target string) error {
	if len(in.Resources) > 0 {
		return assay.WithHint("take it from the VM, or leave out migrate:", "VM %s on %s has devices of its node, which cannot go with it: %.200s",
			m.Guest, host, strings.Join(in.Resources, ", "))
	}
	var disks []string
	for _, d := range in.Disks {
		if cloudInit.MatchString(d.Volume) {
			continue // Proxmox VE recreates it on the other node
		}
		if bool(d.CD) {
			return assay.WithHint("eject it: qm set "+m.Guest+" --ideN none,media=cdrom", "VM %s on %s has a CD in its drive that the other node has not: %.100s", m.Guest, host, d.Volume)
		}
		disks = append(disks, d.Volume)
	}
	if len(disks) > 0 && !m.Copy {
		return assay.WithHint("put them on storage that both nodes share, or have them copied: disks: copy under migrate:",
			"VM %s has disks that %s alone has: %.200s", m.Guest, host, strings.Join(disks, ", "))
	}
	if why, not := in.NotAllowed[target]; not {
		return assay.WithHint("pvesm status on both nodes lists their storages", "VM %s cannot run on node %s, says Proxmox VE: %.200s", m.Guest, target, why)
	}
	return nil
}

// between returns the network that the VM is moved over, in Proxmox VE's notation; "" for that
// of its own settings.
func (m proxmox) between(ctx context.Context, from assay.Place, to End) (string, error) {
	if m.Network == "" {
		return "", nil
	}
	here := m.Other(to.Host)
	out, err := from.Run(ctx, assay.Cmd{Argv: []string{"ip", "-o", "addr", "show"}, Env: []string{"LC_ALL=C"}, Timeout: patience})
	if err != nil {
		return "", fmt.Errorf("%s: its addresses: %w", from.Host().Name, err)
	}
	network, err := networkOf(string(out.Stdout), here.Address, to.Address)
	if err != nil {
		return "", assay.WithHint("see addresses under networks: in the cluster.yaml, and ip addr there", "%s: network %s: %w", from.Host().Name, m.Network, err)
	}
	return network, nil
}

// networkOf returns the network of an address in the output of ip -o addr; the other address
// must be in it too. It is pure and total.
func networkOf(text, address, other string) (string, error) {
	here, err1 := netip.ParseAddr(address)
	there, err2 := netip.ParseAddr(other)
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	for line := range strings.Lines(text) {
		for _, word := range strings.Fields(line) {
			p, err := netip.ParsePrefix(word)
			if err != nil || p.Addr() != here {
				continue
			}
			if p = p.Masked(); !p.Contains(there) {
				return "", fmt.Errorf("%s is not in %s, the network of %s", other, p, address)
			}
			return p.String(), nil
		}
	}
	return "", fmt.Errorf("no interface has the address %s: %w", address, assay.ErrNotFound)
}

//go:embed detached.sh
var detachedScript string

// Migrate implements Hypervisor. qm prints the log of the migration. It outlives its starter,
// since a migration that is killed leaves the VM locked.
func (m proxmox) Migrate(ctx context.Context, from, to assay.Place, offline bool) (assay.Step, error) {
	var step assay.Step
	target, err := m.node(ctx, to)
	if err != nil {
		return step, err
	}
	network, err := m.between(ctx, from, m.Other(from.Host().Name))
	if err != nil {
		return step, err
	}
	step.Argv = m.command(target, network, offline)
	step.Output, err = from.Run(ctx, assay.Cmd{Argv: append([]string{"sh", "-c", detachedScript, "sh"}, step.Argv...), Limit: assay.LongOutputLimit})
	if err != nil || step.Output.Exit == 0 {
		return step, err
	}
	said := step.Output
	said.Stderr = complaints(said.Stdout)
	_, err = hypervisors.Tell(ctx, answered{from, said}, proxmoxTroubles, strings.NewReplacer("GUEST", m.Guest), assay.Cmd{Argv: step.Argv})
	return step, err
}

// complaints returns the lines of a log that say why a migration failed, nil if none
// does.
func complaints(log []byte) []byte {
	var all []byte
	for line := range bytes.Lines(log) {
		if bytes.Contains(line, []byte("ERROR: ")) && !bytes.Contains(line, []byte("ERROR: migration aborted")) {
			all = append(all, line...)
		}
	}
	return all
}

// command is the command that moves the VM to a node.
func (m proxmox) command(target, network string, offline bool) []string {
	words := []string{"qm", "migrate", m.Guest, target}
	if !offline {
		words = append(words, "--online", "1")
	}
	if m.Copy {
		words = append(words, "--with-local-disks", "1")
	}
	if network != "" {
		words = append(words, "--migration_network", network)
	}
	if m.Transport != "" {
		words = append(words, "--migration_type", m.Transport)
	}
	return words
}

// answered is a place whose answer is already known.
type answered struct {
	assay.Place
	out assay.Output
}

// Run returns that answer.
func (a answered) Run(context.Context, assay.Cmd) (assay.Output, error) { return a.out, nil }

// Progress implements Hypervisor: Proxmox VE gives a VM that changes its memory too fast more
// and more downtime, so that it arrives.
func (m proxmox) Progress(context.Context, assay.Place) (assay.Step, Report, bool) {
	return assay.Step{}, Report{}, false
}

// Around implements Hypervisor.
func (m proxmox) Around() (before, after assay.Cmd) { return assay.Cmd{}, assay.Cmd{} }
