package vmdisk

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"assay"
	hypervisors "assay/internal/hypervisor"
	"assay/internal/lazyregexp"
	"assay/inventory/beneath"
)

// A domain's name must not look like an option.
var domainName = lazyregexp.New(`^[A-Za-z0-9_.][A-Za-z0-9_.+:@-]{0,99}$`)

// libvirt is a domain of the system's libvirt. A disk is attached to the running
// domain, not to its configuration: it is gone after a restart of the domain.
type libvirt struct {
	below assay.Place
	disk
}

func newLibvirt(below assay.Place, d disk) hypervisor { return libvirt{below, d} }

var libvirtTroubles = []trouble{
	{Said: "no storage pool with matching name", Is: assay.ErrNotFound, Hint: "virsh pool-list --all lists the pools"},
	hypervisors.Making,
	{Said: "is not active", Hint: "virsh pool-start STORAGE"},
	{Said: "no storage vol with matching", Is: assay.ErrNotFound},
	{Said: "exists already", Is: assay.ErrBusy},
	{Said: "failed to get domain", Is: assay.ErrNotFound, Hint: "virsh list --all lists the domains"},
	{Said: "domain is not running", Hint: "virsh start GUEST"},
	{Said: "no more available pci slots", Is: errNoSlot, Hint: "add pcie-root-port controllers to the domain and restart it, or use bus: scsi with a virtio-scsi controller"},
	{Said: "pools for backing 'volume' disks", Hint: "use a pool of files, of LVM or of disks: libvirt attaches no volumes of pools such as RBD's"},
	{Said: "no space left", Is: assay.ErrNoSpace, Hint: "free some space in STORAGE"},
	{Said: "failed to connect", Hint: "start libvirtd there, and let this user use qemu:///system: root, or group libvirt"},
}

// errNoSlot is the error for a guest with no slot for another disk on the bus.
var errNoSlot = errors.New("no free slot for a disk")

func (l libvirt) virsh(ctx context.Context, stdin string, words ...string) (string, error) {
	c := assay.Cmd{Argv: append([]string{"virsh", "-q", "-c", "qemu:///system"}, words...)}
	if stdin != "" {
		c.Stdin = []byte(stdin)
	}
	return tell(ctx, l.below, l.disk, libvirtTroubles, c)
}

// ready implements hypervisor.
func (l libvirt) ready(ctx context.Context) error {
	state, err := l.virsh(ctx, "", "domstate", "--domain", l.Guest)
	if err != nil {
		return err
	}
	if s := strings.TrimSpace(state); s != "running" {
		return assay.WithHint("virsh start "+l.Guest+", or virsh resume", "domain %s on %s is %s; only a running VM can be lent a disk", l.Guest, l.below.Host().Name, s)
	}
	text, err := l.virsh(ctx, "", "dumpxml", "--domain", l.Guest)
	if err != nil {
		return err
	}
	at, err := scsiAddress([]byte(text))
	switch {
	case err != nil:
		return err
	case l.Set[WayBus] == virtio:
		return nil
	case l.Set[WayIOThread] == on:
		return assay.WithHint("leave out iothread, or use bus: virtio", "libvirt gives a thread to a whole SCSI controller, not to one disk of domain %s", l.Guest)
	case at == nil:
		// libvirt would add one of an old model, and it would stay.
		return assay.WithHint("give it one and start it again, or use bus: virtio", "domain %s on %s has no virtio-scsi controller", l.Guest, l.below.Host().Name)
	}
	return nil
}

// address is an address on a SCSI controller of a domain.
type address struct {
	Type       string `xml:"type,attr"`
	Controller int    `xml:"controller,attr"`
	Bus        int    `xml:"bus,attr"`
	Target     int    `xml:"target,attr"`
	Unit       int    `xml:"unit,attr"`
}

// scsiAddress returns a free address on the first virtio-scsi controller, nil if the
// domain has none. Without an address, libvirt goes by the target's name, and adds
// controllers until that number exists.
func scsiAddress(text []byte) (*address, error) {
	var d struct {
		XMLName     xml.Name `xml:"domain"`
		Controllers []struct {
			Type  string `xml:"type,attr"`
			Model string `xml:"model,attr"`
			Index int    `xml:"index,attr"`
		} `xml:"devices>controller"`
		Disks []struct {
			Bus struct {
				Name string `xml:"bus,attr"`
			} `xml:"target"`
			Address struct { // a PCI address has neither
				Controller string `xml:"controller,attr"`
				Unit       string `xml:"unit,attr"`
			} `xml:"address"`
		} `xml:"devices>disk"`
	}
	if err := xml.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("not the XML of a domain: %w", err)
	}
	for _, c := range d.Controllers {
		if c.Type != "scsi" || c.Model != "virtio-scsi" {
			continue
		}
		taken := map[string]bool{}
		for _, k := range d.Disks {
			if k.Bus.Name == scsi && k.Address.Controller == strconv.Itoa(c.Index) {
				taken[k.Address.Unit] = true
			}
		}
		unit := 0
		for taken[strconv.Itoa(unit)] {
			unit++
		}
		return &address{Type: "drive", Controller: c.Index, Unit: unit}, nil
	}
	return nil, nil
}

// room implements hypervisor.
func (l libvirt) room(ctx context.Context) (free, size int64, err error) {
	text, err := l.virsh(ctx, "", "pool-info", "--bytes", "--pool", l.Storage)
	if err != nil {
		return 0, 0, err
	}
	p, err := readPool(text)
	if err != nil {
		return 0, 0, fmt.Errorf("virsh pool-info on %s: %w", l.below.Host().Name, err)
	}
	if p.state != "running" {
		return 0, 0, assay.WithHint("virsh pool-start "+l.Storage, "pool %s on %s is %s", l.Storage, l.below.Host().Name, p.state)
	}
	return p.free, p.size, nil
}

// pool is what virsh pool-info reports.
type pool struct {
	state      string
	free, size int64
}

// readPool parses the output of virsh pool-info --bytes. An inactive pool has
// no sizes.
func readPool(text string) (p pool, err error) {
	sizes := 0
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		into := map[string]*int64{"Capacity": &p.size, "Available": &p.free}[key]
		switch {
		case key == "State":
			p.state = value
		case into != nil:
			if *into, err = strconv.ParseInt(value, 10, 64); err != nil || *into < 0 {
				return pool{}, fmt.Errorf("%s is %.40q, not a number of bytes", key, value)
			}
			sizes++
		}
	}
	if p.state == "" || p.state == "running" && sizes != 2 {
		return pool{}, fmt.Errorf("%w: %.100q", assay.ErrNoOutput, text)
	}
	return p, nil
}

// create implements hypervisor.
func (l libvirt) create(ctx context.Context, bytes int64) error {
	_, err := l.virsh(ctx, "", "vol-create-as", "--pool", l.Storage, "--name", l.Volume, "--capacity", strconv.FormatInt(bytes, 10), "--format", "raw")
	return err
}

// attach implements hypervisor.
func (l libvirt) attach(ctx context.Context) error {
	text, err := l.virsh(ctx, "", "dumpxml", "--domain", l.Guest)
	if err != nil {
		return err
	}
	targets, err := targetsOf([]byte(text))
	if err != nil {
		return err
	}
	target, err := freeTarget(l.Set[WayBus], targets)
	if err != nil {
		return fmt.Errorf("domain %s on %s: %w", l.Guest, l.below.Host().Name, err)
	}
	var place *address
	if l.Set[WayBus] == scsi {
		if place, err = scsiAddress([]byte(text)); err != nil {
			return err
		}
	}
	if l.Thread > 0 {
		if _, err := l.virsh(ctx, "", "iothreadadd", "--domain", l.Guest, "--id", strconv.Itoa(l.Thread), "--live"); err != nil {
			return err
		}
	}
	// virsh reads a file, and this one leaves nothing behind.
	_, err = l.virsh(ctx, l.xml(target, place), "attach-device", "--domain", l.Guest, "--file", "/dev/stdin", "--live")
	return err
}

// targetsOf returns the target names of a domain's disks and the like.
func targetsOf(text []byte) ([]string, error) {
	var d struct {
		XMLName xml.Name `xml:"domain"`
		Targets []struct {
			Dev string `xml:"dev,attr"`
		} `xml:"devices>disk>target"`
	}
	if err := xml.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("not the XML of a domain: %w", err)
	}
	var all []string
	for _, t := range d.Targets {
		all = append(all, t.Dev)
	}
	return all, nil
}

// freeTarget picks a free name from the end of the alphabet: it is libvirt's name for
// the disk, not necessarily the guest's.
func freeTarget(bus string, taken []string) (string, error) {
	stem := map[string]string{virtio: "vd", scsi: "sd"}[bus]
	for c := 'z'; c >= 'a'; c-- {
		if name := stem + string(c); !slices.Contains(taken, name) {
			return name, nil
		}
	}
	return "", errNoSlot
}

// device is the disk in libvirt's XML.
type device struct {
	XMLName xml.Name `xml:"disk"`
	Type    string   `xml:"type,attr"`
	Device  string   `xml:"device,attr"`
	Driver  struct {
		Name     string `xml:"name,attr"`
		Type     string `xml:"type,attr"`
		Cache    string `xml:"cache,attr"`
		IO       string `xml:"io,attr,omitempty"`
		Discard  string `xml:"discard,attr"`
		IOThread int    `xml:"iothread,attr,omitempty"`
	} `xml:"driver"`
	Source struct {
		Pool   string `xml:"pool,attr"`
		Volume string `xml:"volume,attr"`
	} `xml:"source"`
	Target struct {
		Dev string `xml:"dev,attr"`
		Bus string `xml:"bus,attr"`
	} `xml:"target"`
	Serial  string   `xml:"serial"`
	Address *address `xml:"address,omitempty"`
}

// xml returns the disk's XML with a target name, and with an address unless libvirt
// is to choose one.
func (l libvirt) xml(target string, place *address) string {
	d := device{Type: "volume", Device: "disk", Serial: l.Serial, Address: place}
	d.Driver.Name, d.Driver.Type, d.Driver.Cache, d.Driver.IO, d.Driver.Discard = "qemu", "raw", l.Set[WayCache], l.Set[WayAIO], "unmap"
	d.Driver.IOThread = l.Thread
	d.Source.Pool, d.Source.Volume = l.Storage, l.Volume
	d.Target.Dev, d.Target.Bus = target, l.Set[WayBus]
	text, err := xml.Marshal(d)
	if err != nil {
		panic(err) // words and numbers
	}
	return string(text)
}

// attached implements hypervisor. A domain that does not exist has no disk.
func (l libvirt) attached(ctx context.Context) (assay.GuestDisk, bool, error) {
	text, err := l.virsh(ctx, "", "dumpxml", "--domain", l.Guest)
	if errors.Is(err, assay.ErrNotFound) {
		return assay.GuestDisk{}, false, nil
	}
	if err != nil {
		return assay.GuestDisk{}, false, err
	}
	facts, err := beneath.Libvirt([]byte(text))
	if err != nil {
		return assay.GuestDisk{}, false, fmt.Errorf("virsh dumpxml on %s: %w", l.below.Host().Name, err)
	}
	i := slices.IndexFunc(facts.Disks, func(d assay.GuestDisk) bool { return d.Source == l.Volume && d.Serial == l.Serial })
	if i < 0 {
		return assay.GuestDisk{}, false, nil
	}
	return facts.Disks[i], true, nil
}

// detach implements hypervisor. libvirt identifies the disk by its target alone, so the
// target is looked up right before. libvirt waits five seconds for the guest, and
// reports success even if the guest did not answer.
func (l libvirt) detach(ctx context.Context) error {
	d, attached, err := l.attached(ctx)
	if err != nil || !attached {
		return err
	}
	_, err = l.virsh(ctx, l.xml(d.Name, nil), "detach-device", "--domain", l.Guest, "--file", "/dev/stdin", "--live")
	return err
}

// remove implements hypervisor.
func (l libvirt) remove(ctx context.Context) error {
	if err := l.removeThread(ctx); err != nil {
		return err
	}
	there, err := l.volumes(ctx)
	if err != nil {
		return err
	}
	if !slices.Contains(there, l.Volume) {
		return nil
	}
	if _, err := l.virsh(ctx, "", "vol-delete", "--pool", l.Storage, "--vol", l.Volume); err != nil && !errors.Is(err, assay.ErrNotFound) {
		return err
	}
	if there, err = l.volumes(ctx); err == nil && slices.Contains(there, l.Volume) {
		err = fmt.Errorf("volume %s is still in pool %s of %s after vol-delete", l.Volume, l.Storage, l.below.Host().Name)
	}
	return err
}

// volumes returns the names of the volumes in the pool.
func (l libvirt) volumes(ctx context.Context) ([]string, error) {
	return hypervisors.Volumes(ctx, l.Storage, func(words ...string) (string, error) { return l.virsh(ctx, "", words...) })
}

// threads returns the ids of a domain's I/O threads. A domain that is off has none
// that were added while it ran.
func (l libvirt) threads(ctx context.Context) ([]int, error) {
	text, err := l.virsh(ctx, "", "dumpxml", "--domain", l.Guest)
	if err != nil {
		return nil, err
	}
	return readThreads([]byte(text))
}

// readThreads parses the I/O threads in a domain's XML.
func readThreads(text []byte) ([]int, error) {
	var d struct {
		XMLName xml.Name `xml:"domain"`
		Count   int      `xml:"iothreads"`
		Threads []struct {
			ID int `xml:"id,attr"`
		} `xml:"iothreadids>iothread"`
	}
	if err := xml.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("not the XML of a domain: %w", err)
	}
	var all []int
	for _, t := range d.Threads {
		all = append(all, t.ID)
	}
	for i := len(all); i < d.Count; i++ { // not listed: numbered from 1
		all = append(all, i+1)
	}
	return all, nil
}

// Assay's I/O threads have ids from here on, which users hardly ever have.
const firstThread = 10000

// freeThread picks an id that no thread of the domain has: a different one for each
// disk, even if two are reserved before either is lent.
func freeThread(ctx context.Context, below assay.Place, d disk) (int, error) {
	taken, err := libvirt{below, d}.threads(ctx)
	if err != nil {
		return 0, err
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(d.Serial))
	for n := firstThread + int(hash.Sum32()%firstThread); ; n++ {
		if !slices.Contains(taken, n) {
			return n, nil
		}
	}
}

// removeThread removes the disk's own thread, if there is one.
func (l libvirt) removeThread(ctx context.Context) error {
	if l.Thread == 0 {
		return nil
	}
	there, err := l.threads(ctx)
	if errors.Is(err, assay.ErrNotFound) || err == nil && !slices.Contains(there, l.Thread) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = l.virsh(ctx, "", "iothreaddel", "--domain", l.Guest, "--id", strconv.Itoa(l.Thread), "--live")
	return err
}
