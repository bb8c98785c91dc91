package vmdisk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/inventory/beneath"
)

// A VM id of Proxmox VE.
var vmID = lazyregexp.New(`^[1-9][0-9]{2,8}$`)

// proxmox is a Proxmox VE VM, on the node that it runs on. There a disk is part of the
// VM's configuration, so it survives a restart of the VM: when detached it becomes
// unusedN, which is deleted with its volume.
type proxmox struct {
	below assay.Place
	disk
}

func newProxmox(below assay.Place, d disk) hypervisor { return proxmox{below, d} }

// proxmoxVolume returns the name of a volume. Proxmox VE requires the VM first, and file
// storages require the suffix.
func proxmoxVolume(guest, id string) string { return "vm-" + guest + "-" + prefix + id + ".raw" }

var proxmoxTroubles = []trouble{
	{Said: "no such storage", Is: assay.ErrNotFound, Hint: "pvesm status --content images lists the storages for disks of VMs"},
	{Said: "storage 'STORAGE' does not exist", Is: assay.ErrNotFound, Hint: "pvesm status --content images lists the storages for disks of VMs"},
	{Said: "qemu-server/GUEST.conf' does not exist", Is: errNoVM, Hint: "qm list lists the VMs of this node; one that has moved needs its new node under on: in the cluster.yaml"},
	{Said: "still busy in guest", Is: assay.ErrBusy},
	{Said: "vm is locked", Is: assay.ErrBusy, Hint: "wait for the backup, snapshot or migration that holds it (qm config GUEST)"},
	{Said: "can't lock file", Is: assay.ErrBusy},
	{Said: "got timeout", Is: assay.ErrBusy},
	{Said: "already exists", Is: assay.ErrBusy},
	{Said: "insufficient free space", Is: assay.ErrNoSpace, Hint: "free some space in STORAGE"},
	{Said: "no space left", Is: assay.ErrNoSpace, Hint: "free some space in STORAGE"},
	{Said: "out of space", Is: assay.ErrNoSpace, Hint: "free some space in STORAGE"},
	{Said: "no more pci slots", Is: errNoSlot, Hint: "use bus: scsi"},
}

// errNoVM is the error for a node that does not have the VM.
var errNoVM = errors.New("no such VM on this node")

func (p proxmox) run(ctx context.Context, words ...string) (string, error) {
	return tell(ctx, p.below, p.disk, proxmoxTroubles, assay.Cmd{Argv: words})
}

// config returns the VM's configuration: as it runs now or, with pending, as of its next
// start.
func (p proxmox) config(ctx context.Context, pending bool) (string, error) {
	words := []string{"qm", "config", p.Guest}
	if !pending {
		words = append(words, "--current", "1")
	}
	return p.run(ctx, words...)
}

// ready implements hypervisor.
func (p proxmox) ready(ctx context.Context) error {
	state, err := p.run(ctx, "qm", "status", p.Guest)
	if err != nil {
		return err
	}
	if s := strings.TrimPrefix(strings.TrimSpace(state), "status: "); s != "running" {
		return assay.WithHint("qm start "+p.Guest, "VM %s on %s is %s; only a running VM can be lent a disk", p.Guest, p.below.Host().Name, s)
	}
	text, err := p.config(ctx, false)
	if err != nil {
		return err
	}
	controller, plugs := controllerOf(text)
	switch single := controller == "virtio-scsi-single"; {
	case !plugs:
		return assay.WithHint("qm set "+p.Guest+" --hotplug disk,network,usb", "VM %s on %s takes no disks while it runs", p.Guest, p.below.Host().Name)
	case p.Set[WayBus] == scsi && !single && controller != "virtio-scsi-pci":
		return assay.WithHint("set it to virtio-scsi-single, stop and start the VM, or use bus: virtio", "the SCSI controller of VM %s on %s is %s", p.Guest, p.below.Host().Name, controller)
	case p.Set[WayBus] == scsi && !single && p.Set[WayIOThread] == on:
		// Proxmox VE would attach it without a thread, and only warn.
		return assay.WithHint("set the controller to virtio-scsi-single, stop and start the VM, or use bus: virtio",
			"an I/O thread for a SCSI disk needs virtio-scsi-single, and VM %s on %s has %s", p.Guest, p.below.Host().Name, controller)
	}
	return nil
}

// controllerOf returns the model of a VM's SCSI controllers, and whether the VM can
// hotplug disks. It is pure and total.
func controllerOf(config string) (controller string, plugs bool) {
	controller, plugs = "lsi", true
	for line := range strings.Lines(config) {
		switch key, value, _ := strings.Cut(strings.TrimSpace(line), ": "); key {
		case "scsihw":
			controller = value
		case "hotplug":
			plugs = value == "1" || slices.Contains(strings.Split(value, ","), "disk")
		}
	}
	return controller, plugs
}

// room implements hypervisor.
func (p proxmox) room(ctx context.Context) (free, size int64, err error) {
	text, err := p.run(ctx, "pvesm", "status", "--storage", p.Storage, "--content", "images")
	if err != nil {
		return 0, 0, err
	}
	s, err := readStorage(text, p.Storage)
	if err != nil {
		return 0, 0, fmt.Errorf("pvesm status on %s: %w", p.below.Host().Name, err)
	}
	if s.state != "active" {
		return 0, 0, fmt.Errorf("storage %s on %s is %s", p.Storage, p.below.Host().Name, s.state)
	}
	return s.free, s.size, nil
}

// readStorage parses the output of pvesm status: a header line, then name, type, state,
// and total, used and available KiB.
func readStorage(text, name string) (pool, error) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 6 || words[0] != name {
			continue
		}
		size, err1 := strconv.ParseInt(words[3], 10, 64)
		free, err2 := strconv.ParseInt(words[5], 10, 64)
		if err := errors.Join(err1, err2); err != nil || size < 0 || free < 0 || max(size, free) > 1<<50 {
			return pool{}, fmt.Errorf("unusable sizes: %.100q", line)
		}
		return pool{state: words[2], size: size << 10, free: free << 10}, nil
	}
	return pool{}, assay.ErrNotFound
}

// create implements hypervisor.
func (p proxmox) create(ctx context.Context, bytes int64) error {
	_, err := p.run(ctx, "pvesm", "alloc", p.Storage, p.Guest, p.Volume, strconv.FormatInt(bytes>>10, 10), "--format", "raw")
	return err
}

// ids returns the ids that the volume may have: a file storage has a directory for each
// VM.
func (p proxmox) ids() []string {
	return []string{p.Storage + ":" + p.Volume, p.Storage + ":" + p.Guest + "/" + p.Volume}
}

// there returns the id of the volume, "" if it does not exist.
func (p proxmox) there(ctx context.Context) (string, error) {
	text, err := p.run(ctx, "pvesm", "list", p.Storage, "--vmid", p.Guest)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 && slices.Contains(p.ids(), words[0]) {
			return words[0], nil
		}
	}
	return "", nil
}

// attach implements hypervisor. The disk is excluded from backups and replication,
// which would read it.
func (p proxmox) attach(ctx context.Context) error {
	id, err := p.there(ctx)
	if err == nil && id == "" {
		err = fmt.Errorf("storage %s on %s does not list volume %s, which was made: %w", p.Storage, p.below.Host().Name, p.Volume, assay.ErrNotFound)
	}
	if err != nil {
		return err
	}
	now, err := p.config(ctx, false)
	if err != nil {
		return err
	}
	then, err := p.config(ctx, true)
	if err != nil {
		return err
	}
	slot, err := freeSlot(p.Set[WayBus], now+"\n"+then)
	if err != nil {
		return assay.WithHint("detach a disk, or use the other bus", "VM %s on %s: %w", p.Guest, p.below.Host().Name, err)
	}
	words := []string{id, "cache=" + p.Set[WayCache], "discard=on", "backup=0", "replicate=0", "serial=" + p.Serial}
	if p.Set[WayAIO] != "" {
		words = append(words, "aio="+p.Set[WayAIO])
	}
	if p.Set[WayIOThread] == on {
		words = append(words, "iothread=1")
	}
	_, err = p.run(ctx, "qm", "set", p.Guest, "--"+slot, strings.Join(words, ","))
	return err
}

// slots is the number of disks that each bus of a VM supports.
var slots = map[string]int{scsi: 31, virtio: 16}

// freeSlot returns the last slot of a bus that is not in the configuration.
func freeSlot(bus, config string) (string, error) {
	taken := map[string]bool{}
	for line := range strings.Lines(config) {
		key, _, _ := strings.Cut(line, ":")
		taken[key] = true
	}
	for i := slots[bus] - 1; i >= 0; i-- {
		if slot := bus + strconv.Itoa(i); !taken[slot] {
			return slot, nil
		}
	}
	return "", fmt.Errorf("%w on bus %s", errNoSlot, bus)
}

// attached implements hypervisor. A disk that could not be hotplugged is in the
// configuration anyway, for the next start.
func (p proxmox) attached(ctx context.Context) (assay.GuestDisk, bool, error) {
	for _, pending := range []bool{false, true} {
		text, err := p.config(ctx, pending)
		if errors.Is(err, errNoVM) {
			return assay.GuestDisk{}, false, p.gone(ctx, err)
		}
		if err != nil {
			return assay.GuestDisk{}, false, err
		}
		facts, err := beneath.Proxmox([]byte(text))
		if err != nil {
			return assay.GuestDisk{}, false, fmt.Errorf("qm config on %s: %w", p.below.Host().Name, err)
		}
		for _, d := range facts.Disks {
			if slices.Contains(p.ids(), d.Source) && d.Serial == p.Serial {
				return d, true, nil
			}
		}
	}
	return assay.GuestDisk{}, false, nil
}

// gone distinguishes a VM that was destroyed, with its volumes, from one on another node,
// which may still have the disk.
func (p proxmox) gone(ctx context.Context, why error) error {
	id, err := p.there(ctx)
	if err == nil && id != "" {
		return why
	}
	return err
}

// detach implements hypervisor.
func (p proxmox) detach(ctx context.Context) error {
	d, attached, err := p.attached(ctx)
	if err != nil || !attached {
		return err
	}
	_, err = p.run(ctx, "qm", "unlink", p.Guest, "--idlist", d.Name)
	return err
}

// remove implements hypervisor.
func (p proxmox) remove(ctx context.Context) error {
	text, err := p.config(ctx, false)
	if err != nil && !errors.Is(err, errNoVM) {
		return err
	}
	if unused := unusedOf(text, p.ids()); unused != "" {
		// Removing an unused disk deletes its volume.
		if _, err := p.run(ctx, "qm", "unlink", p.Guest, "--idlist", unused, "--force", "1"); err != nil {
			return err
		}
	}
	id, err := p.there(ctx)
	if err != nil || id == "" {
		return err
	}
	if _, err := p.run(ctx, "pvesm", "free", id); err != nil {
		return err
	}
	if id, err = p.there(ctx); err == nil && id != "" {
		err = fmt.Errorf("volume %s is still on %s after pvesm free", id, p.below.Host().Name)
	}
	return err
}

// unusedOf returns the key of an unused disk with one of these ids, or "".
func unusedOf(config string, ids []string) string {
	for line := range strings.Lines(config) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		id, _, _ := strings.Cut(value, ",")
		if n, is := strings.CutPrefix(key, "unused"); is && slices.Contains(ids, id) {
			if _, err := strconv.ParseUint(n, 10, 16); err == nil {
				return key
			}
		}
	}
	return ""
}
