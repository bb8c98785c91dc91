package drivefaults

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/lab/guest"
	"assay/lab/guest/guesttest"
	"assay/lab/internal/laptop"
)

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "drivefaults", 1, "CGO_ENABLED=0")) }

// slow bounds the time until an emulated machine has inspected and filled a disk.
const slow = 15 * time.Minute

var (
	scsi = guest.Disk{Bus: guest.SCSI, Serial: "FAULTS1", Bytes: 128 << 20}
	nvme = guest.Disk{Bus: guest.NVMe, Serial: "FAULTS2", Bytes: 128 << 20}
)

// words are the query for a drive's write cache, and its answers.
var words = map[guest.Bus]struct{ ask, on, off string }{
	guest.SCSI: {`d=/sys/block/$(basename "$(readlink -f "$1")")/device; echo 1 >$d/rescan; cat $d/scsi_disk/*/cache_type`, "write back", "write through"},
	guest.NVMe: {`nvme get-feature /dev/nvme0 --feature-id=6 | sed 's/.*value:\(0x\)*0*\([01]\)$/\2/'`, "1", "0"},
}

const suite = `name: caches
title: write caches
budget: 1h
repeats: 1
cases:
  - {probe: fio, name: syncwrite, title: synchronous write, on: block, seconds: 300, once: true, lend: {write_cache: "off"},
     set: {rw: write, bs: 4k, engine: psync, iodepth: "1", numjobs: "1", direct: "1", sync: "1", size: 64m}}
`

// TestWriteCachesOfEndedRuns checks that an interrupted run restores the cache setting
// itself, and that a clean-up does after a killed one.
func TestWriteCachesOfEndedRuns(t *testing.T) {
	g := guesttest.Up(t, scsi, nvme)
	for _, c := range []struct {
		disk   guest.Disk
		signal syscall.Signal
		left   int // journal entries: the drive and its setting
	}{{scsi, syscall.SIGKILL, 2}, {nvme, syscall.SIGKILL, 2}, {nvme, syscall.SIGINT, 0}} {
		t.Run(fmt.Sprint(c.disk.Bus, " ", c.signal), func(t *testing.T) {
			says := func() string {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				out, err := g.Run(ctx, "sh", "-c", words[c.disk.Bus].ask, "sh", c.disk.Link())
				if err != nil {
					t.Error(err)
				}
				return strings.TrimSpace(out)
			}
			on, off := words[c.disk.Bus].on, words[c.disk.Bus].off
			if is := says(); is != on {
				t.Fatalf("at first the drive says %q", is)
			}
			dir := t.TempDir()
			file, cases := filepath.Join(dir, "cluster.yaml"), filepath.Join(dir, "caches.yaml")
			text := fmt.Sprintf("hosts:\n  box:\n    address: %s\n    ssh: {config: %s}\n    measure: {overwrite: [{path: %s, serial: %s, confirm: %[4]s, lose-data: %[4]s}]}\n",
				guest.Name, strconv.Quote(g.Config()), c.disk.Link(), c.disk.Serial)
			for name, text := range map[string]string{file: text, cases: suite} {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			l := laptop.New(t, file)
			run := l.Begin("run", "-i", file, "--suite", cases)
			run.AwaitWithin(slow, "the write cache is off", func() bool { return says() == off })
			run.Signal(c.signal)
			run.Wait(2 * slow)
			if c.left > 0 && says() != off {
				t.Errorf("killed, it left the cache %q: nothing is tested", says())
			}
			cleaned, restored := l.CleanUp(), 0
			for _, r := range cleaned.Released {
				if r.Error != "" {
					t.Errorf("%v: %s", r.Names, r.Error)
				}
				if r.Names["setting"] == "write_cache" {
					restored++
				}
			}
			if len(cleaned.Released) != c.left || restored != c.left/2 {
				t.Errorf("cleanup released %+v", cleaned.Released)
			}
			if is := says(); is != on {
				t.Errorf("at last the drive says %q", is)
			}
			l.ExpectEmpty()
		})
	}
}
