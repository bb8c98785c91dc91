package matrix

import (
	"context"
	_ "embed" // scripts
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/lab/hosts"
	"assay/lab/internal/groups"
)

var (
	//go:embed prelude.sh
	prelude string
	//go:embed dress.sh
	dress string
)

// What all hosts of a bed have. Links are slower than what two cores can carry, so
// that the links bound most figures.
const (
	linkRate = 2.5e9 // bit/s
	diskRate = 200 << 20
	diskIOPS = 5000
	rise     = 10 // K
	hotRise  = 40 // K

	nic      = "eth1" // on the storage network
	switches = "-switch"
	family   = "assay-matrix-" // of control groups
)

// Hosts are the names of a bed's hosts.
var Hosts = []string{"host1", "host2", "host3", "host4"}

// Bed is a lab of hosts that are identical except for planted faults.
type Bed struct {
	Lab   *hosts.Lab
	File  string // its cluster.yaml
	kinds []Kind
	dir   string
}

// Up brings up a lab in dir and plants the faults of a case. It first removes what
// another bed left in dir. After an error, nothing is left.
func Up(ctx context.Context, dir string, kinds []Kind, c Case) (*Bed, error) {
	b := &Bed{File: filepath.Join(dir, "cluster.yaml"), kinds: kinds, dir: dir}
	if err := b.Down(ctx); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return b.orNothing(ctx, b.fill(ctx, c))
}

// UpDemo brings up the lab of make demo.
func UpDemo(ctx context.Context, dir string, kinds []Kind, _ Case) (*Bed, error) {
	b := &Bed{File: filepath.Join(dir, "lab", "cluster.yaml"), kinds: kinds, dir: dir}
	if err := b.Down(ctx); err != nil {
		return nil, err
	}
	var err error
	b.Lab, err = hosts.Up(ctx, b.labDir(), hosts.Standard(len(Hosts)))
	return b.orNothing(ctx, err)
}

// orNothing returns the bed, or takes down what exists of it on an error.
func (b *Bed) orNothing(ctx context.Context, err error) (*Bed, error) {
	if err == nil {
		return b, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
	defer cancel()
	return nil, errors.Join(err, b.Down(ctx))
}

// fill creates the contents of a bed.
func (b *Bed) fill(ctx context.Context, c Case) error {
	all, err := b.hosts(c)
	if err != nil {
		return err
	}
	if b.Lab, err = hosts.Up(ctx, b.labDir(), all); err != nil {
		return err
	}
	if err := os.WriteFile(b.File, []byte(b.describe()), 0o600); err != nil {
		return err
	}
	for _, host := range Hosts {
		if err := b.run(ctx, host, host, Placed{}, "", dress); err != nil {
			return fmt.Errorf("%s: %w", host, err)
		}
	}
	for _, p := range c.Faults {
		if err := b.plant(ctx, p); err != nil {
			return fmt.Errorf("%s on %s: %w", p.Kind, p.Host, err)
		}
	}
	return nil
}

// Down removes everything that a bed made on this machine.
func (b *Bed) Down(ctx context.Context) error {
	err := hosts.Down(ctx, b.labDir())
	left, _ := filepath.Glob("/sys/fs/cgroup/*/" + b.group("*"))
	return errors.Join(err, groups.Remove(ctx, left...), os.RemoveAll(b.File))
}

func (b *Bed) labDir() string { return filepath.Join(b.dir, "lab") }

// group returns the name of the control group of a host of this bed.
func (b *Bed) group(host string) string {
	return family + strings.Map(func(r rune) rune {
		if r == '/' || r == '.' {
			return '_'
		}
		return r
	}, b.dir) + "-" + host
}

func (b *Bed) hosts(c Case) ([]hosts.Host, error) {
	var all []hosts.Host
	for _, name := range Hosts {
		h := hosts.Host{Name: name, Link: linkRate, Disk: hosts.Disk{Bytes: 512 << 20, Rate: diskRate, IOPS: diskIOPS}, Sudo: true, Rise: rise}
		for _, p := range c.Faults {
			k, err := Named(b.kinds, p.Kind)
			if err != nil {
				return nil, err
			}
			if k.Hot && p.Host == name {
				h.Rise = hotRise
			}
		}
		all = append(all, h)
	}
	return all, nil
}

func (b *Bed) describe() string {
	var y strings.Builder
	fmt.Fprintf(&y, "defaults:\n  user: %s\n  measure: {directories: [%s]}\n  ssh: {config: %q}\nhosts:\n", hosts.User, hosts.BenchDir, b.Lab.Config())
	for _, h := range Hosts {
		fmt.Fprintf(&y, "  %s: {address: %s, sudo: true}\n", h, b.Lab.Address(h, hosts.Management))
	}
	fmt.Fprintf(&y, "networks:\n  storage:\n    kind: switch\n    rate: %gM\n    mtu: 1500\n    hosts:\n", linkRate/1e6)
	for _, h := range Hosts {
		fmt.Fprintf(&y, "      %s: %s\n", h, b.Lab.Address(h, hosts.Storage))
	}
	return y.String()
}

// plant plants a fault: first on all other hosts and the peer, then on the
// culprit.
func (b *Bed) plant(ctx context.Context, p Placed) error {
	k, err := Named(b.kinds, p.Kind)
	if err != nil {
		return err
	}
	for _, h := range Hosts {
		if h == p.Host {
			continue
		}
		if err := b.run(ctx, h, h, p, "", k.Other); err != nil {
			return err
		}
	}
	port := fmt.Sprintf("p1-%d", slices.Index(Hosts, p.Host)+1) // of the storage network's switch
	type step struct{ in, dev, script string }
	steps := []step{{p.Peer, "", k.Peer}}
	if p.Way != In {
		steps = append(steps, step{p.Host, nic, k.Sends}, step{switches, port, k.Receives})
	}
	if p.Way != Out {
		steps = append(steps, step{switches, port, k.Sends}, step{p.Host, nic, k.Receives})
	}
	for _, s := range append(steps, step{p.Host, "", k.Host}) {
		if err := b.run(ctx, s.in, p.Host, p, s.dev, s.script); err != nil {
			return err
		}
	}
	if k.Off {
		return b.Lab.Break(ctx, p.Host, hosts.PowerOff)
	}
	return nil
}

// run runs a kind's script in a host, or in the namespace of the switches.
func (b *Bed) run(ctx context.Context, in, host string, p Placed, dev, script string) error {
	if script == "" {
		return nil
	}
	disk := ""
	if in != switches {
		out, err := b.Lab.Run(ctx, in, "ls", "/sys/block")
		if err != nil {
			return err
		}
		disk = strings.TrimSpace(out)
	}
	var others []string
	third := ""
	for _, h := range Hosts {
		if h != host {
			others = append(others, b.Lab.Address(h, hosts.Storage))
		}
		if h != host && h != p.Peer {
			third = b.Lab.Address(h, hosts.Storage)
		}
	}
	_, err := b.Lab.Run(ctx, in, "env", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"HOST="+host, "NIC="+nic, "DISK="+disk, "DEV="+dev, "GROUP="+b.group(host),
		"ADDRESS="+b.Lab.Address(host, hosts.Storage), "PEER="+b.Lab.Address(p.Peer, hosts.Storage), "THIRD="+third,
		"OTHERS="+strings.Join(others, " "), "sh", "-euc", prelude+script)
	return err
}
