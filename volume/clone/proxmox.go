package clone

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
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

func proxmoxKind() *kind {
	return &kind{
		word: "proxmox", template: lazyregexp.New(`^[1-9][0-9]{2,8}$`),
		name:  vmOf,
		look:  lookProxmox,
		disks: func(string, Template) []made { return nil },
		free:  freeProxmox, make: makeProxmox, runs: runsProxmox, remove: removeProxmox,
		room: func(ctx context.Context, at assay.Place, storage string) (free, size int64, err error) {
			return proxmox{at}.room(ctx, storage)
		},
		images: proxmoxImages(),
	}
}

// proxmox is a node of Proxmox VE.
type proxmox struct{ at assay.Place }

var proxmoxTroubles = []trouble{
	{Said: "conf' does not exist", Is: errNoVM, Hint: "qm list lists the VMs of a node"},
	{Said: "linked clone feature", Hint: "set full: true: this storage supports full copies only"},
	{Said: "vm uses local storage", Hint: "put the template on storage that the nodes share, or name one node under on:"},
	{Said: "non-shared storage", Hint: "put the template on storage that the nodes share, or name one node under on:"},
	{Said: "config file already exists", Is: assay.ErrBusy},
	{Said: "vm is locked", Is: assay.ErrBusy, Hint: "wait for the backup, snapshot or migration that holds it (qm config ID)"},
	{Said: "can't lock file", Is: assay.ErrBusy, Hint: "wait until the other task on this VM has finished"},
	{Said: "got timeout", Is: assay.ErrBusy, Hint: "wait until the other task on this VM has finished"},
	{Said: "insufficient free space", Is: assay.ErrNoSpace, Hint: "free some space there, or make fewer guests"},
	{Said: "no space left", Is: assay.ErrNoSpace, Hint: "free some space there, or make fewer guests"},
	{Said: "out of space", Is: assay.ErrNoSpace, Hint: "free some space there, or make fewer guests"},
	{Said: "protection mode enabled", Hint: "to let it be destroyed: qm set ID --protection 0"},
	{Said: "could not open", Is: assay.ErrNotFound, Hint: "the image is a path on the node: see whether it is there, and can be read"},
	{Said: "import-from", Hint: "Proxmox VE imports disks so from 7.2 on, and for root alone"},
	{Said: "no such storage", Is: assay.ErrNotFound, Hint: "pvesm status lists the storages of a node"},
}

// errNoVM is the error of a node that does not have the VM.
var errNoVM = errors.New("no such VM on this node")

func (p proxmox) run(ctx context.Context, words ...string) (string, error) {
	return hypervisors.Tell(ctx, p.at, proxmoxTroubles, strings.NewReplacer(), assay.Cmd{Argv: words, Env: []string{"LC_ALL=C"}})
}

// vmOf returns the number of the clone of a receipt with that id: nine digits, which people
// hardly use.
func vmOf(id string) string {
	b := sha256.Sum256([]byte("assay clone " + id))
	return strconv.FormatUint(100_000_000+binary.BigEndian.Uint64(b[:8])%900_000_000, 10)
}

// settings are the lines of qm config.
type settings map[string]string

func (p proxmox) config(ctx context.Context, vm string) (settings, error) {
	text, err := p.run(ctx, "qm", "config", vm)
	if err != nil {
		return nil, err
	}
	return readSettings(text), nil
}

// readSettings parses qm config: a line "key: value" for each setting. It is pure and
// total.
func readSettings(text string) settings {
	all := settings{}
	for line := range strings.Lines(text) {
		if key, value, is := strings.Cut(strings.TrimRight(line, "\r\n"), ": "); is {
			all[key] = value
		}
	}
	return all
}

// number reads a setting that is a number, or a list that begins with one or with current=;
// otherwise is its default.
func (s settings) number(key string, otherwise int) (int, error) {
	value, there := s[key]
	if !there {
		return otherwise, nil
	}
	word, _, _ := strings.Cut(value, ",")
	n, err := strconv.Atoi(strings.TrimPrefix(word, "current="))
	if err != nil || n < 1 || n > 1<<30 {
		return 0, fmt.Errorf("%s is %.40q, not a number", key, value)
	}
	return n, nil
}

// agent reports whether the VM has a guest agent: "1", "enabled=1,…".
func (s settings) agent() bool {
	word, _, _ := strings.Cut(s["agent"], ",")
	return word == "1" || word == "enabled=1"
}

var (
	diskKey  = lazyregexp.New(`^(ide|sata|scsi|virtio|efidisk|tpmstate)[0-9]+$`)
	passKey  = lazyregexp.New(`^(hostpci|usb|serial|parallel)[0-9]+$`)
	sizeWord = lazyregexp.New(`^size=([0-9]{1,12}(?:\.[0-9]{1,3})?)([KMGT]?)$`)
	sizeUnit = map[string]float64{"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
)

// readTemplate reads a template from its configuration, and refuses one that cannot be
// cloned. It is pure and total.
func readTemplate(s settings, full bool) (Template, error) {
	var t Template
	switch {
	case len(s) == 0:
		return t, fmt.Errorf("not the configuration of a VM: %w", assay.ErrNoOutput)
	case s["lock"] != "":
		return t, fmt.Errorf("it is locked (%s): %w", s["lock"], assay.ErrBusy)
	case s["template"] != "1" && !full:
		return t, assay.WithHint("convert it with qm template ID, which can't be undone, or set full: true so that each guest gets a full copy of its disks", "it is not a template, so linked clones are not possible")
	case !s.agent():
		return t, assay.WithHint("qm set ID --agent 1, with qemu-guest-agent installed in it", "it has no guest agent, which assay needs to reach its clones")
	}
	sockets, err := s.number("sockets", 1)
	cores, cerr := s.number("cores", 1)
	memory, merr := s.number("memory", 512)
	if err := errors.Join(err, cerr, merr); err != nil {
		return t, err
	}
	t.CPUs, t.Memory = sockets*cores, int64(memory)<<20
	for key, value := range s {
		switch {
		case key == "args":
			return t, assay.WithHint("name a template without them", "it has QEMU arguments of its own (args), whose effect assay can't judge: %w", assay.ErrNotSupported)
		case passKey.MatchString(key) && !slices.Contains([]string{"socket", "spice"}, value) && !strings.HasPrefix(value, "spice"):
			return t, assay.WithHint("name a template without it", "it passes through %s, which only one guest can have: %w", key, assay.ErrNotSupported)
		case diskKey.MatchString(key):
			d, is, err := readProxmoxDisk(key, value)
			if err != nil {
				return t, err
			}
			if is {
				t.Disks = append(t.Disks, d)
			}
		}
	}
	slices.SortFunc(t.Disks, func(a, b Disk) int { return strings.Compare(a.Name, b.Name) })
	if len(t.Disks) == 0 {
		return t, errors.New("it has no disk that could be cloned")
	}
	return t, nil
}

// readProxmoxDisk parses "local-lvm:base-9000-disk-0,size=32G"; false for a CD and for
// cloud-init's drive, which Proxmox VE recreates.
func readProxmoxDisk(key, value string) (d Disk, is bool, err error) {
	words := strings.Split(value, ",")
	source := strings.TrimPrefix(words[0], "file=")
	if slices.Contains(words, "media=cdrom") || source == "none" {
		return d, false, nil
	}
	storage, _, named := strings.Cut(source, ":")
	if !named || !storageName.MatchString(storage) {
		return d, false, assay.WithHint("name a template whose disks are in a storage", "disk %s is %.60q, passed through: %w", key, source, assay.ErrNotSupported)
	}
	d = Disk{Name: key, Storage: storage}
	for _, w := range words[1:] {
		if m := sizeWord.FindStringSubmatch(w); m != nil {
			n, err := strconv.ParseFloat(m[1], 64)
			if bytes := n * sizeUnit[m[2]]; err == nil && bytes > 0 && bytes < 1<<50 {
				d.Bytes = int64(bytes)
			}
		}
	}
	if d.Bytes == 0 {
		return d, false, assay.WithHint("run qm disk rescan, which adds it", "the size of disk %s is not in the configuration: %.100q", key, value)
	}
	return d, true, nil
}

// lookProxmox finds the template on one of the nodes where the guests are made.
func lookProxmox(ctx context.Context, v Volume, w Want) (Template, error) {
	hosts := w.Among
	if len(hosts) == 0 {
		hosts = []string{w.On}
	}
	for _, host := range hosts {
		at, err := v.at(host)
		if err != nil {
			return Template{}, err
		}
		p := proxmox{at}
		s, err := p.config(ctx, w.Template)
		if errors.Is(err, errNoVM) {
			continue
		}
		if err != nil {
			return Template{}, err
		}
		return p.template(ctx, w, s)
	}
	return Template{}, assay.WithHint("qm list on each node lists its VMs; name the node of the template under on: too",
		"no VM %s on %s to make clones of: %w", w.Template, strings.Join(hosts, ", "), assay.ErrNotFound)
}

// template checks the template on its node.
func (p proxmox) template(ctx context.Context, w Want, s settings) (Template, error) {
	host := p.at.Host().Name
	state, err := p.state(ctx, w.Template)
	if err == nil && state != "stopped" {
		err = assay.WithHint("qm shutdown "+w.Template+", or name a template", "it is %s; only a VM that is stopped can be cloned", state)
	}
	var t Template
	if err == nil {
		t, err = readTemplate(s, w.Full)
	}
	if err != nil {
		return t, explained(w.Template, fmt.Errorf("VM %s on %s: %w", w.Template, host, err))
	}
	t.From = host
	shared, err := p.shared(ctx)
	if err != nil {
		return t, err
	}
	for i, d := range t.Disks {
		t.Disks[i].Shared = shared[d.Storage]
		if w.On != host && !shared[d.Storage] {
			return t, assay.WithHint("put the template's disks on storage that the nodes share (Ceph, NFS, iSCSI), or name "+host+" alone under on:",
				"a clone of VM %s can't be made on %s: its disk %s is in %s, which is local to %s", w.Template, w.On, d.Name, d.Storage, host)
		}
	}
	return t, nil
}

// explained puts the VM's number into the error's hint.
func explained(vm string, err error) error {
	if hint := assay.Hint(err); strings.Contains(hint, " ID") {
		return assay.WithHint(strings.ReplaceAll(hint, " ID", " "+vm), "%w", err)
	}
	return err
}

// shared returns the storages that all nodes share.
func (p proxmox) shared(ctx context.Context) (map[string]bool, error) {
	text, err := p.run(ctx, "pvesh", "get", "/cluster/resources", "--type", "storage", "--output-format", "json")
	if err != nil {
		return nil, err
	}
	var all []struct {
		Storage string `json:"storage"`
		Shared  truth  `json:"shared"`
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, fmt.Errorf("pvesh on %s: unusable list of storages: %.100q", p.at.Host().Name, text)
	}
	shared := map[string]bool{}
	for _, s := range all {
		shared[s.Storage] = bool(s.Shared)
	}
	return shared, nil
}

// truth is a bool that Proxmox VE writes as 0 or 1, with or without quotation marks.
type truth bool

// UnmarshalJSON accepts all of these.
func (t *truth) UnmarshalJSON(text []byte) error {
	word := strings.Trim(string(text), `"`)
	*t = word == "1" || word == "true"
	return nil
}

// state returns running, stopped, or another of Proxmox VE's words.
func (p proxmox) state(ctx context.Context, vm string) (string, error) {
	text, err := p.run(ctx, "qm", "status", vm)
	state, is := strings.CutPrefix(strings.TrimSpace(text), "status: ")
	if err == nil && !is {
		err = fmt.Errorf("qm status on %s: %w: %.100q", p.at.Host().Name, assay.ErrNoOutput, text)
	}
	return state, err
}

func (p proxmox) room(ctx context.Context, storage string) (free, size int64, err error) {
	text, err := p.run(ctx, "pvesm", "status", "--storage", storage, "--content", "images")
	if err != nil {
		return 0, 0, err
	}
	// A header line, then name, type, state, and total, used and available KiB.
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 6 || words[0] != storage {
			continue
		}
		size, serr := strconv.ParseInt(words[3], 10, 64)
		free, ferr := strconv.ParseInt(words[5], 10, 64)
		switch {
		case words[2] != "active":
			return 0, 0, fmt.Errorf("it is %s on %s", words[2], p.at.Host().Name)
		case serr != nil || ferr != nil || size < 0 || free < 0 || max(size, free) > 1<<50:
			return 0, 0, fmt.Errorf("pvesm status on %s: unusable sizes: %.100q", p.at.Host().Name, line)
		}
		return free << 10, size << 10, nil
	}
	return 0, 0, fmt.Errorf("pvesm status on %s does not list it: %w", p.at.Host().Name, assay.ErrNotFound)
}

// where returns the node of a VM in the cluster, "" if no node has that number. Containers
// count too: they share the VMs' numbers.
func (p proxmox) where(ctx context.Context, vm string) (node string, err error) {
	text, err := p.run(ctx, "pvesh", "get", "/cluster/resources", "--type", "vm", "--output-format", "json")
	if err != nil {
		return "", err
	}
	var all []struct {
		VM   json.Number `json:"vmid"`
		Node string      `json:"node"`
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return "", fmt.Errorf("pvesh on %s: unusable list of VMs: %.100q", p.at.Host().Name, text)
	}
	for _, one := range all {
		if one.VM.String() == vm {
			return one.Node, nil
		}
	}
	return "", nil
}

// freeProxmox refuses a number that is taken on any node.
func freeProxmox(ctx context.Context, v Volume, o order) error {
	at, err := v.at(o.From)
	if err != nil {
		return err
	}
	node, err := proxmox{at}.where(ctx, o.name)
	if err == nil && node != "" {
		err = fmt.Errorf("node %s has a VM %s already: %w", node, o.name, assay.ErrBusy)
	}
	return err
}

// makeProxmox creates the VM from an image, or clones the template on its node for the node
// where the guest is to run, and starts the guest there. A clone inherits its template's
// settings: it must not start with its node, nor be protected from removal.
func makeProxmox(ctx context.Context, v Volume, o order) error {
	from, err := v.at(o.From)
	if err != nil {
		return err
	}
	on, err := v.at(o.On)
	if err != nil {
		return err
	}
	if o.of.image != nil {
		return proxmox{on}.create(ctx, o)
	}
	words := []string{"qm", "clone", o.Template, o.name, "--name", prefix + o.id, "--description", about(o)}
	if o.Full {
		words = append(words, "--full", "1")
	}
	if o.On != o.From {
		node, err := proxmox{on}.node(ctx)
		if err != nil {
			return err
		}
		words = append(words, "--target", node)
	}
	if _, err := (proxmox{from}).run(ctx, words...); err != nil {
		return err
	}
	p := proxmox{on}
	if _, err := p.run(ctx, "qm", "set", o.name, "--onboot", "0", "--protection", "0"); err != nil {
		return err
	}
	_, err = p.run(ctx, "qm", "start", o.name)
	return err
}

// node returns Proxmox VE's name for a host: its name without a domain.
func (p proxmox) node(ctx context.Context) (string, error) {
	text, err := p.run(ctx, "uname", "-n")
	name, _, _ := strings.Cut(strings.TrimSpace(text), ".")
	if err == nil && !hostName.MatchString(name) {
		err = fmt.Errorf("%s has the unusable name %.60q", p.at.Host().Name, name)
	}
	return name, err
}

func runsProxmox(ctx context.Context, v Volume, o order) (bool, error) {
	at, err := v.at(o.On)
	if err != nil {
		return false, err
	}
	state, err := proxmox{at}.state(ctx, o.name)
	return state == "running", err
}

// removeProxmox destroys the VM on whichever of the two nodes has it: an unfinished clone
// is on the template's.
func removeProxmox(ctx context.Context, v Volume, o order) error {
	hosts := []string{o.From}
	if o.On != o.From {
		hosts = append(hosts, o.On)
	}
	var last proxmox
	for _, host := range hosts {
		at, err := v.at(host)
		if err != nil {
			return err
		}
		last = proxmox{at}
		if err := last.destroy(ctx, o); err != nil {
			return err
		}
	}
	if imageSource.MatchString(o.Template) {
		if err := removeFile(ctx, last.at, seedFile(o.id)); err != nil {
			return err
		}
	}
	node, err := last.where(ctx, o.name)
	if err == nil && node != "" {
		err = assay.WithHint("migrate it back, or destroy it there: qm destroy "+o.name+" --purge",
			"VM %s, which assay created on %s, is now on node %s: assay destroys it on %s only", o.name, o.On, node, strings.Join(hosts, " and "))
	}
	return err
}

// ours reports whether a VM with the receipt's number is the receipt's: its name or
// description says so, or it is in the first state of qm clone and qm create, which does not
// show it yet.
func ours(s settings, id string) bool {
	said := s["name"] + " " + s["description"]
	return strings.Contains(said, prefix+id) || (s["lock"] == "clone" || s["lock"] == "create") && s["name"] == ""
}

// destroy stops and destroys the VM, if this node has it.
func (p proxmox) destroy(ctx context.Context, o order) error {
	for begun := time.Now(); ; {
		s, err := p.config(ctx, o.name)
		switch {
		case errors.Is(err, errNoVM):
			return nil
		case err != nil:
			return err
		case !ours(s, o.id):
			return assay.WithHint("look at it: qm config "+o.name, "VM %s on %s is not destroyed: neither its name nor its description has %s, by which assay recognizes its own",
				o.name, p.at.Host().Name, prefix+o.id)
		}
		err = p.destroyNow(ctx, o.name, s)
		if err == nil || !errors.Is(err, assay.ErrBusy) || time.Since(begun) > hypervisors.Settling {
			if err == nil {
				_, err = p.config(ctx, o.name)
				if err == nil {
					return fmt.Errorf("VM %s is still on %s after qm destroy", o.name, p.at.Host().Name)
				}
				if errors.Is(err, errNoVM) {
					return nil
				}
			}
			return explained(o.name, err)
		}
		if stopped := hypervisors.Rest(ctx); stopped != nil {
			return errors.Join(stopped, err)
		}
	}
}

// destroyNow destroys a VM, first unlocking what a killed clone left locked: qm waits for the
// file lock, and once that is free, nobody owns the lock in the configuration.
func (p proxmox) destroyNow(ctx context.Context, vm string, s settings) error {
	if s["lock"] == "clone" || s["lock"] == "create" {
		if _, err := p.run(ctx, "qm", "unlock", vm); err != nil {
			return err
		}
	}
	state, err := p.state(ctx, vm)
	if err != nil {
		return err
	}
	if state != "stopped" {
		if _, err := p.run(ctx, "qm", "stop", vm); err != nil {
			return err
		}
	}
	_, err = p.run(ctx, "qm", "destroy", vm, "--purge", "1", "--destroy-unreferenced-disks", "1")
	return err
}
