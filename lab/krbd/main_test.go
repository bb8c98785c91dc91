package krbd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/lab/ceph"
	"assay/lab/ceph/cephtest"
	"assay/lab/guest"
	"assay/lab/guest/guesttest"
	"assay/lab/internal/laptop"
	"assay/report"
)

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "krbd", 1, "CGO_ENABLED=0")) }

const (
	client = "vmhost"      // the guest's name
	nic    = "eth1"        // its NIC in Ceph's public network
	number = "230/24"      // its address there
	images = "images.yaml" // the test's own suite
)

// suite measures the same writes through the kernel client and through librbd.
const suite = `name: images
title: an image by both clients
tiers: true
budget: 10m
cases:
  - {probe: fio, name: kernel, title: "16 KiB random writes", on: image, seconds: 3, lend: {driver: krbd}, set: {rw: randwrite, bs: 16k, size: 64m}}
  - {probe: fio, name: library, title: "16 KiB random writes", on: image, seconds: 3, lend: {driver: librbd, cache: none}, set: {rw: randwrite, bs: 16k, size: 64m}}
`

// bed is a Ceph cluster and a guest that is its client.
type bed struct {
	*ceph.Lab
	guest *guest.Guest
	ctx   context.Context
	was   string
}

func up(t *testing.T) *bed {
	t.Helper()
	guesttest.Take(t)
	tools, err := guest.Ceph()
	if err != nil {
		t.Skipf("%v: %s", err, assay.Hint(err))
	}
	b := &bed{Lab: cephtest.Up(t, ceph.Standard)}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	t.Cleanup(cancel)
	b.ctx = ctx
	services, err := b.Services(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b.guest, err = guest.Boot(ctx, filepath.Join(t.TempDir(), client), guest.Machine{Name: client, Disks: []guest.Disk{tools}, Reach: services})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.guest.Down(); err != nil {
			t.Error(err)
		}
	})
	if err := b.guest.InstallCeph(ctx); err != nil {
		t.Fatal(err)
	}
	network := services[0][:strings.LastIndexByte(services[0], '.')+1]
	b.run(t, "busybox", "ip", "link", "set", nic, "up")
	b.run(t, "busybox", "ip", "addr", "add", network+number, "dev", nic)
	key, err := b.Ceph(ctx, "auth", "get", "client."+ceph.ImageUser)
	if err != nil {
		t.Fatal(err)
	}
	b.run(t, "mkdir", "-p", "/etc/ceph")
	b.write(t, "/etc/ceph/ceph.conf", b.Config())
	b.write(t, ceph.KeyringOf(ceph.ImageUser), key)
	b.was = b.things(t)
	return b
}

// run runs a command in the guest and returns its output.
func (b *bed) run(t *testing.T, argv ...string) string {
	t.Helper()
	out, err := b.guest.Run(b.ctx, argv...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (b *bed) write(t *testing.T, path, text string) {
	t.Helper()
	out, err := b.guest.Place().Run(b.ctx, assay.Cmd{Argv: []string{"sh", "-c", `cat >"$1"`, "sh", path}, Stdin: []byte(text)})
	if err != nil || out.Exit != 0 {
		t.Fatalf("%s: %v, %s", path, err, out.Stderr)
	}
}

// things lists what a run could leave: images, and devices that the guest's kernel
// has mapped.
func (b *bed) things(t *testing.T) string {
	t.Helper()
	all, err := b.Hosts.Run(b.ctx, "host1", "rbd", "ls", ceph.Pool)
	if err != nil {
		t.Fatal(err)
	}
	return "images: " + all + "mapped: " + b.run(t, "sh", "-c", "ls /sys/bus/rbd/devices 2>/dev/null; true")
}

// cluster writes the suite, and a cluster.yaml with the guest and images in the pool.
func (b *bed) cluster(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "cluster.yaml")
	text := fmt.Sprintf("defaults:\n  ssh: {config: %s}\nhosts: {%s: }\ntiers:\n  images:\n    hosts: [%[2]s]\n    rbd: {pool: %s, user: %s}\n",
		strconv.Quote(b.guest.Config()), client, ceph.Pool, ceph.ImageUser)
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), os.WriteFile(filepath.Join(dir, images), []byte(suite), 0o600)); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestMappedByAKernel uses one guest and one Ceph for all tests.
func TestMappedByAKernel(t *testing.T) {
	b := up(t)
	file := b.cluster(t)
	arguments := []string{"run", "-i", file, "--suite", filepath.Join(filepath.Dir(file), images), "--length", "3s", "--repeats", "1", "--time-budget", "10m", "--format", "json"}
	for _, c := range []struct {
		name string
		test func(*testing.T, *laptop.Laptop, []string)
	}{
		{"beside librbd", b.measured},
		{"killed", b.killed},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.test(t, laptop.New(t, file), arguments)
			if is := b.things(t); is != b.was {
				t.Errorf("there was\n%s\nand there is\n%s", b.was, is)
			}
		})
	}
}

// measured checks that both clients have a figure, the kernel's from a device of its
// own.
func (b *bed) measured(t *testing.T, l *laptop.Laptop, arguments []string) {
	r := l.Begin(arguments...).Wait(15 * time.Minute)
	if r.Exit != 0 && r.Exit != 3 {
		t.Fatalf("ended with %d: %s", r.Exit, r.Said)
	}
	l.ExpectEmpty()
	measured := map[string]bool{}
	for _, s := range laptop.Read[report.Document](t, r).Sections {
		for _, row := range s.Rows {
			for _, name := range []string{"kernel", "library"} {
				if strings.HasPrefix(row.Trial, "fio/"+name+"+") && laptop.Measured(row) {
					measured[name] = true
				}
			}
		}
	}
	if len(measured) != 2 {
		t.Errorf("measured are %v: %s\n%s", measured, laptop.Brief(r.Said), laptop.Brief(r.Stdout))
	}
	if !bytes.Contains([]byte(b.run(t, "dmesg")), []byte("rbd: rbd0: capacity ")) {
		t.Error("the kernel mapped nothing")
	}
}

// killed checks that after kill -9 while fio writes, cleanup unmaps the image and removes
// it.
func (b *bed) killed(t *testing.T, l *laptop.Laptop, arguments []string) {
	c := l.Begin(append(arguments, "--only", "kernel")...)
	c.AwaitWithin(10*time.Minute, "fio writes to it", func() bool {
		return strings.Contains(b.run(t, "sh", "-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '; true"), "filename=/dev/rbd")
	})
	c.Signal(syscall.SIGKILL)
	if r := c.Wait(time.Minute); r.Exit != 128+int(syscall.SIGKILL) {
		t.Fatalf("ended with %d", r.Exit)
	}
	if released := l.CleanUp(); len(released.Released) == 0 {
		t.Error("nothing was left in the journal")
	}
	l.ExpectEmpty()
}
