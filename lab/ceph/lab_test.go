package ceph_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/lab/ceph"
	"assay/lab/ceph/cephtest"
	"assay/lab/hosts"
	"assay/lab/internal/processtest"
	"assay/lab/internal/wait"
)

func bounded(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// TestOneCeph brings up a cluster and checks what other tests rely on, and then that
// nothing is left of it.
func TestOneCeph(t *testing.T) {
	var dir string
	t.Run("while it is up", func(t *testing.T) {
		l := cephtest.Up(t, ceph.Standard)
		dir = l.Dir
		t.Run("networks", func(t *testing.T) { networks(t, l) })
		t.Run("objects", func(t *testing.T) { objects(t, l) })
		t.Run("narrow keys", func(t *testing.T) { narrow(t, l) })
		t.Run("an OSD is killed", func(t *testing.T) { killed(t, l) })
		if args := processtest.Arguments(t); !strings.Contains(args, "/srv/bench/.ceph/osd") || strings.Contains(args, "AQ") {
			t.Error("the OSDs are not seen, or an argument holds a key")
		}
	})
	if dir == "" {
		t.Skip("there was no Ceph")
	}
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is still there", dir)
	}
	left(t, dir)
}

// left checks that the kernel has no processes, mounts or loop devices of a removed
// lab.
func left(t *testing.T, dir string) {
	t.Helper()
	if strings.Contains(processtest.Arguments(t), dir) {
		t.Error("a process is left")
	}
	if text, err := os.ReadFile("/proc/mounts"); err != nil || strings.Contains(string(text), dir) {
		t.Errorf("a mount is left, or it cannot be seen: %v", err)
	}
	backings, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range backings {
		if text, _ := os.ReadFile(file); strings.Contains(string(text), dir) {
			t.Errorf("%s is left", file)
		}
	}
}

// networks checks that OSDs talk to clients on one network and to each other on
// the other.
func networks(t *testing.T, l *ceph.Lab) {
	text, err := l.Ceph(bounded(t), "osd", "dump", "--format", "json")
	if err != nil {
		t.Fatal(err)
	}
	var dump struct {
		OSDs []struct {
			OSD     int    `json:"osd"`
			Public  string `json:"public_addr"`
			Cluster string `json:"cluster_addr"`
		} `json:"osds"`
	}
	if err := json.Unmarshal([]byte(text), &dump); err != nil || len(dump.OSDs) != 3 {
		t.Fatalf("%d OSDs, %v", len(dump.OSDs), err)
	}
	for _, o := range dump.OSDs {
		host := l.Hosts.Names()[o.OSD]
		if !strings.HasPrefix(o.Public, l.Hosts.Address(host, hosts.Management)+":") || !strings.HasPrefix(o.Cluster, l.Hosts.Address(host, hosts.Storage)+":") {
			t.Errorf("osd.%d is at %s for clients and at %s for OSDs; it is on %s", o.OSD, o.Public, o.Cluster, host)
		}
	}
}

// objects writes on one host and reads on another.
func objects(t *testing.T, l *ceph.Lab) {
	ctx := bounded(t)
	if _, err := l.Hosts.Feed(ctx, "host1", "assay", "rados", "-p", ceph.Pool, "put", "greeting", "-"); err != nil {
		t.Fatal(err)
	}
	got, err := l.Hosts.Run(ctx, "host3", "rados", "-p", ceph.Pool, "get", "greeting", "-")
	if err != nil || got != "assay" {
		t.Errorf("%q, %v", got, err)
	}
	if where, err := l.Ceph(ctx, "osd", "find", "2"); err != nil || !strings.Contains(where, "host3") {
		t.Errorf("osd.2 is not on host3: %v: %s", err, where)
	}
}

// narrow checks that read-only access to the monitors creates no pool.
func narrow(t *testing.T, l *ceph.Lab) {
	ctx := bounded(t)
	if err := l.NewUser(ctx, "reader", "mon", "allow r"); err != nil {
		t.Fatal(err)
	}
	for command, works := range map[string]bool{
		"ceph --id reader osd tree": true, "ceph --id reader osd pool create mine": false,
		"ceph osd tree": false, // only root can read admin's keyring
	} {
		out, err := exec.CommandContext(ctx, "ssh", "-F", l.Hosts.Config(), "host2", command).CombinedOutput()
		if (err == nil) != works {
			t.Errorf("%s: %v: %s", command, err, out)
		}
	}
}

// killed checks that Ceph's health reports a dead OSD.
func killed(t *testing.T, l *ceph.Lab) {
	ctx := bounded(t)
	if err := l.StopOSD(ctx, "host2"); err != nil {
		t.Fatal(err)
	}
	for {
		text, err := l.Ceph(ctx, "health", "--format", "json")
		if err == nil && strings.Contains(text, "OSD_DOWN") {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("health does not say that an OSD is down: %v: %s", err, text)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// TestWhatAKilledProgramLeft checks that Down cleans up after another program that
// was killed.
func TestWhatAKilledProgramLeft(t *testing.T) {
	if dir := os.Getenv("CEPH_TEST_DIR"); dir != "" {
		_, err := ceph.Up(context.Background(), dir, ceph.Standard)
		t.Fatalf("it was not killed: %v", err)
	}
	cephtest.Take(t)
	ctx := bounded(t)
	dir := filepath.Join(t.TempDir(), "ceph")
	c := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestWhatAKilledProgramLeft$")
	c.Env = append(os.Environ(), "CEPH_TEST_DIR="+dir)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// Kill it while the first OSD is being created.
	if _, err := wait.Until(ctx, 20*time.Millisecond, func() error {
		if !strings.Contains(processtest.Arguments(t), "ceph-osd") {
			return errors.New("no OSD comes up")
		}
		return nil
	}); err != nil {
		t.Fatal("no OSD comes up")
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if err := ceph.Down(ctx, dir); err != nil {
		t.Error(err)
	}
	left(t, dir)
}

func TestOptionsThatCannotBe(t *testing.T) {
	for _, o := range []ceph.Options{{}, {Hosts: 2}, {Hosts: 7}} {
		if _, err := ceph.Up(context.Background(), filepath.Join(t.TempDir(), "c"), o); err == nil {
			t.Errorf("took %+v", o)
		}
	}
}
