package guard_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/guest"
	"assay/lab/guest/guesttest"
	"assay/volume/guard"
)

// use is a use of a guest's disk that must prevent lending.
type use struct {
	name string
	bus  guest.Bus
	// made starts it: $1 is the disk's udev name, $2 a file in which a background
	// process writes its process id once it has started.
	made  string
	ended string // ends it
	// marked means that only its marks are left: if confirmed, the disk is
	// lent.
	marked bool
	words  string // in the refusal
}

// behind runs a script in the background that first writes its process id to
// $2.
func behind(script string) string {
	return `setsid sh -c '` + script + `' sh "$1" "$2" </dev/null >/dev/null 2>&1 & until [ -s "$2" ]; do sleep 0.1; done`
}

const (
	luks = `printf x | cryptsetup luksFormat -q --type luks1 --cipher aes-cbc-essiv:sha256 --pbkdf-force-iterations 1000 `
	ext4 = `mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$1"; `
	// Its process ends when told to, and the mount goes with its namespace.
	ended = `kill $(cat "$2"); while fuser -s "$1" 2>/dev/null; do sleep 0.1; done`
)

func array(metadata string) string {
	return `mdadm --create /dev/md/lab --run --level=1 --assume-clean --metadata=` + metadata + ` --raid-devices=2 "$1" missing; `
}

var uses = []use{
	{name: "device mapper", bus: guest.NVMe, words: "used by dm-",
		made: `dmsetup create lab --table "0 $(blockdev --getsz "$1") linear $1 0"`, ended: `dmsetup remove lab`},
	{name: "device mapper over a part of it", bus: guest.Virtio, words: "used by dm-",
		made: `dmsetup create lab --table "0 2048 linear $1 4096"`, ended: `dmsetup remove lab`},
	{name: "LUKS that is open", bus: guest.SCSI, words: "used by dm-",
		made: luks + `"$1" -; printf x | cryptsetup open --key-file - "$1" lab`, ended: `cryptsetup close lab`},
	{name: "LUKS that is open, its header elsewhere", bus: guest.SATA, words: "used by dm-",
		made: `truncate -s 4M "$2"; ` + luks + `--header "$2" "$1" -; printf x | cryptsetup open --header "$2" --key-file - "$1" lab`, ended: `cryptsetup close lab`},
	{name: "LUKS that is closed", bus: guest.USB, made: luks + `"$1" -`, marked: true, words: "signature of crypto_LUKS"},
	{name: "a running array", bus: guest.Virtio, made: array("1.2"), ended: `mdadm --stop /dev/md/lab`, words: "used by md"},
	{name: "a running array, marked at its end", bus: guest.NVMe, made: array("1.0"), ended: `mdadm --stop /dev/md/lab`, words: "used by md"},
	{name: "a stopped array", bus: guest.SCSI, made: array("1.0") + `mdadm --stop /dev/md/lab`, marked: true, words: "signature of linux_raid_member"},
	{name: "FAT on the bare device", bus: guest.USB, made: `mkfs.vfat -I --mbr=n "$1"`, marked: true, words: "signature of vfat"},
	{name: "a physical volume of LVM", bus: guest.SATA, made: `pvcreate "$1"`, marked: true, words: "signature of LVM2_member"},
	{name: "a logical volume of LVM", bus: guest.NVMe, words: "used by dm-",
		made: `pvcreate "$1"; vgcreate lab "$1"; lvcreate -y -l 2 -n lv lab`, ended: `vgchange -an lab; vgremove -f lab`},
	{name: "swap", bus: guest.SCSI, made: `mkswap "$1"; swapon "$1"`, ended: `swapoff "$1"`, words: "it is swap"},
	{name: "swap that is off", bus: guest.SATA, made: `mkswap "$1"`, marked: true, words: "signature of swap"},
	{name: "mounted", bus: guest.USB, made: ext4 + `mount "$1" /mnt`, ended: `umount /mnt`, words: "it is mounted at /mnt"},
	{name: "mounted in another namespace", bus: guest.Virtio, words: "held open", ended: ended,
		made: ext4 + behind(`exec unshare --mount --propagation private sh -c "mount \"\$1\" /srv && echo \$\$ >\"\$2\" && exec sleep 100000" sh "$1" "$2"`)},
	{name: "partitioned", bus: guest.NVMe, made: `echo ,8M | sfdisk -q "$1"`, words: "has partitions: nvme"},
	{name: "partitioned with GPT", bus: guest.SCSI, made: `echo ,8M | sfdisk -q -X gpt "$1"`, words: "has partitions: sd"},
	{name: "a table without partitions", bus: guest.USB, made: `echo "label: gpt" | sfdisk -q "$1"`, words: "has a partition table: gpt"},
	{name: "open for writing", bus: guest.SATA, words: "in use by processes", ended: ended,
		made: behind(`exec 3<>"$1"; echo $$ >"$2"; exec sleep 100000`)},
	{name: "under a loop device", bus: guest.Virtio, made: `losetup --find "$1"`, ended: `losetup -D`, words: "used by loop"},
	{name: "read-only", bus: guest.NVMe, made: `blockdev --setro "$1"`, ended: `blockdev --setrw "$1"`, words: "read-only"},
}

// TestDisksOfAGuest runs a Linux with disks in every use that this machine's
// kernel does not support, or should not be used for. Not one byte of a refused
// disk is changed.
func TestDisksOfAGuest(t *testing.T) {
	const size = 32 << 20
	disk := map[guest.Bus]guest.Disk{}
	var disks []guest.Disk
	for _, bus := range guest.Buses {
		disk[bus] = guest.Disk{Bus: bus, Serial: "DISK" + string(bus), Bytes: size}
		disks = append(disks, disk[bus])
	}
	twin, other := guest.Disk{Bus: guest.SCSI, Serial: "TWIN0001", Bytes: size}, guest.Disk{Bus: guest.Virtio, Serial: "TWIN0001", Bytes: size}
	b := bed{guesttest.Up(t, append(disks, twin, other)...), t.Context()}
	b.run(t, "modprobe -a dm_mod dm_crypt raid1 loop; echo AUTO -all >>/etc/mdadm/mdadm.conf") // udev would restart what was stopped
	confirmed := func(d guest.Disk) guard.Identity { return guard.Identity{Serial: d.Serial, Overwrite: true} }

	for _, d := range disks {
		t.Run("blank/"+string(d.Bus), func(t *testing.T) {
			b.unchanged(t, d, func() {
				s, err := b.lend(t, d.Link(), guard.Identity{Serial: d.Serial})
				if err != nil || s.File != d.Link() || s.Bytes != size {
					t.Errorf("lent %+v, %v", s, err)
				}
			})
		})
	}
	t.Run("a byte is seen", func(t *testing.T) {
		d := disk[guest.NVMe]
		before := b.sum(t, d)
		b.run(t, `printf x | dd of="$1" bs=1 seek=20000000 conv=notrunc,fsync`, d.Link())
		if b.sum(t, d) == before {
			t.Error("the sum of a disk that was written to is what it was")
		}
		b.refused(t, d, d.Link(), guard.Identity{Serial: d.Serial}, "unknown data at byte 20000000")
		b.wipe(t, d)
	})
	for _, u := range uses {
		t.Run(u.name, func(t *testing.T) {
			d, file := disk[u.bus], "/run/lab-file"
			b.run(t, "set -e; "+u.made, d.Link(), file)
			b.run(t, "udevadm settle; sync")
			b.refused(t, d, d.Link(), guard.Identity{Serial: d.Serial, Overwrite: !u.marked}, u.words)
			if u.ended != "" {
				b.run(t, u.ended+`; rm -f "$2"`, d.Link(), file)
			}
			b.wipe(t, d)
		})
	}
	t.Run("marks are confirmed", func(t *testing.T) {
		d := disk[guest.USB]
		b.run(t, `mkfs.vfat -I --mbr=n "$1"`, d.Link())
		b.unchanged(t, d, func() {
			if s, err := b.lend(t, d.Link(), confirmed(d)); err != nil {
				t.Errorf("lent %+v, %v", s, err)
			}
		})
		b.wipe(t, d)
	})
	t.Run("only an NVMe drive is asked to format itself", func(t *testing.T) {
		d := disk[guest.Virtio]
		want := guard.Identity{Serial: d.Serial, Reset: guard.ResetFormat}
		b.refused(t, d, d.Link(), want, "is no NVMe namespace")
	})
	t.Run("what others have on an NVMe drive is not formatted", func(t *testing.T) {
		d := disk[guest.NVMe]
		b.run(t, `cat >/usr/local/bin/nvme <<'END'
#!/bin/sh
case $1 in list-ns) printf '[   0]:0x1\n[   1]:0x2\n' ;; *) exec /usr/sbin/nvme "$@" ;; esac
END
chmod 755 /usr/local/bin/nvme`)
		b.refused(t, d, d.Link(), guard.Identity{Serial: d.Serial, Reset: guard.ResetFormat}, "lists 2 namespaces")
		b.run(t, "rm /usr/local/bin/nvme")
	})
	t.Run("an NVMe drive formats itself", func(t *testing.T) {
		d := disk[guest.NVMe]
		blank := b.sum(t, d)
		was := b.run(t, `nvme id-ns "$1"`, d.Link())
		b.run(t, `printf x | dd of="$1" bs=1 seek=20000000 conv=notrunc,fsync`, d.Link())
		if s, err := b.lend(t, d.Link(), guard.Identity{Serial: d.Serial, Overwrite: true, Reset: guard.ResetFormat}); err != nil || s.Purge != guard.ResetFormat {
			t.Errorf("lent %+v, %v", s, err)
		}
		if is := b.run(t, `dd if="$1" bs=1 skip=20000000 count=1 status=none | od -An -tu1`, d.Link()); is != "0" {
			t.Errorf("what was there is not erased: %s", is)
		}
		if is := b.run(t, `nvme id-ns "$1"`, d.Link()); is != was {
			t.Errorf("its format was\n%s\nand is\n%s", was, is)
		}
		b.wipe(t, d)
		if b.sum(t, d) != blank {
			t.Error("it is not blank again")
		}
	})
	t.Run("the disk that the system is on", func(t *testing.T) {
		if s, err := b.lend(t, "/dev/disk/by-id/virtio-assay-root", guard.Identity{Serial: "assay-root", Overwrite: true}); err == nil || !strings.Contains(err.Error(), "mounted at /") {
			t.Errorf("lent %+v, %v", s, err)
		}
	})
	t.Run("another disk's serial", func(t *testing.T) {
		left, right := disk[guest.Virtio], disk[guest.NVMe]
		b.refused(t, left, b.kernel(t, left), confirmed(right), "serial mismatch: given "+right.Serial)
	})
	t.Run("a serial that two have", func(t *testing.T) {
		b.refused(t, twin, twin.Link(), confirmed(twin), "not unique")
	})
	// udev repairs a link whenever a disk that was open for writing is closed:
	// the rest is tested without it. It exits some time after it was told to.
	b.run(t, "udevadm settle; udevadm control --exit; while grep -qs udev /proc/[0-9]*/comm; do sleep 0.1; done")
	t.Run("links that are swapped", func(t *testing.T) {
		left, right := disk[guest.Virtio], disk[guest.NVMe]
		names := []string{b.kernel(t, left), b.kernel(t, right)}
		b.run(t, `ln -snf "$2" "$1" && ln -snf "$4" "$3"`, left.Link(), names[1], right.Link(), names[0])
		b.refused(t, right, left.Link(), confirmed(left), "serial mismatch: given "+left.Serial)
		b.refused(t, left, right.Link(), confirmed(right), "serial mismatch: given "+right.Serial)
		b.run(t, `ln -snf "$2" "$1" && ln -snf "$4" "$3"`, left.Link(), names[0], right.Link(), names[1])
	})
	for _, d := range disks {
		t.Run("a link that outlived its disk/"+string(d.Bus), func(t *testing.T) {
			gone := guest.Disk{Bus: d.Bus, Serial: "GONE0001"}
			b.run(t, `ln -s "$2" "$1"`, gone.Link(), b.kernel(t, d))
			b.refused(t, d, gone.Link(), confirmed(gone), "serial mismatch: given GONE0001")
			b.run(t, `rm "$1"`, gone.Link())
		})
	}
}

// bed is a guest whose disks are lent.
type bed struct {
	*guest.Guest
	ctx context.Context
}

func (b bed) run(t *testing.T, script string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 10*time.Minute)
	defer cancel()
	out, err := b.Run(ctx, append([]string{"sh", "-c", script, "sh"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// kernel returns the kernel's name of a disk from its udev link.
func (b bed) kernel(t *testing.T, d guest.Disk) string {
	t.Helper()
	return b.run(t, `readlink -f "$1"`, d.Link())
}

// wipe makes a disk blank again.
func (b bed) wipe(t *testing.T, d guest.Disk) {
	t.Helper()
	b.run(t, `set -e; udevadm settle; blkdiscard --zeroout --force "$1"; blockdev --rereadpt "$1"; udevadm settle`, d.Link())
}

// sum hashes all bytes of a disk, as stored on this machine.
func (b bed) sum(t *testing.T, d guest.Disk) string {
	t.Helper()
	data, err := os.ReadFile(b.Image(d))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d bytes, %x", len(data), sha256.Sum256(data))
}

func (b bed) unchanged(t *testing.T, d guest.Disk, do func()) {
	t.Helper()
	before := b.sum(t, d)
	do()
	b.run(t, "sync")
	if after := b.sum(t, d); after != before {
		t.Errorf("%s was changed: %s, then %s", d.Link(), before, after)
	}
}

// lend lends a disk and releases it. A refused one is released too, as by a run that
// knows only that it asked.
func (b bed) lend(t *testing.T, path string, want guard.Identity) (assay.Scratch, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 10*time.Minute)
	defer cancel()
	v := guard.New("rawblock")
	r, err := v.Reserve(ctx, b.Place(), assay.Subject{ID: "guest/block/x", Kind: assay.KindBlock, Host: guest.Name, Name: path, Params: want.Params()},
		assay.Request{ID: "0123456789abcdef", Bytes: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	s, lent := v.Lend(ctx, b.Place(), r)
	released := v.Release(ctx, b.Place(), r)
	if lent == nil && released != nil {
		t.Errorf("give back %s: %v", path, released)
	}
	return s, lent // a refused disk may still be in use
}

func (b bed) refused(t *testing.T, d guest.Disk, path string, want guard.Identity, words string) {
	t.Helper()
	b.unchanged(t, d, func() {
		t.Helper()
		if s, err := b.lend(t, path, want); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: lent %+v, %v, want %q", path, s, err, words)
		} else {
			t.Log(err)
		}
	})
}
