package drbdfaults

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/lab/guest"
	"assay/lab/guest/guesttest"
	"assay/lab/internal/laptop"
	"assay/volume/drbd"
	"assay/volume/volumetest"
)

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "drbdfaults", 1, "CGO_ENABLED=0")) }

const id = "0123456789abcdef"

// names are the guests' names, and addresses their replication addresses.
var (
	names     = []string{"pve1", "pve2"}
	addresses = []string{"10.99.0.1", "10.99.0.2"}
)

// bed is two guests joined by a cable, each with a drive that holds a volume group vms
// and a file system at /srv.
type bed struct {
	ctx    context.Context
	guests []*guest.Guest
	places map[string]assay.Place
	was    string // state before anything is lent
}

var drive = guest.Disk{Bus: guest.Virtio, Serial: "DRIVE", Bytes: 640 << 20}

// prepare sets up the hosts: a name, an address, a volume group, a file system, and a resource
// of the user's own that nobody may touch and whose peer is never there. Emulated hosts are
// slow to answer a ping.
const prepare = `set -e
busybox hostname "$1"
[ -e /usr/local/bin/ip ] || [ -e /usr/sbin/ip ] || ln -s /bin/busybox /usr/local/bin/ip
busybox ip link set eth1 up
busybox ip addr add "$2/24" dev eth1
vgcreate -q vms "$3"
lvcreate -q -Wn -n root -L 400M vms
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 /dev/vms/root
mount /dev/vms/root /srv
lvcreate -q -Wn -n home -L 64M vms
echo 'global { usage-count no; }' >/etc/drbd.d/global_common.conf
cat >/etc/drbd.d/home.res <<END
common { disk { al-extents 1237; c-max-rate 50M; } net { max-buffers 4000; ping-timeout 300; } }
resource home {
	on $1 { device /dev/drbd0 minor 0; disk /dev/vms/home; address ipv4 $2:7788; meta-disk internal; }
	on nobody { device /dev/drbd0 minor 0; disk /dev/vms/home; address ipv4 10.99.0.9:7788; meta-disk internal; }
}
END
drbdadm create-md --force home
drbdadm up home`

func (b *bed) run(t *testing.T, i int, argv ...string) string {
	t.Helper()
	out, err := b.places[names[i]].Run(b.ctx, assay.Cmd{Argv: argv})
	if err != nil || out.Exit != 0 {
		t.Fatalf("%s: %s: %v, status %d: %s", names[i], strings.Join(argv, " "), err, out.Exit, out.Stderr)
	}
	return string(out.Stdout)
}

// things lists DRBD resources, LVM volumes, loop devices and directories on
// both hosts.
func (b *bed) things(t *testing.T) string {
	t.Helper()
	const script = `cat /proc/drbd | grep -v '^ *ns:'; lvs --noheadings -o lv_name | sort; losetup -a; ls -A /srv /etc/drbd.d; ls /run | grep assay; ls -A /run/drbd /var/lib/drbd 2>/dev/null; true`
	return b.run(t, 0, "sh", "-c", script) + b.run(t, 1, "sh", "-c", script)
}

func up(t *testing.T) *bed {
	guesttest.Take(t)
	tools, err := guest.ZFS()
	if err != nil {
		t.Skipf("%v: %s", err, assay.Hint(err))
	}
	dir, err := os.MkdirTemp("", "drbd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Minute)
	t.Cleanup(cancel)
	cable, err := guest.NewSwitch(filepath.Join(dir, "cable"))
	if err != nil {
		t.Fatal(err)
	}
	b := &bed{ctx: ctx, guests: make([]*guest.Guest, len(names)), places: map[string]assay.Place{}}
	t.Cleanup(func() {
		for _, g := range b.guests {
			if g != nil {
				if err := g.Down(); err != nil {
					t.Error(err)
				}
			}
		}
		if err := cable.Close(); err != nil {
			t.Error(err)
		}
	})
	var all sync.WaitGroup
	errs := make([]error, len(names))
	for i := range names {
		all.Go(func() {
			port := guest.Port{Switch: cable, MAC: fmt.Sprintf("02:00:00:00:99:%02x", i+1), Mbit: 1000}
			b.guests[i], errs[i] = guest.Boot(ctx, filepath.Join(dir, names[i]), guest.Machine{Name: names[i], Disks: []guest.Disk{drive, tools}, Ports: []guest.Port{port}, CPUs: 1})
			if errs[i] == nil {
				errs[i] = b.guests[i].InstallDRBD(ctx)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range names {
		b.places[name] = b.guests[i].Place()
		b.run(t, i, "sh", "-c", prepare, "sh", name, addresses[i], drive.Link())
	}
	b.was = b.things(t)
	return b
}

// TestDRBDBetweenTwoGuests runs real DRBD. All tests share one boot.
func TestDRBDBetweenTwoGuests(t *testing.T) {
	all(t, up(t))
}

func all(t *testing.T, b *bed) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *bed)
	}{
		{"conformance", conformance},
		{"protocol", protocol},
		{"facts", facts},
		{"cut", cut},
		{"diskless", diskless},
		{"resynced", resynced},
		{"held open", heldOpen},
		{"readme", readme},
		{"killed", killed},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.test(t, b)
			if is := b.things(t); is != b.was {
				t.Errorf("there was\n%s\nand there is\n%s", b.was, is)
			}
		})
	}
}

func (b *bed) subject(under, of string, set map[string]string) assay.Subject {
	params := map[string]string{"under": under, "of": of}
	for i, name := range names {
		params["address."+name] = addresses[i]
	}
	for name, value := range set {
		params["set."+name] = value
	}
	return assay.Subject{ID: "pve1/block/drbd", Kind: assay.KindBlock, Host: names[0], Name: "drbd", Tier: "vms", Volume: drbd.Kind, Params: params}
}

func (b *bed) volume() assay.Volume { return drbd.New().Among(b.places) }

// conformance runs the suite for all volumes.
func conformance(t *testing.T, b *bed) {
	for under, of := range map[string]string{"directory": "/srv"} {
		t.Run(under, func(t *testing.T) {
			volumetest.Test(t, func(*testing.T) volumetest.Fixture {
				return volumetest.Fixture{Volume: b.volume(), Place: b.places[names[0]], Subject: b.subject(under, of, nil),
					Ways: []assay.Way{{"protocol": "A"}, {"alone": "yes"}},
					Present: func(t *testing.T, r assay.Receipt) bool {
						return strings.Contains(b.things(t), r.ID)
					}}
			})
		})
	}
}

func (b *bed) lend(t *testing.T, set map[string]string) (assay.Receipt, assay.Scratch) {
	t.Helper()
	r, err := b.volume().Reserve(b.ctx, b.places[names[0]], b.subject("volume_group", "vms", set), assay.Request{ID: id, Bytes: 64 << 20})
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	s, err := b.volume().Lend(b.ctx, b.places[names[0]], r)
	if err != nil {
		b.release(t, r)
		t.Fatal(err, assay.Hint(err))
	}
	return r, s
}

func (b *bed) release(t *testing.T, r assay.Receipt) {
	t.Helper()
	if err := b.volume().Release(b.ctx, b.places[names[0]], r); err != nil {
		t.Error(err, assay.Hint(err))
	}
}

// recheck fails unless the replicas' recheck soon says want.
func (b *bed) recheck(t *testing.T, r assay.Receipt, want string) {
	t.Helper()
	said := ""
	if !laptop.Eventually(2*time.Minute, func() bool {
		notes, err := b.volume().(assay.Rechecker).Recheck(b.ctx, b.places[names[0]], r)
		said = fmt.Sprint(notes, err)
		return strings.Contains(said, want)
	}) {
		t.Errorf("%s does not say %q", said, want)
	}
}

// protocol checks that what is lent has the requested protocol and the tuning of the user's
// other resources; a write reaches the other host with peers, and does not without.
func protocol(t *testing.T, b *bed) {
	for _, c := range []struct {
		set map[string]string
		row string
	}{
		{map[string]string{"protocol": "A"}, "cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate A "},
		{map[string]string{"protocol": "C"}, "cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate C "},
		{map[string]string{"alone": "yes"}, "cs:StandAlone ro:Primary/Unknown ds:UpToDate/"},
	} {
		r, s := b.lend(t, c.set)
		if proc := b.run(t, 0, "cat", "/proc/drbd"); !strings.Contains(proc, c.row) {
			t.Errorf("%v:\n%s", c.set, proc)
		}
		// Without a connection there are no connection settings either.
		if show := b.run(t, 0, "drbdsetup", "show", r.Names["resource"]); c.set["alone"] == "" && !strings.Contains(show, "4000;") || !strings.Contains(show, "51200k;") {
			t.Errorf("%v: without the common section's settings:\n%s", c.set, show)
		}
		before := b.received(t)
		b.run(t, 0, "dd", "if=/dev/urandom", "of="+s.File, "bs=65536", "count=32", "oflag=direct", "conv=fsync")
		if got := b.received(t) - before; (got >= 2048) != (c.set["alone"] == "") {
			t.Errorf("%v: the peer received %d KiB of 2048", c.set, got)
		}
		b.release(t, r)
	}
}

// received returns how much the second host has received for all resources, in
// KiB.
func (b *bed) received(t *testing.T) int {
	t.Helper()
	n := 0
	for word := range strings.FieldsSeq(b.run(t, 1, "cat", "/proc/drbd")) {
		if text, is := strings.CutPrefix(word, "nr:"); is {
			one, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			n += one
		}
	}
	return n
}

// facts checks what a host reports before anything is created.
func facts(t *testing.T, b *bed) {
	f := assay.Facts{}
	s := &drbd.Storage{Replicas: map[string]string{names[0]: addresses[0], names[1]: addresses[1]}, VolumeGroup: "vms"}
	notes, err := s.Learn(b.ctx, b.places[names[0]], &f)
	if err != nil || f.Stack == nil || f.Stack.Version != "8.4.11" || f.Stack.Remote != 1 || f.Stack.Protocol != "C" {
		t.Fatalf("%+v, %v", f.Stack, err)
	}
	if d := f.DeviceAt(s.Path()); d == nil || d.Bytes < 64<<20 {
		t.Errorf("%+v", f.Block)
	}
	if said := fmt.Sprint(notes); !strings.Contains(said, "max-buffers 4000") || !strings.Contains(said, "over eth1") {
		t.Error(said)
	}
}

// cut checks that a cut link is reported and that the resource can still be released.
func cut(t *testing.T, b *bed) {
	r, _ := b.lend(t, nil)
	b.run(t, 1, "busybox", "ip", "link", "set", "eth1", "down")
	b.recheck(t, r, "the connection to the peer is ")
	b.release(t, r)
	b.run(t, 1, "busybox", "ip", "link", "set", "eth1", "up")
}

// diskless checks the same for a peer that lost its drive.
func diskless(t *testing.T, b *bed) {
	r, s := b.lend(t, nil)
	b.run(t, 1, "drbdsetup", "detach", "--force", strings.TrimPrefix(s.File, "/dev/drbd"))
	b.recheck(t, r, "the disk of the peer is ")
	b.release(t, r)
}

// resynced checks the same for a peer that is being resynced, slowly enough to be seen.
func resynced(t *testing.T, b *bed) {
	r, s := b.lend(t, map[string]string{"alone": "yes"})
	minor := strings.TrimPrefix(s.File, "/dev/drbd")
	b.run(t, 0, "dd", "if=/dev/zero", "of="+s.File, "bs=1048576", "count=32", "oflag=direct")
	for i := range names {
		b.run(t, i, "drbdsetup", "disk-options", minor, "--c-plan-ahead=0", "--resync-rate=100k")
	}
	// The peer keeps waiting for the one that left.
	b.run(t, 0, "drbdadm", "--config-file", "/run/"+r.Names["resource"]+".res", "connect", r.Names["resource"])
	connected := r
	connected.Names = map[string]string{"resource": r.Names["resource"], "how": strings.Replace(r.Names["how"], `"alone":true,`, "", 1)}
	b.recheck(t, connected, "the peer is resynced (SyncSource)")
	b.release(t, r)
}

// heldOpen checks that a device held open by somebody is kept, with a hint to find them,
// and can go afterwards.
func heldOpen(t *testing.T, b *bed) {
	r, s := b.lend(t, nil)
	// When the command ends, processes without a session of their own end with
	// it.
	pid := strings.TrimSpace(b.run(t, 0, "sh", "-c", `setsid sh -c 'echo $$ >/run/held; exec sleep 1000' <"$1" >/dev/null 2>&1 &
		until [ -s /run/held ]; do sleep .1; done; cat /run/held; rm /run/held`, "sh", s.File))
	if err := b.volume().Release(b.ctx, b.places[names[0]], r); err == nil || !strings.Contains(assay.Hint(err), "fuser -v") {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
	b.run(t, 0, "kill", pid)
	b.release(t, r)
}

// cluster writes a cluster.yaml with these tiers.
func (b *bed) cluster(t *testing.T, tiers string) string {
	t.Helper()
	dir := t.TempDir()
	var config []byte
	for _, g := range b.guests {
		text, err := os.ReadFile(g.Config())
		if err != nil {
			t.Fatal(err)
		}
		config = append(config, text...)
	}
	file := filepath.Join(dir, "drbd.yaml")
	text := fmt.Sprintf("defaults:\n  ssh: {config: %s}\nhosts: {pve1: , pve2: }\ntiers:\n%s", strconv.Quote(filepath.Join(dir, "ssh_config")), tiers)
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "ssh_config"), config, 0o600), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	return file
}

// ofDRBD matches the README's commands on a drbd.yaml. The tests of cmd/assay run the
// others.
var (
	ofDRBD = regexp.MustCompile(`(?m)^\$ (assay .* -i drbd\.yaml\b.*)$`)
	asTold = regexp.MustCompile(`(?s)# drbd\.yaml\n.*?tiers:\n(.*?)` + "```")
)

// readme types the README's commands, in their order, on its own tiers.
func readme(t *testing.T, b *bed) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands, tiers := ofDRBD.FindAllStringSubmatch(string(text), -1), asTold.FindSubmatch(text)
	if len(commands) < 3 || tiers == nil {
		t.Fatalf("README.md has %d commands on a drbd.yaml", len(commands))
	}
	l := laptop.New(t, b.cluster(t, string(tiers[1])))
	for _, c := range commands {
		words := strings.Fields(strings.Replace(c[1], "drbd.yaml", l.File, 1))[1:]
		if words[0] == "run" {
			words = append(words, "--time-budget", "20m", "--length", "1s", "--repeats", "1", "--size", "64M")
		}
		r := l.Begin(words...).Wait(30 * time.Minute)
		if r.Exit != 0 && r.Exit != 2 && r.Exit != 3 {
			t.Errorf("%s: status %d: %s", c[1], r.Exit, laptop.Brief(r.Said))
		}
		if words[0] != "run" {
			continue
		}
		for _, want := range []string{"alone", "async", "over eth1"} {
			if !strings.Contains(r.Stdout, want) {
				t.Errorf("%s does not say %s:\n%s", c[1], want, r.Stdout)
			}
		}
	}
}

// killed: after kill -9 of assay while fio writes, cleanup takes all away on both hosts.
func killed(t *testing.T, b *bed) {
	file := b.cluster(t, "  vms: {host: pve1, drbd: {replicas: {pve1: "+addresses[0]+", pve2: "+addresses[1]+"}, volume_group: vms}}\n")
	l := laptop.New(t, file)
	c := l.Begin("run", "-i", file, "--suite", "tiers", "--only", "syncwrite-4k", "--size", "64M", "--length", "20s", "--repeats", "2", "--time-budget", "15m", "--format", "json")
	c.AwaitWithin(10*time.Minute, "fio measures", func() bool {
		out, err := b.places[names[0]].Run(b.ctx, assay.Cmd{Argv: []string{"sh", "-c", "grep -ls 'time_base[d]' /proc/[0-9]*/cmdline"}})
		return err == nil && len(out.Stdout) > 0
	})
	c.Signal(syscall.SIGKILL)
	if r := c.Wait(10 * time.Minute); r.Exit != 128+int(syscall.SIGKILL) {
		t.Fatalf("ended with %d: %s", r.Exit, r.Said)
	}
	if b.things(t) == b.was {
		t.Error("nothing was left: it was killed too early or too late")
	}
	// Emulated hosts take their time.
	if r := l.Begin("cleanup", "-i", file).Wait(20 * time.Minute); r.Exit != 0 || !strings.Contains(r.Stdout+r.Said, "removed") {
		t.Errorf("cleanup ended with %d: %s%s", r.Exit, r.Stdout, r.Said)
	}
	l.ExpectEmpty()
}
