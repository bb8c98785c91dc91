package clone

import (
	"context"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	hypervisors "assay/internal/hypervisor"
	"assay/internal/lazyregexp"
)

func libvirtKind() *kind {
	return &kind{
		word: "libvirt", template: lazyregexp.New(`^[A-Za-z0-9_.][A-Za-z0-9_.+:@-]{0,99}$`),
		name: func(id string) string { return prefix + id },
		look: func(ctx context.Context, v Volume, w Want) (Template, error) {
			at, err := v.at(w.On)
			if err != nil {
				return Template{}, err
			}
			return libvirt{at, w.Template}.look(ctx)
		},
		disks: overlays,
		free:  onLibvirt(libvirt.free),
		make:  onLibvirt(libvirt.make),
		runs: func(ctx context.Context, v Volume, o order) (runs bool, err error) {
			err = onLibvirt(func(l libvirt, ctx context.Context, o order) error {
				state, err := l.state(ctx, uuidOf(o.id))
				runs = state == "running"
				return err
			})(ctx, v, o)
			return runs, err
		},
		remove: onLibvirt(libvirt.remove),
		room: func(ctx context.Context, at assay.Place, storage string) (free, size int64, err error) {
			return libvirt{at, ""}.room(ctx, storage)
		},
		images: libvirtImages(),
	}
}

// onLibvirt returns a function that calls do on the host of a clone.
func onLibvirt(do func(libvirt, context.Context, order) error) func(context.Context, Volume, order) error {
	return func(ctx context.Context, v Volume, o order) error {
		at, err := v.at(o.On)
		if err != nil {
			return err
		}
		return do(libvirt{at, o.Template}, ctx, o)
	}
}

// libvirt is a host's system libvirt. Clones of a domain are domains with overlays: disks that
// hold the differences from the template's, which are only read.
type libvirt struct {
	at     assay.Place
	domain string // the template
}

var libvirtTroubles = []trouble{
	{Said: "failed to get domain", Is: assay.ErrNotFound, Hint: "virsh list --all lists the domains"},
	{Said: "domain not found", Is: assay.ErrNotFound, Hint: "virsh list --all lists the domains"},
	{Said: "no storage pool with matching", Is: assay.ErrNotFound, Hint: "virsh pool-list --all lists the pools"},
	{Said: "no storage vol with matching", Is: assay.ErrNotFound, Hint: "virsh vol-list POOL lists the volumes of a pool; virsh pool-refresh POOL has it look again"},
	{Said: "no network with matching", Is: assay.ErrNotFound, Hint: "virsh net-list --all lists the networks"},
	{Said: "o_direct", Is: assay.ErrNotSupported, Hint: "name a pool on a file system with direct I/O, which tmpfs has not: without it, memory would be measured"},
	hypervisors.Making,
	{Said: "is not active", Hint: "virsh pool-start POOL"},
	{Said: "exists already", Is: assay.ErrBusy},
	{Said: "already exists with uuid", Is: assay.ErrBusy},
	{Said: "no space left", Is: assay.ErrNoSpace, Hint: "free some space there, or make fewer guests"},
	{Said: "cannot allocate memory", Is: assay.ErrNoSpace, Hint: "free some memory there, or make fewer guests"},
	{Said: "cannot set up guest memory", Is: assay.ErrNoSpace, Hint: "free some memory there, or make fewer guests"},
	{Said: "qemu-img", Hint: "install qemu-utils there (qemu-img): libvirt makes overlays with it"},
	{Said: "failed to connect", Hint: "start libvirtd there, and let this user use qemu:///system: root, or group libvirt"},
}

func (l libvirt) virsh(ctx context.Context, stdin string, words ...string) (string, error) {
	c := assay.Cmd{Argv: append([]string{"virsh", "-q", "-c", "qemu:///system"}, words...), Env: []string{"LC_ALL=C"}}
	if stdin != "" {
		c.Stdin = []byte(stdin)
	}
	return hypervisors.Tell(ctx, l.at, libvirtTroubles, strings.NewReplacer(), c)
}

// uuidOf returns the UUID of the clone of a receipt with that id: of version 8 (RFC 9562),
// whose bits are free to choose.
func uuidOf(id string) string {
	b := sha256.Sum256([]byte("assay clone " + id))
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// overlays returns the volumes for a clone's disks, and the seed of a new guest.
func overlays(id string, t Template) []made {
	var all []made
	for _, d := range t.Disks {
		all = append(all, made{Storage: d.Storage, Name: prefix + id + "-" + d.Name + ".qcow2", disk: d})
	}
	if t.image != nil {
		all = append(all, made{Storage: t.image.Storage, Name: prefix + id + "-seed.img", disk: Disk{Name: seedDisk}, seed: true})
	}
	return all
}

// nowhere is the state of a domain that does not exist.
const nowhere = ""

// state returns a domain's state on the host, by name or UUID: running, shut off, nowhere,
// or another of libvirt's words.
func (l libvirt) state(ctx context.Context, domain string) (string, error) {
	text, err := l.virsh(ctx, "", "domstate", "--domain", domain)
	switch {
	case isGone(err):
		return nowhere, nil
	case err != nil:
		return "", err
	case strings.TrimSpace(text) == "":
		return "", fmt.Errorf("virsh domstate on %s: %w", l.at.Host().Name, assay.ErrNoOutput)
	}
	return strings.TrimSpace(text), nil
}

// look examines the template and its disks.
func (l libvirt) look(ctx context.Context) (Template, error) {
	host := l.at.Host().Name
	state, err := l.state(ctx, l.domain)
	switch {
	case err != nil:
		return Template{}, err
	case state == nowhere:
		return Template{}, assay.WithHint("virsh list --all lists the domains of a host", "%s has no domain %s to make clones of: %w", host, l.domain, assay.ErrNotFound)
	case state != "shut off":
		return Template{}, assay.WithHint("virsh shutdown "+l.domain+", or name a domain that is off",
			"domain %s on %s is %s; only a domain that is shut off can be cloned: its writes would corrupt the clones", l.domain, host, state)
	}
	text, err := l.virsh(ctx, "", "dumpxml", "--inactive", "--domain", l.domain)
	if err != nil {
		return Template{}, err
	}
	d, err := readDomain([]byte(text))
	if err != nil {
		return Template{}, fmt.Errorf("domain %s on %s: %w", l.domain, host, err)
	}
	t := Template{From: host, CPUs: d.cpus, Memory: d.memory}
	for _, k := range d.disks {
		one, err := l.disk(ctx, k)
		if err != nil {
			return Template{}, fmt.Errorf("domain %s on %s: disk %s: %w", l.domain, host, k.target, err)
		}
		t.Disks = append(t.Disks, one)
	}
	return t, nil
}

// disk looks at the file under a disk: it must be in a pool that can hold overlays
// beside it.
func (l libvirt) disk(ctx context.Context, k domainDisk) (Disk, error) {
	d := Disk{Name: k.target, Storage: k.pool, format: k.format}
	where := []string{"--vol", k.path}
	if k.pool != "" {
		where = []string{"--pool", k.pool, "--vol", k.volume}
	} else {
		pool, err := l.virsh(ctx, "", "vol-pool", "--vol", k.path)
		if isGone(err) {
			dir := k.path[:max(1, strings.LastIndexByte(k.path, '/'))]
			return d, assay.WithHint("make a pool aware of it: virsh pool-refresh POOL, or: virsh pool-create-as NAME dir --target "+dir,
				"no active pool contains %s; clones are created in the pool of their template's disks: %w", k.path, assay.ErrNotFound)
		}
		if err != nil {
			return d, err
		}
		d.Storage = strings.TrimSpace(pool)
	}
	if !storageName.MatchString(d.Storage) {
		return d, fmt.Errorf("the name of pool %q has characters that assay does not support", d.Storage)
	}
	v, err := l.volume(ctx, where...)
	if err != nil {
		return d, err
	}
	d.base, d.Bytes = v.path, v.bytes
	return d, l.overlaid(ctx, d.Storage)
}

// overlaid refuses a pool that cannot hold overlays.
func (l libvirt) overlaid(ctx context.Context, pool string) error {
	text, err := l.virsh(ctx, "", "pool-dumpxml", "--pool", pool)
	if err != nil {
		return err
	}
	kind, err := readPoolType([]byte(text))
	if err == nil && !slices.Contains([]string{"dir", "fs", "netfs"}, kind) {
		err = assay.WithHint("name a template whose disks are files, or another pool", "pool %s is of type %s, which has no qcow2 overlays: %w", pool, kind, assay.ErrNotSupported)
	}
	return err
}

// volume is libvirt's description of a volume.
type volume struct {
	path   string
	bytes  int64  // for a guest
	format string // as far as libvirt can tell
	backed bool   // it is an overlay itself
}

// volume looks up a volume by path, or by pool and name.
func (l libvirt) volume(ctx context.Context, where ...string) (volume, error) {
	text, err := l.virsh(ctx, "", append([]string{"vol-dumpxml"}, where...)...)
	if err != nil {
		return volume{}, err
	}
	return readVolume([]byte(text))
}

// readVolume reads virsh vol-dumpxml. A disk that is itself an overlay is as good a template.
func readVolume(text []byte) (volume, error) {
	var v struct {
		XMLName  xml.Name `xml:"volume"`
		Capacity struct {
			Unit  string `xml:"unit,attr"`
			Value string `xml:",chardata"`
		} `xml:"capacity"`
		Path   string `xml:"target>path"`
		Format struct {
			Type string `xml:"type,attr"`
		} `xml:"target>format"`
		Backing string `xml:"backingStore>path"`
	}
	if err := xml.Unmarshal(text, &v); err != nil {
		return volume{}, fmt.Errorf("not the XML of a volume: %w", err)
	}
	bytes, err := strconv.ParseInt(strings.TrimSpace(v.Capacity.Value), 10, 64)
	if err != nil || bytes <= 0 || v.Capacity.Unit != "bytes" && v.Capacity.Unit != "" || !strings.HasPrefix(v.Path, "/") {
		return volume{}, fmt.Errorf("unusable description of volume %.100q", v.Path)
	}
	return volume{v.Path, bytes, v.Format.Type, v.Backing != ""}, nil
}

// readPoolType reads the type of a pool from virsh pool-dumpxml.
func readPoolType(text []byte) (string, error) {
	var p struct {
		XMLName xml.Name `xml:"pool"`
		Type    string   `xml:"type,attr"`
	}
	if err := xml.Unmarshal(text, &p); err != nil {
		return "", fmt.Errorf("not the XML of a pool: %w", err)
	}
	return p.Type, nil
}

func (l libvirt) room(ctx context.Context, pool string) (free, size int64, err error) {
	text, err := l.virsh(ctx, "", "pool-info", "--bytes", "--pool", pool)
	if err != nil {
		return 0, 0, err
	}
	sizes := 0
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(line, ":")
		into := map[string]*int64{"Capacity": &size, "Available": &free}[key]
		if into == nil {
			continue
		}
		if *into, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || *into < 0 {
			return 0, 0, fmt.Errorf("virsh pool-info on %s: %s is %.40q, not a number of bytes", l.at.Host().Name, key, value)
		}
		sizes++
	}
	if sizes != 2 {
		return 0, 0, fmt.Errorf("virsh pool-info on %s: %w: %.100q", l.at.Host().Name, assay.ErrNoOutput, text)
	}
	return free, size, nil
}

// free refuses names that are already taken.
func (l libvirt) free(ctx context.Context, o order) error {
	for _, domain := range []string{o.name, uuidOf(o.id)} {
		state, err := l.state(ctx, domain)
		if err != nil {
			return err
		}
		if state != nowhere {
			return fmt.Errorf("%s has a domain %s already, which is %s: %w", l.at.Host().Name, domain, state, assay.ErrBusy)
		}
	}
	for _, d := range o.Disks {
		there, err := l.volumes(ctx, d.Storage)
		if err != nil {
			return err
		}
		if slices.Contains(there, d.Name) {
			return fmt.Errorf("pool %s of %s has a volume %s already: %w", d.Storage, l.at.Host().Name, d.Name, assay.ErrBusy)
		}
	}
	return nil
}

// volumes returns the names of a pool's volumes.
func (l libvirt) volumes(ctx context.Context, pool string) ([]string, error) {
	return hypervisors.Volumes(ctx, pool, func(words ...string) (string, error) { return l.virsh(ctx, "", words...) })
}

// make makes the volumes, then the domain, and starts it.
func (l libvirt) make(ctx context.Context, o order) error {
	define, err := l.definition(ctx, o)
	if err != nil {
		return err
	}
	paths := map[string]string{}
	for _, d := range o.Disks {
		if err := l.makeVolume(ctx, o, d); err != nil {
			return err
		}
		path, err := l.virsh(ctx, "", "vol-path", "--pool", d.Storage, "--vol", d.Name)
		if err != nil {
			return err
		}
		paths[d.disk.Name] = strings.TrimSpace(path)
	}
	text, err := define(paths)
	if err != nil {
		return fmt.Errorf("%s on %s: %w", o.Title(), l.at.Host().Name, err)
	}
	// virsh wants a file; this one leaves nothing behind.
	if _, err := l.virsh(ctx, string(text), "define", "--file", "/dev/stdin"); err != nil {
		return err
	}
	_, err = l.virsh(ctx, "", "start", "--domain", uuidOf(o.id))
	return err
}

// definition returns a function that defines the clone with disks at these paths. It checks a
// template again, which may have been started meanwhile.
func (l libvirt) definition(ctx context.Context, o order) (func(paths map[string]string) ([]byte, error), error) {
	if n := o.of.image; n != nil {
		return func(paths map[string]string) ([]byte, error) {
			return n.domain(o.name, uuidOf(o.id), o.Template, paths)
		}, nil
	}
	state, err := l.state(ctx, l.domain)
	if err == nil && state != "shut off" {
		err = fmt.Errorf("domain %s on %s changed while it was being cloned: it is now %s", l.domain, l.at.Host().Name, state)
	}
	if err != nil {
		return nil, err
	}
	text, err := l.virsh(ctx, "", "dumpxml", "--inactive", "--domain", l.domain)
	return func(paths map[string]string) ([]byte, error) {
		return cloneOf([]byte(text), o.name, uuidOf(o.id), paths)
	}, err
}

// makeVolume makes a disk's overlay, or the seed.
func (l libvirt) makeVolume(ctx context.Context, o order, d made) error {
	if d.seed {
		return l.makeSeed(ctx, o, d)
	}
	_, err := l.virsh(ctx, "", "vol-create-as", "--pool", d.Storage, "--name", d.Name, "--capacity", strconv.FormatInt(d.disk.Bytes, 10), "--format", "qcow2",
		"--backing-vol", d.disk.base, "--backing-vol-format", d.disk.format)
	return err
}

// remove destroys the domain, by its UUID whatever its current name, and deletes its volumes.
func (l libvirt) remove(ctx context.Context, o order) error {
	if err := l.removeDomain(ctx, uuidOf(o.id)); err != nil {
		return err
	}
	for _, d := range o.Disks {
		if err := l.removeVolume(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// removeDomain destroys and undefines a domain until there is none. One that was just
// being started reports off, is undefined once it runs, and keeps running.
func (l libvirt) removeDomain(ctx context.Context, uuid string) error {
	for begun := time.Now(); ; {
		state, err := l.state(ctx, uuid)
		if err != nil || state == nowhere {
			return err
		}
		if state != "shut off" {
			// It may end by itself meanwhile.
			if _, err := l.virsh(ctx, "", "destroy", "--domain", uuid); err != nil && !isGone(err) {
				if now, serr := l.state(ctx, uuid); serr != nil || now != nowhere && now != "shut off" {
					return errors.Join(err, serr)
				}
			}
		}
		_, err = l.virsh(ctx, "", "undefine", "--domain", uuid, "--managed-save", "--snapshots-metadata", "--nvram")
		if err != nil && !isGone(err) {
			return err
		}
		if state, err = l.state(ctx, uuid); err != nil || state == nowhere {
			return err
		}
		if time.Since(begun) > hypervisors.Settling {
			return fmt.Errorf("domain %s is still on %s after undefine: it is %s", uuid, l.at.Host().Name, state)
		}
		if err := hypervisors.Rest(ctx); err != nil {
			return err
		}
	}
}

func (l libvirt) removeVolume(ctx context.Context, d made) error {
	there, err := l.volumes(ctx, d.Storage)
	if err != nil || !slices.Contains(there, d.Name) {
		return err
	}
	if _, err := l.virsh(ctx, "", "vol-delete", "--pool", d.Storage, "--vol", d.Name); err != nil && !isGone(err) {
		return err
	}
	if there, err = l.volumes(ctx, d.Storage); err == nil && slices.Contains(there, d.Name) {
		err = fmt.Errorf("volume %s is still in pool %s of %s after vol-delete", d.Name, d.Storage, l.at.Host().Name)
	}
	return err
}
