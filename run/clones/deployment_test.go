package clones

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"assay"
	"assay/inventory/cluster"
	"assay/run/tiers"
	"assay/volume/all"
)

const file = "hosts: {kvm1: 10.0.0.1}\nvms: {bench: {clone: {domain: db, count: 2, on: kvm1}, measure: {directories: [/srv]}}, db: {on: kvm1, libvirt: x}}\n"

const template = `<domain><name>db</name><uuid>u</uuid><memory unit='KiB'>1048576</memory><vcpu>2</vcpu><devices>
<disk type='file' device='disk'><driver type='qcow2'/><source file='/images/db.qcow2'/><target dev='vda'/></disk>
<channel type='unix'><target name='org.qemu.guest_agent.0'/></channel></devices></domain>`

// bed is a hypervisor with one domain that is off, and a run.
type bed struct {
	mu      sync.Mutex
	states  map[string]string // of domains, by name and by UUID
	volumes map[string]bool
	journal map[string]bool
	deaf    int  // questions that a guest's agent does not answer
	off     bool // guests shut down when started
	denied  bool // the journal cannot be written

	served    string   // what is downloaded
	downloads []string // the volumes that it was put into
	large     int64    // virtual size, B
	said      []string
	d         *Deployment
}

func newBed(t *testing.T) *bed { return newBedOf(t, file) }

func newBedOf(t *testing.T, file string) *bed {
	t.Helper()
	b := &bed{states: map[string]string{"db": "shut off"}, volumes: map[string]bool{}, journal: map[string]bool{}}
	c, err := cluster.Read("x", []byte(file), all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	c, ids := Named(c)
	guests := map[string]assay.Place{"bench-1": place{b, "bench-1"}, "bench-2": place{b, "bench-2"}}
	b.d, err = Open(Options{Cluster: c, Guests: guests, IDs: ids, Remote: func(h cluster.Host) (assay.Place, error) { return place{b, h.Name}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	b.d.patient = waiting{agent: time.Hour, settle: time.Minute, pause: time.Millisecond, tell: time.Hour}
	return b
}

func (b *bed) deploy(ctx context.Context) error {
	journal := tiers.Journal{
		Keep: func(_ context.Context, r assay.Receipt) error {
			b.mu.Lock()
			defer b.mu.Unlock()
			if b.denied {
				return errors.New("read-only")
			}
			b.journal[r.ID] = true
			return nil
		},
		Strike: func(_ context.Context, id string) error {
			b.mu.Lock()
			defer b.mu.Unlock()
			delete(b.journal, id)
			return nil
		},
	}
	return b.d.Deploy(ctx, journal, func(text string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.said = append(b.said, text)
	})
}

func (b *bed) expectNothing(t *testing.T) {
	t.Helper()
	if err := b.d.Teardown(t.Context()); err != nil {
		t.Error(err)
	}
	if len(b.states) != 1 || b.states["db"] != "shut off" || len(b.volumes) > 0 || len(b.journal) > 0 {
		t.Errorf("left: %v, %v, %v", b.states, b.volumes, b.journal)
	}
}

type place struct {
	*bed
	name string
}

func (p place) Host() assay.Host { return assay.Host{Name: p.name} }
func (p place) Close() error     { return nil }

func (p place) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	said := func(format string, words ...any) (assay.Output, error) {
		return assay.Output{Stdout: fmt.Appendf(nil, format, words...)}, nil
	}
	if p.name != "kvm1" {
		if p.deaf != 0 {
			p.deaf--
			return assay.Output{}, fmt.Errorf("no answer: %w", assay.ErrHostGone)
		}
		return said("")
	}
	switch {
	case c.Argv[0] == "cat":
		return said("MemAvailable: 8000000 kB\n")
	case c.Argv[0] == "sh" && strings.Contains(c.Argv[2], "vol-download"):
		return said("%x  -\n", sha256.Sum256([]byte(p.served)))
	case c.Argv[0] == "sh":
		p.downloads = append(p.downloads, c.Argv[len(c.Argv)-1])
		return said("")
	}
	o := map[string]string{}
	for i := 4; i+1 < len(c.Argv); i++ {
		o[strings.TrimPrefix(c.Argv[i], "--")] = c.Argv[i+1]
	}
	state, there := p.states[o["domain"]]
	if o["domain"] != "" && !there {
		return assay.Output{Stderr: []byte("error: failed to get domain"), Exit: 1}, nil
	}
	switch c.Argv[4] {
	case "domstate":
		return said("%s\n", state)
	case "dumpxml":
		return said("%s", template)
	case "vol-pool":
		return said("images\n")
	case "vol-dumpxml":
		return said("<volume><capacity unit='bytes'>%d</capacity><target><path>/images/db.qcow2</path><format type='qcow2'/></target></volume>", cmp.Or(p.large, 1<<30))
	case "net-info":
		return said("Active: yes\n")
	case "domcapabilities":
		return said("<domainCapabilities><domain>kvm</domain><arch>x86_64</arch></domainCapabilities>")
	case "pool-dumpxml":
		return said("<pool type='dir'/>")
	case "pool-info":
		return said("Capacity: 107374182400\nAvailable: 107374182400\n")
	case "vol-path":
		return said("/images/%s\n", o["vol"])
	case "vol-list":
		text := ""
		for v := range p.volumes {
			text += v + " /images/" + v + "\n"
		}
		return said("%s", text)
	case "vol-create-as":
		p.volumes[o["name"]] = true
	case "vol-delete":
		delete(p.volumes, o["vol"])
	case "define":
		_, rest, _ := strings.Cut(string(c.Stdin), "<uuid>")
		uuid, _, _ := strings.Cut(rest, "<")
		p.states[uuid] = "shut off"
	case "start":
		if !p.off {
			p.states[o["domain"]] = "running"
		}
	case "destroy":
		p.states[o["domain"]] = "shut off"
	case "undefine":
		delete(p.states, o["domain"])
	}
	return said("")
}

func TestDeployed(t *testing.T) {
	b := newBed(t)
	b.deaf = 5
	if !b.d.Unmade("bench-1") || b.d.Has("db") || (*Deployment)(nil).Unmade("bench-1") {
		t.Error("which are to be made?")
	}
	if err := b.deploy(t.Context()); err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	if len(b.states) != 3 || len(b.volumes) != 2 || len(b.journal) != 2 || b.d.Unmade("bench-1") || !b.d.Has("bench-2") {
		t.Errorf("made %v, %v, %v", b.states, b.volumes, b.journal)
	}
	said := strings.Join(b.said, "\n")
	for _, want := range []string{"bench-1: cloning db on kvm1", "bench-2: waiting for its guest agent", "bench-1: its guest agent answers after"} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing says %q:\n%s", want, said)
		}
	}
	b.expectNothing(t)
	_, err := b.d.Removed()["bench-1"].Run(t.Context(), assay.Cmd{})
	if !errors.Is(err, assay.ErrDestroyed) {
		t.Error(err)
	}
}

// Guests that do not come up are destroyed again, and the error names what was awaited.
func TestNotDeployed(t *testing.T) {
	for want, spoil := range map[string]func(*bed){
		"its guest agent did not answer within 1ns": func(b *bed) { b.deaf, b.d.patient.agent = -1, time.Nanosecond },
		"shut down after":                            func(b *bed) { b.deaf, b.off = -1, true },
		"the journal cannot be written: read-only":   func(b *bed) { b.denied = true },
		"is running; only a domain that is shut off": func(b *bed) { b.states["db"] = "running" },
	} {
		b := newBed(t)
		spoil(b)
		err := b.deploy(t.Context())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
		b.states["db"] = "shut off"
		b.expectNothing(t)
	}
}

func TestCancelled(t *testing.T) {
	b := newBed(t)
	b.deaf = -1
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- b.deploy(ctx) }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	b.expectNothing(t)
}

func TestPredicted(t *testing.T) {
	b := newBed(t)
	of, err := b.d.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	inv := assay.Inventory{Facts: map[string]assay.Facts{}}
	b.d.Predict(&inv, of, map[string][]string{"bench-1": {"/srv"}, "bench-2": {"/srv"}}, []string{"fio"})
	if len(inv.Hosts) != 2 || len(inv.Of(assay.KindDirectory)) != 2 || inv.Facts["bench-2"].CPU.Threads != 2 || inv.Facts["bench-1"].Tool("fio").Path == "" {
		t.Errorf("predicted %+v", inv)
	}
	says := b.d.Says(of)
	if want := "a run creates bench-1, bench-2 on kvm1 from db and destroys them afterwards: 2048 MiB of memory, and disks that may grow to 2048 MiB in total"; len(says) != 1 || says[0] != want {
		t.Errorf("says %q", says)
	}
	b.expectNothing(t)
}
