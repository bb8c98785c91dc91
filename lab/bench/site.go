package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay"
	"assay/lab/hosts"
)

const (
	// labBound is the time limit for taking hosts down, also after Ctrl-C.
	labBound = 90 * time.Second
	// farPatience is how long a command may take to end if it has to disconnect
	// from hosts.
	farPatience = 15 * time.Second

	linkRate = 10e9 // bit/s
	linkMTU  = 1500 // bytes
)

// site is a lab of identical hosts, and what is needed to measure it.
type site struct {
	lab    *hosts.Lab
	binary string
	dir    string // for files
	short  string // for sockets, whose paths must be short, and for TMPDIR
	say    func(string)
}

// alike returns n hosts that differ only in their names.
func alike(n int) []hosts.Host {
	all := make([]hosts.Host, n)
	for i := range all {
		all[i] = hosts.Host{
			Name: fmt.Sprintf("host%d", i+1), Link: linkRate, Sudo: true, Rise: 10,
			Disk: hosts.Disk{Bytes: 512 << 20, Rate: 200 << 20, IOPS: 20_000},
		}
	}
	return all
}

// withHosts brings n hosts up in dir, calls use, and takes them down, even if
// ctx is done by then.
func withHosts(ctx context.Context, w wish, dir string, n int, say func(string), use func(site) error) (err error) {
	say(fmt.Sprintf("lab: %d hosts", n))
	dir, err = os.MkdirTemp(dir, "site-")
	if err != nil {
		return err
	}
	short, err := os.MkdirTemp("", "assay-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(short)) }()
	lab, err := hosts.Up(ctx, filepath.Join(dir, "lab"), alike(n))
	if err != nil {
		return fmt.Errorf("lab of %d hosts: %w", n, err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), labBound)
		defer cancel()
		err = errors.Join(err, lab.Down(ctx))
	}()
	return use(site{lab: lab, binary: w.binary, dir: dir, short: short, say: say})
}

// noLab returns the rows without values if this machine cannot have a lab, and
// nil if it can.
func noLab(rows ...row) []row {
	why := hosts.Missing()
	if why == nil {
		return nil
	}
	for i := range rows {
		rows[i].missing = why.Error()
		if hint := assay.Hint(why); hint != "" {
			rows[i].missing += "; " + hint
		}
	}
	return rows
}

// sheet describes the hosts in a cluster.yaml and the networks that connect
// them.
type sheet struct {
	name     string
	hosts    []string // names
	networks []string
	oneByOne bool // all networks share one resource
}

// write writes the cluster.yaml and returns its path.
func (s site) write(c sheet) (string, error) {
	file := filepath.Join(s.dir, c.name+".yaml")
	return file, os.WriteFile(file, []byte(c.text(s.lab.Config(), s.lab.Address)), 0o600)
}

func (c sheet) text(config string, address func(host, network string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "defaults:\n  user: %s\n  measure: {directories: [%s]}\n  ssh: {config: %q}\nhosts:\n",
		hosts.User, hosts.BenchDir, config)
	for _, h := range c.hosts {
		fmt.Fprintf(&b, "  %s: %s\n", h, address(h, hosts.Management))
	}
	if len(c.networks) == 0 {
		return b.String()
	}
	b.WriteString("networks:\n")
	for _, n := range c.networks {
		fmt.Fprintf(&b, "  %s:\n    kind: switch\n    rate: %gM\n    mtu: %d\n    hosts:\n", n, linkRate/1e6, linkMTU)
		for _, h := range c.hosts {
			fmt.Fprintf(&b, "      %s: %s\n", h, address(h, n))
		}
	}
	if c.oneByOne {
		fmt.Fprintf(&b, "resources:\n  uplink: {networks: [%s]}\n", strings.Join(c.networks, ", "))
	}
	return b.String()
}

// assay returns the measured binary's command with these arguments.
func (s site) assay(words ...string) command {
	return command{
		argv:     append([]string{s.binary}, words...),
		env:      append(os.Environ(), "LC_ALL=C", "TMPDIR="+s.short),
		patience: farPatience,
	}
}

// measure runs "assay run" on the hosts of file and returns the run, with the
// wall time of the whole command in seconds.
func (s site) measure(ctx context.Context, file string, words ...string) (assay.Run, float64, error) {
	db := strings.TrimSuffix(file, ".yaml") + ".db"
	c := s.assay(append([]string{"run", "-i", file, "--db", db, "--seed", "1"}, words...)...)
	c.fine = []int{statusRejected, statusPartial}
	began := time.Now()
	if _, err := c.run(ctx); err != nil {
		return assay.Run{}, 0, err
	}
	wall := time.Since(began).Seconds()
	run, err := loadLatest(ctx, db)
	return run, wall, err
}
