package migration

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/lab/internal/laptop"
	"assay/report"
)

// diskInFile is a disk that is a separate file on each host.
const diskInFile = `<disk type='file' device='disk'>
      <driver name='qemu' type='qcow2' cache='none'/>
      <source file='/var/lib/lab/disks/files.qcow2'/>
      <target dev='vda' bus='virtio'/>
    </disk>`

// makeDisk creates it, with the file system that the guest expects and 20 MiB of
// incompressible data.
const makeDisk = `set -e
	PATH=$PATH:/usr/sbin:/sbin
	mkdir -p /var/lib/lab/disks
	cd /var/lib/lab/disks
	truncate -s 48M raw
	mkfs.ext4 -q -F raw
	dd if=/dev/urandom of=raw bs=1M count=20 seek=24 conv=notrunc 2>/dev/null
	qemu-img convert -f raw -O qcow2 raw files.qcow2
	rm raw`

// Disks that are local files move with their guest and back; the run removes what is left of
// them on the other host, even if it was killed while the guest was away.
func (b *bed) disksAreCopied(t *testing.T) {
	b.feed(home, "", makeDisk)
	b.feed(away, "", "mkdir -p /var/lib/lab/disks")
	b = b.with("files", "disks: copy", diskInFile)
	left := func() string {
		return strings.TrimSpace(b.feed(away, "", "ls -A /var/lib/lab/disks"))
	}
	expectClean := func(t *testing.T) {
		t.Helper()
		b.expectAtHome()
		b.laptop.ExpectEmpty()
		if names := left(); names != "" {
			t.Errorf("on the other host is left: %q", names)
		}
		if names := strings.TrimSpace(b.feed(home, "", "ls -A /var/lib/lab/disks")); names != "files.qcow2" {
			t.Errorf("at home there is %q", names)
		}
	}
	t.Run("there and back", func(t *testing.T) {
		r := b.run("--repeats", "1", "--time-budget", "10m").Wait(15 * time.Minute)
		if r.Exit != 0 {
			d, _ := b.laptop.Stored()
			t.Fatalf("status %d: %s\n%s", r.Exit, laptop.Brief(r.Said), laptop.InShort(d, ""))
		}
		d := laptop.Read[report.Document](t, r)
		for _, way := range []string{"migrate-there", "migrate-back"} {
			sent, memory := figure(t, d, way, "migration.disk.transferred").Value, figure(t, d, way, "migration.transferred").Value
			t.Logf("%s: %.1f s, %.0f MiB of disks, %.0f MiB of memory, downtime %.0f ms", way, figure(t, d, way, "migration.duration").Value,
				sent/(1<<20), memory/(1<<20), 1000*figure(t, d, way, "migration.downtime").Value)
			if sent < 20<<20 || sent > 100<<20 {
				t.Errorf("%s: %.0f bytes were sent of a disk of 48 MiB", way, sent)
			}
		}
		expectClean(t)
	})
	t.Run("killed while it is away", func(t *testing.T) {
		c := b.run("--repeats", "1", "--time-budget", "10m", "--only", "migrate-there")
		c.AwaitWithin(patience, "the guest is away", func() bool { return b.state(away) == "running" && b.state(home) == "" })
		c.Signal(syscall.SIGKILL)
		_ = c.Wait(time.Minute)
		if names := left(); !strings.Contains(names, "files.qcow2") {
			t.Errorf("the guest runs on the other host, where there is %q", names)
		}
		if got := b.laptop.CleanUp(); len(got.Released) != 1 || got.Released[0].Error != "" {
			t.Errorf("cleanup: %+v, want the guest", got)
		}
		expectClean(t)
	})
	// A user's file there is neither overwritten nor removed.
	t.Run("the other host has such a file", func(t *testing.T) {
		b.feed(away, "", "echo mine >/var/lib/lab/disks/files.qcow2")
		r := b.run("--repeats", "1", "--time-budget", "5m").Wait(10 * time.Minute)
		if said := r.Stdout + r.Said; r.Exit == 0 || !strings.Contains(said, "has a file /var/lib/lab/disks/files.qcow2 already") {
			t.Errorf("status %d: %s", r.Exit, laptop.Brief(r.Said))
		}
		if text := b.feed(away, "", "cd /var/lib/lab/disks && cat files.qcow2 && ls -A"); text != "mine\nfiles.qcow2\n" {
			t.Errorf("it is %q now", text)
		}
		b.feed(away, "", "rm /var/lib/lab/disks/files.qcow2")
		expectClean(t)
	})
}
