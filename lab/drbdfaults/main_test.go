package drbdfaults

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
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

// names are what the guests are called, and addresses where they replicate.
var (
	names     = []string{"pve1", "pve2"}
	addresses = []string{"10.99.0.1", "10.99.0.2"}
)

// bed is two guests with a cable between them, each with a drive that has a volume group
// vms and a file system at /srv.
type bed struct {
	ctx    context.Context
	guests []*guest.Guest
	places map[string]assay.Place
	was    string // what is there before anything is lent
}

var drive = guest.Disk{Bus: guest.Virtio, Serial: "DRIVE", Bytes: 640 << 20}

// prepare makes what the hosts have: a name, an address, a volume group, a file system, and
// a resource of the user's own, which nobody may touch. Its peer is never there. Emulated hosts
// are slow to answer a ping.
const prepare = `set -e
busybox hostname "$1"
[ -e /usr/local/bin/ip ] || [ -e /usr/sbin/ip ] || ln -s /bin/busybox /usr/local/bin/ip
busybox ip link set eth1 up
busybox ip addr add "$2/24" dev eth1
vgcreate -q vms "$3"
lvcreate -q -Wn -n root -L 200M vms
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

// things are what DRBD, LVM, loop devices and directories there are on both.
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

// TestDRBDBetweenTwoGuests has DRBD for real. One boot serves all.
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

// conformance is the suite of all volumes.
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

// protocol: what is lent has the protocol that it should, and the tuning of the user's other
// resources; with its peers a write goes to the other host, and alone it does not.
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
		// Where there is no connection, it has no settings either.
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

// received is how much the second host received of all resources, in KiB.
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

// facts: what a host tells before anything is made.
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
