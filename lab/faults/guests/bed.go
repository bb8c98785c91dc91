package guests

import (
	"context"
	_ "embed" // scripts
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/internal/sleep"
	"assay/lab/faults/matrix"
	"assay/lab/guest"
)

var (
	//go:embed prelude.sh
	prelude string
	//go:embed dress.sh
	dress string
	//go:embed undo.sh
	undo string
	//go:embed tuned.yaml
	tuned []byte
	//go:embed kept.yaml
	kept []byte
)

// Kinds returns all kinds, in the order of their files.
func Kinds() ([]matrix.Kind, error) { return matrix.Parse(tuned, kept) }

// Hosts are the names of a bed's hosts.
var Hosts = []string{"host1", "host2", "host3"}

// What all hosts have. Links and disks are slower than emulated processors on a busy
// machine, so that links and disks bound the figures.
const (
	linkRate = 100 // Mb/s, as interfaces report
	carries  = 40  // Mb/s, the switch's actual rate
	diskIOPS = 500
	benchDir = "/srv/bench"
	nic      = "eth1"
	incoming = "ifb0" // for packets that arrive at the NIC
)

// The disk has room for the smallest file that a suite measures, and for the space that
// must stay free.
var disk = guest.Disk{Bus: guest.Virtio, Serial: "BENCH", Bytes: 160 << 20, IOPS: diskIOPS}

// Bed is a set of machines that are identical except for planted faults.
type Bed struct {
	File string // its cluster.yaml

	kinds  []matrix.Kind
	dir    string
	short  string // for the switch's socket: socket paths must be short
	wires  *guest.Switch
	guests map[string]*guest.Guest
	lift   func() // stops faults outside the guests; nil for none
}

// Missing returns why this machine cannot have a bed, with a hint, or nil if it can.
func Missing() error {
	if err := guest.Missing(); err != nil {
		return err
	}
	_, err := guest.Tools()
	return err
}

// Up boots the hosts. It creates dir, which must not exist. After an error, nothing is
// left.
func Up(ctx context.Context, dir string, kinds []matrix.Kind) (*Bed, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	b := &Bed{File: filepath.Join(dir, "cluster.yaml"), kinds: kinds, dir: dir, guests: map[string]*guest.Guest{}}
	if err := b.boot(ctx); err != nil {
		return nil, errors.Join(err, b.Down())
	}
	return b, nil
}

func (b *Bed) boot(ctx context.Context) (err error) {
	tools, err := guest.Tools()
	if err != nil {
		return err
	}
	if b.short, err = os.MkdirTemp("", "assay-guests-"); err != nil {
		return err
	}
	if b.wires, err = guest.NewSwitch(filepath.Join(b.short, "switch")); err != nil {
		return err
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	failed := map[string]error{}
	for i, name := range Hosts {
		all.Go(func() {
			g, err := guest.Boot(ctx, filepath.Join(b.dir, name), guest.Machine{
				Name: name, Disks: []guest.Disk{disk, tools}, Ports: []guest.Port{{Switch: b.wires, MAC: fmt.Sprintf("02:00:00:00:01:%02x", i+1), Mbit: linkRate}},
			})
			if err == nil {
				err = g.InstallTools(ctx)
			}
			mu.Lock()
			defer mu.Unlock()
			if failed[name] = err; g != nil {
				b.guests[name] = g
			}
		})
	}
	all.Wait()
	for _, name := range Hosts {
		if failed[name] != nil {
			return fmt.Errorf("%s: %w", name, failed[name])
		}
		if err := b.run(ctx, name, matrix.Placed{Host: name}, "", dress); err != nil {
			return err
		}
	}
	return os.WriteFile(b.File, []byte(b.describe()), 0o600)
}

// Down stops the hosts and removes everything they had. It is idempotent.
func (b *Bed) Down() error {
	b.rest()
	var err error
	for _, g := range b.guests {
		err = errors.Join(err, g.Down())
	}
	if b.wires != nil {
		err = errors.Join(err, b.wires.Close())
	}
	return errors.Join(err, os.RemoveAll(b.short), os.RemoveAll(b.dir))
}

// rest stops the faults that act from outside the guests.
func (b *Bed) rest() {
	if b.lift != nil {
		b.lift()
		b.lift = nil
	}
}

// Undo restores all hosts to their state after Up.
func (b *Bed) Undo(ctx context.Context) error {
	b.rest()
	for _, name := range Hosts {
		g := b.guests[name]
		if err := errors.Join(g.SetRunning(ctx, true), g.SetCable(ctx, 0, true), g.LimitDisk(ctx, disk, diskIOPS)); err != nil {
			return err
		}
		if err := b.run(ctx, name, matrix.Placed{Host: name}, "", undo+dress); err != nil {
			return err
		}
	}
	return nil
}

// Plant plants the faults of a case.
func (b *Bed) Plant(ctx context.Context, c matrix.Case) error {
	for _, p := range c.Faults {
		k, err := matrix.Named(b.kinds, p.Kind)
		if err == nil {
			err = b.plant(ctx, k, p)
		}
		if err != nil {
			return fmt.Errorf("%s on %s: %w", p.Kind, p.Host, err)
		}
	}
	return nil
}

func (b *Bed) plant(ctx context.Context, k matrix.Kind, p matrix.Placed) error {
	type step struct{ in, dev, script string }
	steps := []step{{p.Peer, "", k.Peer}}
	if p.Way != matrix.In {
		steps = append(steps, step{p.Host, nic, k.Sends})
	}
	if p.Way != matrix.Out {
		steps = append(steps, step{p.Host, incoming, k.Sends})
	}
	for _, s := range append(steps, step{p.Host, "", k.Host}) {
		if err := b.run(ctx, s.in, p, s.dev, s.script); err != nil {
			return err
		}
	}
	g := b.guests[p.Host]
	if k.IOPS > 0 {
		if err := g.LimitDisk(ctx, disk, k.IOPS); err != nil {
			return err
		}
	}
	switch {
	case k.Flaps:
		b.lift = inTurn(
			func(ctx context.Context) error { return g.SetCable(ctx, 0, true) }, 2700*time.Millisecond,
			func(ctx context.Context) error { return g.SetCable(ctx, 0, false) }, 300*time.Millisecond)
	case k.Runs > 0:
		const turn = 100 * time.Millisecond
		runs := turn * time.Duration(k.Runs) / 100
		b.lift = inTurn(
			func(ctx context.Context) error { return g.SetRunning(ctx, true) }, runs,
			func(ctx context.Context) error { return g.SetRunning(ctx, false) }, turn-runs)
	}
	return nil
}

// inTurn calls one and other alternately, with a pause after each, until end is called;
// the last call is always to one.
func inTurn(one func(context.Context) error, then time.Duration, other func(context.Context) error, after time.Duration) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			if one(ctx) != nil || sleep.For(ctx, then) != nil || other(ctx) != nil {
				break
			}
			_ = sleep.For(ctx, after)
		}
		_ = one(context.WithoutCancel(ctx))
	})
	return func() {
		cancel()
		done.Wait()
	}
}

// address returns a host's address on the network under test.
func address(host string) string { return fmt.Sprintf("10.77.0.%d", slices.Index(Hosts, host)+1) }

func (b *Bed) describe() string {
	var y strings.Builder
	fmt.Fprintf(&y, "defaults:\n  measure: {directories: [%s]}\nhosts:\n", benchDir)
	for _, h := range Hosts {
		fmt.Fprintf(&y, "  %s: {ssh: {config: %q}}\n", h, b.guests[h].Config())
	}
	fmt.Fprintf(&y, "networks:\n  storage:\n    kind: switch\n    rate: %dM\n    mtu: 1500\n    hosts:\n", carries)
	for _, h := range Hosts {
		fmt.Fprintf(&y, "      %s: %s\n", h, address(h))
	}
	return y.String()
}

// run runs a kind's script in a host.
func (b *Bed) run(ctx context.Context, in string, p matrix.Placed, dev, script string) error {
	if script == "" {
		return nil
	}
	var others []string
	for _, h := range Hosts {
		if h != p.Host {
			others = append(others, address(h))
		}
	}
	out, err := b.guests[in].Place().Run(ctx, assay.Cmd{Argv: []string{"env", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"HOST=" + p.Host, "NIC=" + nic, "INCOMING=" + incoming, "DEV=" + dev, "DISK=" + disk.Link(), "DIR=" + benchDir, fmt.Sprintf("MBIT=%d", carries),
		"ADDRESS=" + address(p.Host), "PEER=" + address(p.Peer), "OTHERS=" + strings.Join(others, " "), "sh", "-eus"}, Stdin: []byte(prelude + script)})
	if err == nil && out.Exit != 0 {
		err = fmt.Errorf("status %d: %s", out.Exit, strings.TrimSpace(string(out.Stderr)))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return nil
}
