package delays

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/analysis"
	"assay/lab/guest"
	"assay/lab/guest/guesttest"
	"assay/lab/internal/laptop"
)

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "delays", 1, "CGO_ENABLED=0")) }

var (
	only    = flag.Int("only", 0, "the one delay to put in, in ms; 0: 1, 5 and 20")
	rounds  = flag.Int("rounds", 1, "how often each delay is put in")
	repeats = flag.Int("repeats", 6, "of each case in a run")
	keep    = flag.String("keep", "", "a directory to write the reports to, as text and HTML")
)

var (
	data  = guest.Disk{Bus: guest.NVMe, Serial: "DATA", Bytes: 1280 << 20}
	ruler = guest.Disk{Bus: guest.NVMe, Serial: "RULER", Bytes: 128 << 20}
)

// delay is the delay that dm-delay adds to each operation, in ms.
type delay struct{ read, write, flush int }

// bed is a guest with this stack: drive, dm-delay "lower", pool, file system /tank/vms,
// file, loop device, dm-delay "upper", ext4 /guest. A third dm-delay, "ruler", has nothing
// on it.
type bed struct {
	*guest.Guest
	ctx context.Context
}

const build = `set -e
modprobe loop
zpool create -f tank /dev/mapper/lower
zfs create -o primarycache=metadata -o recordsize=4K -o compression=off tank/vms
truncate -s 512M /tank/vms/disk
losetup /dev/loop0 /tank/vms/disk`

const mountUpper = `set -e
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 /dev/mapper/upper
mkdir -p /guest
mount /dev/mapper/upper /guest`

func (b *bed) run(t *testing.T, argv ...string) string {
	t.Helper()
	out, err := b.Run(b.ctx, argv...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// set sets the delay of a dm-delay, creating it if necessary.
func (b *bed) set(t *testing.T, name, device string, d delay) {
	t.Helper()
	const script = `set -e
table="0 $(blockdev --getsz "$2") delay $2 0 $3 $2 0 $4 $2 0 $5"
if [ ! -e "/dev/mapper/$1" ]; then
	dmsetup create "$1" --table "$table"
	udevadm settle
else
	dmsetup reload "$1" --table "$table"
	dmsetup resume "$1"
fi`
	device = strings.TrimSpace(b.run(t, "readlink", "-f", device))
	b.run(t, "sh", "-c", script, "sh", name, device, strconv.Itoa(d.read), strconv.Itoa(d.write), strconv.Itoa(d.flush))
}

// took holds medians that fio measured at depth 1, in s.
type took struct{ read, write, flush float64 }

// measured returns how long each operation takes on a bare dm-delay.
func (b *bed) measured(t *testing.T) (all took) {
	t.Helper()
	type latency struct {
		Percentile map[string]float64 `json:"percentile"`
	}
	var told struct {
		Jobs []struct {
			Read, Write struct {
				Completion latency `json:"clat_ns"`
			}
			Sync struct {
				Latency latency `json:"lat_ns"`
			}
		}
	}
	job := func(words ...string) {
		told.Jobs = nil
		argv := append([]string{"fio", "--name=ruler", "--filename=/dev/mapper/ruler", "--bs=4k", "--direct=1", "--ioengine=psync", "--runtime=3", "--time_based", "--output-format=json"}, words...)
		if err := json.Unmarshal([]byte(b.run(t, argv...)), &told); err != nil || len(told.Jobs) != 1 {
			t.Fatal(err, told)
		}
	}
	median := func(l latency) float64 { return l.Percentile["50.000000"] / 1e9 }
	job("--rw=randread")
	all.read = median(told.Jobs[0].Read.Completion)
	job("--rw=randwrite", "--fsync=1")
	all.write, all.flush = median(told.Jobs[0].Write.Completion), median(told.Jobs[0].Sync.Latency)
	if all.read <= 0 || all.write <= 0 || all.flush <= 0 {
		t.Fatalf("fio on a bare dm-delay: %+v", told.Jobs)
	}
	return all
}

// told holds the parts of a report that the test reads.
type told struct {
	Document struct {
		Blocks []struct {
			Block string
			Text  string
			Bars  []struct {
				Title string
				Cell  struct{ Figure struct{ Value float64 } }
			}
		}
	}
}

// steps runs suite layers as a user does, and returns the waterfalls' steps, in s, by
// heading and title.
func (b *bed) steps(t *testing.T, name string) map[string]float64 {
	t.Helper()
	file := filepath.Join(t.TempDir(), "layers.yaml")
	text := fmt.Sprintf("defaults:\n  ssh: {config: %s}\nhosts:\n  pve1: {address: %s, measure: {directories: [/tank/vms, /guest]}}\n", strconv.Quote(b.Config()), guest.Name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l := laptop.New(t, file)
	r := l.Begin("run", "-i", file, "--suite", "layers", "--only", "drive-randread-4k,randread-4k,write-4k,syncwrite-4k", "--size", "64M", "--length", "1s", "--repeats", strconv.Itoa(*repeats), "--time-budget", "15m").Wait(20 * time.Minute)
	if r.Exit != 0 && r.Exit != 3 {
		t.Fatalf("status %d: %s\n%s", r.Exit, laptop.Brief(r.Said), r.Stdout)
	}
	if *keep != "" {
		if err := os.WriteFile(filepath.Join(*keep, name+".txt"), []byte(r.Stdout), 0o600); err != nil {
			t.Fatal(err)
		}
		l.Do("report", "-o", filepath.Join(*keep, name+".html"))
		l.Do("report", "-o", filepath.Join(*keep, name+".json"))
	}
	if r = l.Do("report", "--format", "json"); r.Exit != 0 {
		t.Fatal(r.Said)
	}
	all, heading := map[string]float64{}, ""
	for _, x := range laptop.Read[told](t, r).Document.Blocks {
		if x.Block == "heading" {
			heading = x.Text
		}
		for _, bar := range x.Bars {
			all[heading+": "+bar.Title] = bar.Cell.Figure.Value
		}
	}
	return all
}

// place is a spot for a delay, with the step that must show it.
type place struct {
	name  string
	step  string
	added func(now, before took) float64 // what dm-delay alone adds there
}

// places are distinguishable in one run: each adds to a different step.
var places = []place{
	{"reads of the drive", "ext4 at /guest, 4 KiB read: zfs at /tank/vms", func(now, before took) float64 { return now.read - before.read }},
	{"flushes of the drive", "ext4 at /guest, 4 KiB synchronous write: zfs at /tank/vms, flush", func(now, before took) float64 { return now.flush - before.flush }},
	{"writes to the file on ZFS", "ext4 at /guest, 4 KiB synchronous write: ext4 at /guest, write", func(now, before took) float64 { return now.write - before.write }},
}

// The table counts delays found within share of what was injected. The test fails only if
// what is found is not that delay at all: on a busy machine everything takes an emulated
// CPU some milliseconds more, and layers above a delay wait longer for it.
const (
	share  = .15
	beyond = .5
	slack  = 5e-3 // s
)

// TestKnownDelaysInAGuest injects delays of 1, 5 and 20 ms below ZFS and between ZFS and
// the file system on it, and finds each in its step. fio measures the actual delays on a
// bare dm-delay: the kernel counts them in ticks of 4 ms.
func TestKnownDelaysInAGuest(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Minute)
	defer cancel()
	b := &bed{Guest: guesttest.UpZFS(t, data, ruler), ctx: ctx}
	put := func(ms int) took {
		b.set(t, "lower", data.Link(), delay{read: ms, flush: ms})
		b.set(t, "upper", "/dev/loop0", delay{write: ms})
		b.set(t, "ruler", ruler.Link(), delay{ms, ms, ms})
		return b.measured(t)
	}
	b.run(t, "modprobe", "dm-delay")
	b.set(t, "lower", data.Link(), delay{})
	b.run(t, "sh", "-c", build)
	b.set(t, "upper", "/dev/loop0", delay{})
	b.run(t, "sh", "-c", mountUpper)
	var table strings.Builder
	right, all := 0, 0
	defer func() {
		t.Logf("%d of %d within %.0f %%\n| delayed | dm-delay | adds | step | without → with | found | error |\n| --- | --- | --- | --- | --- | --- | --- |\n%s", right, all, 100*share, table.String())
	}()
	for round := range *rounds {
		none := put(0)
		before := b.steps(t, fmt.Sprintf("none-%d", round))
		for _, ms := range []int{1, 5, 20} {
			if *only != 0 && ms != *only {
				continue
			}
			now := put(ms)
			after := b.steps(t, fmt.Sprintf("%dms-%d", ms, round))
			for _, p := range places {
				was, known := before[p.step]
				is, still := after[p.step]
				if !known || !still {
					t.Fatalf("no step %q among %v, %v", p.step, before, after)
				}
				added, found := p.added(now, none), is-was
				wrong := math.Abs(found - added)
				if wrong > beyond*added+slack {
					t.Errorf("%s delayed by %d ms, which adds %.2f ms: found %.2f ms", p.name, ms, 1e3*added, 1e3*found)
				}
				all++
				if wrong <= share*added {
					right++
				}
				_, step, _ := strings.Cut(p.step, ": ")
				fmt.Fprintf(&table, "| %s | %d ms | %.2f ms | %s | %.2f → %.2f ms | %.2f ms | %+.0f %% |\n", p.name, ms, 1e3*added, step, 1e3*was, 1e3*is, 1e3*found, 100*(found/added-1))
			}
		}
	}
}

// TestASlowLinkIsFoundUnderDRBD adds 20 ms to the cable between two replicas: replication
// takes that much longer, and the report blames the link.
func TestASlowLinkIsFoundUnderDRBD(t *testing.T) {
	guesttest.Take(t)
	if err := Emulated.Missing(); err != nil {
		t.Skipf("%v: %s", err, assay.Hint(err))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Minute)
	defer cancel()
	dir, err := os.MkdirTemp("", "delays")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	bed, err := Up(ctx, filepath.Join(dir, "bed"), Emulated)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := bed.Down(); err != nil {
			t.Error(err)
		}
	})
	binary, err := laptop.Binary()
	if err != nil {
		t.Fatal(err)
	}
	const late = 20 * time.Millisecond
	if err := bed.Link(ctx, late); err != nil {
		t.Fatal(err)
	}
	run, printed, err := bed.Measure(ctx, Wanted{Assay: binary, Cases: "rtt,write-4k,syncwrite-4k", Repeats: 3})
	if err != nil {
		t.Fatal(err)
	}
	w := waterfall(analysis.Of(run), analysis.LayerDurable)
	if w == nil || len(w.Layers) != 3 || w.Trip == nil {
		t.Fatalf("no waterfall of three layers with a round trip: %+v\n%s", w, printed)
	}
	if w.Trip.RTT < late.Seconds() || w.Trip.Over != "eth1" || math.Abs(w.Trip.Replica.Center-late.Seconds()) > beyond*late.Seconds()+slack {
		t.Errorf("the link takes %v longer: %+v\n%s", late, *w.Trip, printed)
	}
}
