package zfsfaults

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/yamldoc"
	"assay/lab/guest"
	"assay/lab/guest/guesttest"
	"assay/lab/internal/laptop"
	"assay/volume/volumetest"
	"assay/volume/zfs"
)

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "zfsfaults", 1, "CGO_ENABLED=0")) }

const (
	dataset = "tank/vms"
	id      = "0123456789abcdef"
)

// The drives report 4 KiB sectors, which QEMU's NVMe drives do not pass on to Linux, and
// the pool is made for 512 B.
var (
	first  = guest.Disk{Bus: guest.SCSI, Serial: "DATA1", Bytes: 768 << 20, Sector: 4096}
	second = guest.Disk{Bus: guest.SCSI, Serial: "DATA2", Bytes: 768 << 20, Sector: 4096}
	log    = guest.Disk{Bus: guest.NVMe, Serial: "SLOG", Bytes: 256 << 20}
)

// bed is a guest with a pool, and its state before assay ran.
type bed struct {
	*guest.Guest
	ctx context.Context
	was string
}

// TestZFSInAGuest runs all tests in one guest.
func TestZFSInAGuest(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Minute)
	defer cancel()
	b := &bed{Guest: guesttest.UpZFS(t, first, second, log), ctx: ctx}
	b.run(t, "zpool", "create", "-f", "-o", "ashift=9", "tank", "mirror", first.Link(), second.Link(), "log", log.Link())
	b.run(t, "zfs", "create", "-o", "recordsize=16K", "-o", "primarycache=metadata", dataset)
	b.run(t, "sh", "-c", "echo kept >/tank/vms/file")
	for name, command := range map[string]string{
		"status-2.1.11.txt": "zpool status -P -L tank", "zdb-2.1.11.txt": "zdb -C tank", "arcstats-2.1.11.txt": "cat /proc/spl/kstat/zfs/arcstats",
		"list-2.1.11.txt": "zpool list -H -p -o name,guid,size,allocated,free,fragmentation,capacity,health", "get-2.1.11.txt": "zfs get -H -p -o name,property,value,source all tank/vms",
		"version-2.1.11.txt": "zfs version", "lsblk-2.38.txt": "lsblk --pairs --nodeps --output PATH,KNAME,PKNAME,PHY-SEC $(zpool status -P -L tank | grep -o '/dev/[a-z0-9]*')",
	} {
		b.capture(t, name, command)
	}
	b.was = b.things(t)
	for _, c := range []struct {
		name string
		test func(*testing.T, *bed)
	}{
		{"conformance", conformance}, {"settings decide", settingsDecide}, {"facts", facts}, {"exported and renamed", exported},
		{"scrub", scrub}, {"full", full}, {"killed", killed}, {"changed", changed}, {"filled", filled}, {"cached", cached}, {"readme", readme}, {"suspended", suspended},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.test(t, b)
			if c.name == "suspended" {
				return // nothing answers any more
			}
			if is := b.things(t); is != b.was {
				t.Errorf("there was\n%s\nand there is\n%s", b.was, is)
			}
		})
	}
}

func (b *bed) run(t *testing.T, argv ...string) string {
	t.Helper()
	out, err := b.Run(b.ctx, argv...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// things lists what a run could leave behind or change.
func (b *bed) things(t *testing.T) string {
	t.Helper()
	return b.run(t, "sh", "-c", "zfs list -H -o name -t all -r tank; zfs get -H -o name,property,value,source -s local,received all tank tank/vms; ls -A /tank/vms; ls -d /run/assay-* 2>/dev/null; true")
}

// capture saves a tool's output as test data for its parser, in the directory that
// ASSAY_CAPTURE names.
func (b *bed) capture(t *testing.T, name, command string) {
	t.Helper()
	dir := os.Getenv("ASSAY_CAPTURE")
	if dir == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(b.run(t, "sh", "-c", command)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func subject(params map[string]string) assay.Subject {
	all := map[string]string{"dataset": dataset}
	for key, value := range params {
		all[key] = value
	}
	s := assay.Subject{ID: "guest/directory/vms", Kind: assay.KindDirectory, Host: guest.Name, Name: dataset, Tier: "vms", Volume: zfs.Kind, Params: all}
	if params["zvol"] != "" {
		s.Kind = assay.KindBlock
	}
	return s
}

// conformance runs the suite for all volumes.
func conformance(t *testing.T, b *bed) {
	for name, c := range map[string]struct {
		params map[string]string
		ways   []assay.Way
	}{
		"file system": {nil, []assay.Way{{"sync": "always", "recordsize": "4k", "compression": "zstd-3", "logbias": "throughput", "primarycache": "none"}}},
		"zvol":        {map[string]string{"zvol": "true"}, []assay.Way{{"volblocksize": "16k", "sync": "disabled"}}},
		"existing":    {map[string]string{"existing": "true"}, []assay.Way{{"sync": "disabled", "recordsize": "1M", "compression": "zstd-3"}}},
	} {
		t.Run(name, func(t *testing.T) {
			volumetest.Test(t, func(*testing.T) volumetest.Fixture {
				return volumetest.Fixture{Volume: zfs.New(), Place: b.Place(), Subject: subject(c.params), Ways: c.ways,
					Present: func(t *testing.T, r assay.Receipt) bool {
						return strings.TrimSpace(b.run(t, "sh", "-c", `zfs list -H -o name "$1" 2>/dev/null; ls -d "$2" 2>/dev/null; true`, "sh", dataset+"/assay-"+r.ID, "/tank/vms/.assay-"+r.ID)) != ""
					},
					Property: func(t *testing.T, p assay.Property) string {
						words := strings.Split(strings.TrimSuffix(b.run(t, "zfs", "get", "-H", "-p", "-o", "value,source", p.Name, p.Of), "\n"), "\t")
						if words[1] != "local" {
							return ""
						}
						return words[0]
					}}
			})
		})
	}
}

func (b *bed) lend(t *testing.T, params map[string]string, way assay.Way) (assay.Receipt, assay.Scratch) {
	t.Helper()
	r, err := zfs.New().Reserve(b.ctx, b.Place(), subject(params), assay.Request{ID: id, Bytes: 64 << 20, Way: way})
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	s, err := zfs.New().Lend(b.ctx, b.Place(), r)
	if err != nil {
		b.release(t, r)
		t.Fatal(err, assay.Hint(err))
	}
	return r, s
}

func (b *bed) release(t *testing.T, r assay.Receipt) {
	t.Helper()
	if err := zfs.New().Release(b.ctx, b.Place(), r); err != nil {
		t.Error(err, assay.Hint(err))
	}
}

// settingsDecide checks that lent storage has its settings: with sync=always each of
// fio's writes waits for the log device, with sync=disabled none does.
func settingsDecide(t *testing.T, b *bed) {
	const writes = 100
	for _, params := range []map[string]string{nil, {"zvol": "true"}, {"existing": "true"}} {
		logged := map[string]int{}
		for _, sync := range []string{"always", "disabled"} {
			r, s := b.lend(t, params, assay.Way{"sync": sync})
			before := b.writesOfLog(t)
			began := time.Now()
			b.run(t, "fio", "--name=w", "--filename="+s.File, "--rw=write", "--bs=4k", "--ioengine=psync", "--fsync=1", "--size="+strconv.Itoa(writes*4096), "--minimal")
			took := time.Since(began)
			logged[sync] = b.writesOfLog(t) - before
			t.Logf("%v sync=%s: %d writes with a flush each: %d of the log device, %v with fio's start", params, sync, writes, logged[sync], took.Round(time.Millisecond))
			b.release(t, r)
		}
		if logged["always"] < writes || logged["disabled"] > writes/10 {
			t.Errorf("%v: %d writes with a flush each made the log device write %v times", params, writes, logged)
		}
	}
}

// writesOfLog returns the number of writes to the log device.
func (b *bed) writesOfLog(t *testing.T) int {
	t.Helper()
	out := b.run(t, "sh", "-c", `d=$(readlink -f "$1"); cat "/sys/class/block/${d##*/}/stat"`, "sh", log.Link())
	words := strings.Fields(out)
	if len(words) < 5 {
		t.Fatalf("counters of the log device: %q", out)
	}
	n, err := strconv.Atoi(words[4])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// facts checks what the guest reports about its pool, and what is odd about it.
func facts(t *testing.T, b *bed) {
	var f assay.Facts
	notes, err := (&zfs.Storage{Dataset: dataset, Zvol: true, Volblocksize: yamldoc.Label("16K")}).Learn(b.ctx, b.Place(), &f)
	if err != nil {
		t.Fatal(err)
	}
	pool := f.Pool("tank")
	if pool == nil || !strings.HasPrefix(pool.Version, "2.1.11") {
		t.Fatalf("%+v", f.Pools)
	}
	for name, want := range map[string]string{"layout": "mirror of 2", "ashift": "9", "health": "ONLINE"} {
		if pool.Properties[name] != want {
			t.Errorf("%s is %q, want %q", name, pool.Properties[name], want)
		}
	}
	for _, name := range []string{"slog", "drives", "arc_max", "fragmentation"} {
		if pool.Properties[name] == "" {
			t.Errorf("no %s in %v", name, pool.Properties)
		}
	}
	if set := f.Pool(dataset + " zvol volblocksize=16K"); set == nil || set.Properties["volblocksize"] != "16384" || set.Properties["primarycache"] != "metadata" {
		t.Errorf("%+v", f.Pools)
	}
	var ids []string
	for _, n := range notes {
		ids = append(ids, n.ID)
	}
	if got := fmt.Sprint(ids); got != "[zfs-ashift zfs-arc]" {
		t.Errorf("%s: %v", got, notes)
	}
}

// exported checks that nothing can be restored while the pool is exported, and all
// is once it is back, by whatever name.
func exported(t *testing.T, b *bed) {
	for _, params := range []map[string]string{nil, {"zvol": "true"}, {"existing": "true"}} {
		r, _ := b.lend(t, params, assay.Way{"sync": "disabled"})
		b.run(t, "zpool", "export", "tank")
		if err := zfs.New().Release(b.ctx, b.Place(), r); err == nil || !strings.Contains(assay.Hint(err), "zpool import") {
			t.Errorf("%v, exported: %v (%s)", params, err, assay.Hint(err))
		}
		b.run(t, "zpool", "import", "-d", "/dev/disk/by-id", "tank", "store")
		b.release(t, r)
		if left := b.run(t, "sh", "-c", "zfs list -H -o name -t all -r store; zfs get -H -o property -s local all store/vms"); left != "store\nstore/vms\nrecordsize\nprimarycache\n" {
			t.Errorf("%v: %s", params, left)
		}
		b.run(t, "zpool", "export", "store")
		b.run(t, "zpool", "import", "-d", "/dev/disk/by-id", "store", "tank")
	}
}

// scrub checks that a pool that is being scrubbed is not measured.
func scrub(t *testing.T, b *bed) {
	b.run(t, "sh", "-c", "echo 1 >/sys/module/zfs/parameters/zfs_scan_suspend_progress; zpool scrub tank")
	defer b.run(t, "sh", "-c", "echo 0 >/sys/module/zfs/parameters/zfs_scan_suspend_progress; zpool wait -t scrub tank")
	b.capture(t, "status-2.1.11-scrub.txt", "zpool status -P -L tank")
	r, err := zfs.New().Reserve(b.ctx, b.Place(), subject(nil), assay.Request{ID: id, Bytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := zfs.New().Lend(b.ctx, b.Place(), r); err == nil || !strings.Contains(err.Error(), "a scrub is running") {
		t.Errorf("lent: %v", err)
	}
	r, _ = b.lend(t, map[string]string{"despite_health": "true"}, nil)
	b.release(t, r)
}

// full checks that nothing is created without enough room.
func full(t *testing.T, b *bed) {
	b.run(t, "zfs", "set", "quota=40M", dataset)
	defer b.run(t, "zfs", "inherit", "-S", "quota", dataset)
	r, err := zfs.New().Reserve(b.ctx, b.Place(), subject(nil), assay.Request{ID: id, Bytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := zfs.New().Lend(b.ctx, b.Place(), r); err == nil || !strings.Contains(err.Error(), "MiB are available") {
		t.Errorf("lent %+v, %v", s, err)
	}
	b.release(t, r)
}

// cluster writes a cluster.yaml with these tiers.
func (b *bed) cluster(t *testing.T, tiers string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "zfs.yaml")
	text := fmt.Sprintf("defaults:\n  ssh: {config: %s}\nhosts:\n  pve1: {address: %s}\ntiers:\n%s", strconv.Quote(b.Config()), guest.Name, tiers)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// ofZFS matches the README's commands on a zfs.yaml. The tests of cmd/assay run the
// others.
var (
	ofZFS  = regexp.MustCompile(`(?m)^\$ (assay .* -i zfs\.yaml\b.*)$`)
	asTold = regexp.MustCompile(`(?s)# zfs\.yaml\n.*?tiers:\n(.*?)` + "```")
)

// readme types the README's commands, in their order, on its own tiers.
func readme(t *testing.T, b *bed) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands, tiers := ofZFS.FindAllStringSubmatch(string(text), -1), asTold.FindSubmatch(text)
	if len(commands) < 3 || tiers == nil {
		t.Fatalf("README.md has %d commands on a zfs.yaml", len(commands))
	}
	file := b.cluster(t, string(tiers[1]))
	program, err := laptop.Binary()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	for _, c := range commands {
		command := c[1]
		if strings.HasPrefix(command, "assay run") {
			command += " --time-budget 15m --length 1s --repeats 1 --size 64M"
		}
		sh := exec.CommandContext(b.ctx, "bash", "-c", command)
		sh.Dir = filepath.Dir(file)
		sh.Env = append(os.Environ(), "HOME="+home, "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"), "ASSAY_DB="+filepath.Join(home, "db"))
		out, err := sh.CombinedOutput()
		if status := sh.ProcessState.ExitCode(); err != nil && status != 2 && status != 3 {
			t.Errorf("%s: status %d\n%s", command, status, out)
		}
		if !strings.HasPrefix(command, "assay run") {
			continue
		}
		for _, want := range []string{"zvol-16k", "unsafe", "sync=disabled on ZFS", "ashift=9"} {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s does not say %s:\n%s", command, want, out)
			}
		}
	}
}

// cached: reads of a dataset whose data the ARC may keep are memory's, and the audit
// rejects them. With ASSAY_CAPTURE the run is kept there, for doc/runs.
func cached(t *testing.T, b *bed) {
	file := b.cluster(t, "  cached: {host: pve1, zfs: {dataset: tank/vms, primarycache: all}}\n")
	l := laptop.New(t, file)
	r := l.Begin("run", "-i", file, "--suite", "tiers", "--only", "randread-4k", "--repeats", "2", "--length", "2s", "--size", "64M", "--time-budget", "10m").Wait(10 * time.Minute)
	if r.Exit != 3 || !strings.Contains(r.Stdout, "most of these reads came from the ARC") {
		t.Errorf("status %d: %s\n%s", r.Exit, laptop.Brief(r.Said), r.Stdout)
	}
	if dir := os.Getenv("ASSAY_CAPTURE"); dir != "" {
		if r := l.Do("export", "latest", "--anonymise", "-o", filepath.Join(dir, "arc-reads.assay")); r.Exit != 0 {
			t.Error(r.Said)
		}
	}
}

// suspended: a pool that has lost its devices is refused in words, and nothing waits
// for it. It is the last, since such a pool cannot be got rid of.
func suspended(t *testing.T, b *bed) {
	r, _ := b.lend(t, nil, nil)
	b.run(t, "sh", "-c", `for d; do d=$(readlink -f "$d"); echo 1 >"/sys/class/block/${d##*/}/device/delete"; done; (echo x >/tank/vms/lost; zpool sync tank) >/dev/null 2>&1 &`, "sh", first.Link(), second.Link())
	if !laptop.Eventually(2*time.Minute, func() bool {
		return strings.Contains(b.run(t, "zpool", "list", "-H", "-o", "health", "tank"), "SUSPENDED")
	}) {
		t.Fatal(b.run(t, "zpool", "status", "tank"))
	}
	b.capture(t, "status-2.1.11-suspended.txt", "zpool status -P -L tank")
	if err := zfs.New().Release(b.ctx, b.Place(), r); err == nil || !strings.Contains(err.Error(), "suspended") {
		t.Errorf("released: %v", err)
	}
	if _, err := zfs.New().Lend(b.ctx, b.Place(), r); err == nil || !strings.Contains(err.Error(), "suspended") {
		t.Errorf("lent: %v", err)
	}
}
