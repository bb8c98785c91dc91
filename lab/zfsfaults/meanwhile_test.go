package zfsfaults

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/lab/internal/laptop"
)

// measuring starts assay on one tier, as users do, and returns once fio runs in it.
func (b *bed) measuring(t *testing.T, tier string) (*laptop.Laptop, *laptop.Command) {
	t.Helper()
	file := b.cluster(t, "  vms: {host: pve1, zfs: "+tier+"}\n")
	l := laptop.New(t, file)
	c := l.Begin("run", "-i", file, "--suite", "tiers", "--only", "syncwrite-4k", "--size", "64M", "--length", "20s", "--repeats", "2", "--time-budget", "15m", "--format", "json")
	c.AwaitWithin(5*time.Minute, "fio measures", func() bool {
		out, err := b.Run(b.ctx, "sh", "-c", "zfs get -H -o value sync -r tank | grep -c always; grep -ls 'time_base[d]' /proc/[0-9]*/cmdline | wc -l")
		words := strings.Fields(out)
		return err == nil && len(words) == 2 && words[0] != "0" && words[1] != "0"
	})
	return l, c
}

// tiersOf has the three ways to lend, each with a setting.
var tiersOf = map[string]string{
	"file system": "{dataset: tank/vms, sync: always}", "zvol": "{dataset: tank/vms, zvol: true, sync: always}", "existing": "{dataset: tank/vms, existing: true, sync: always}",
}

// killed checks that after kill -9 of assay while fio writes, cleanup removes the
// dataset and restores the settings of the existing one, even if the pool went away and
// came back meanwhile.
func killed(t *testing.T, b *bed) {
	for name, tier := range tiersOf {
		t.Run(name, func(t *testing.T) {
			l, c := b.measuring(t, tier)
			c.Signal(syscall.SIGKILL)
			if r := c.Wait(10 * time.Minute); r.Exit != 128+int(syscall.SIGKILL) {
				t.Fatalf("ended with %d: %s", r.Exit, r.Said)
			}
			if b.things(t) == b.was {
				t.Error("nothing was left: it was killed too early or too late")
			}
			b.reimport(t)
			if released := l.CleanUp(); len(released.Released) == 0 {
				t.Error("nothing was left in the journal")
			}
			l.ExpectEmpty()
			if is := b.things(t); is != b.was {
				t.Errorf("there was\n%s\nand there is\n%s", b.was, is)
			}
		})
	}
}

// reimport exports the pool, once its users have ended with their connection, and imports
// it again.
func (b *bed) reimport(t *testing.T) {
	t.Helper()
	var err error
	if !laptop.Eventually(2*time.Minute, func() bool {
		_, err = b.Run(b.ctx, "zpool", "export", "tank")
		return err == nil
	}) {
		t.Fatal(err)
	}
	b.run(t, "zpool", "import", "-d", "/dev/disk/by-id", "tank")
}

// changed checks that a setting changed by somebody else during the run stays, and that
// the report says so, as it does of a scrub that began.
func changed(t *testing.T, b *bed) {
	_, c := b.measuring(t, tiersOf["existing"])
	b.run(t, "sh", "-c", "zfs set sync=disabled primarycache=all tank/vms; echo 1 >/sys/module/zfs/parameters/zfs_scan_suspend_progress; zpool scrub tank")
	defer b.run(t, "sh", "-c", "zfs inherit sync tank/vms; zfs set primarycache=metadata tank/vms; echo 0 >/sys/module/zfs/parameters/zfs_scan_suspend_progress; zpool wait -t scrub tank")
	r := c.Wait(10 * time.Minute)
	for _, want := range []string{
		"sync of tank/vms on pve1 was changed during the run, from always to disabled", "primarycache of tank/vms on pve1 was changed during the run, from metadata to all",
		"pool tank on pve1 did not stay idle during the run: a scrub is running",
	} {
		if !strings.Contains(r.Stdout, want) {
			t.Errorf("status %d; the report does not say %q: %s\n%s", r.Exit, want, laptop.Brief(r.Said), r.Stdout)
		}
	}
	if sync := b.run(t, "zfs", "get", "-H", "-o", "value,source", "sync", dataset); sync != "disabled\tlocal\n" {
		t.Errorf("sync is %q, and somebody else set it to disabled", sync)
	}
	if left := b.run(t, "sh", "-c", "ls -A /tank/vms; zfs get -H -o value -s local assay:lent tank/vms"); left != "file\n" {
		t.Errorf("left: %s", left)
	}
}

// filled has somebody else reserve nine tenths of the pool's space while fio writes: an
// emulated CPU that really fills the pool answers nobody. ZFS keeps overwriting for a while;
// the run notes what happened, and what it created is gone.
func filled(t *testing.T, b *bed) {
	_, c := b.measuring(t, tiersOf["file system"])
	b.run(t, "sh", "-c", "zfs create -o reservation=$(($(zfs get -H -p -o value available tank) / 10 * 9)) tank/hog")
	defer b.run(t, "zfs", "destroy", "-r", "tank/hog")
	r := c.Wait(10 * time.Minute)
	if said := strings.ToLower(r.Stdout + r.Said); !strings.Contains(said, "filled up during the run") && !strings.Contains(said, "no space left") {
		t.Errorf("status %d, and no word of it: %s\n%s", r.Exit, laptop.Brief(r.Said), r.Stdout)
	}
	if left := b.run(t, "zfs", "list", "-H", "-o", "name", "-r", dataset); left != dataset+"\n" {
		t.Errorf("left: %s", left)
	}
}
