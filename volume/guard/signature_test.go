package guard

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// ends returns what Look reads from a device with those bytes.
func ends(b []byte) (head, tail []byte) {
	return b[:min(headBytes, len(b))], b[max(0, len(b)-tailBytes):]
}

func le32(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }
func le64(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }
func be64(v uint64) []byte { return binary.BigEndian.AppendUint64(nil, v) }

// TestSignatures writes marks as their formats define them, with as much around
// them as libblkid needs, and asks wipefs too: two independent readers.
func TestSignatures(t *testing.T) {
	const size = 64 << 20 // libblkid ignores ZFS on anything smaller
	type put struct {
		at    int
		bytes []byte
	}
	zfs := func(at int) (all []put) {
		for i := range 8 { // a label has 128 uberblocks; libblkid needs four
			all = append(all, put{at + 128<<10 + i<<10, le64(0x00bab10c)})
		}
		return all
	}
	b := make([]byte, size)
	for name, c := range map[string]struct {
		puts  []put
		want  string
		table bool
		alone bool // wipefs needs more than a mark, such as a checksum, or a whole disk
	}{
		"LUKS":        {puts: []put{{0, []byte("LUKS\xba\xbe\x00\x01")}}, want: "crypto_LUKS"},
		"LVM":         {puts: []put{{512, append([]byte("LABELONE"), le64(1)...)}, {536, []byte("LVM2 001")}}, want: "LVM2_member"},
		"md 1.2":      {puts: []put{{4096, slices.Concat(le32(0xa92b4efc), le32(1))}, {4096 + 144, le64(8)}}, want: "linux_raid_member"},
		"md 1.0":      {puts: []put{{size - 8192, slices.Concat(le32(0xa92b4efc), le32(1))}, {size - 8192 + 144, le64((size - 8192) / 512)}}, want: "linux_raid_member"},
		"md 0.90":     {puts: []put{{size - 65536, slices.Concat(le32(0xa92b4efc), le32(0), le32(90))}}, want: "linux_raid_member"},
		"ZFS, first":  {puts: zfs(0), want: "zfs_member"},
		"ZFS, last":   {puts: zfs(size - 256<<10), want: "zfs_member"},
		"BlueStore":   {puts: []put{{0, []byte("bluestore block device\n")}}, want: "ceph_bluestore", alone: true},
		"SPDK":        {puts: []put{{0, []byte("SPDKBLOB\x03")}}, want: "spdk_blobstore", alone: true},
		"bcache":      {puts: []put{{4104, le64(8)}, {4120, []byte("\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81")}}, want: "bcache", alone: true},
		"DRBD":        {puts: []put{{size - 4096 + 60, be64(0x8374026b)[4:]}}, want: "drbd", alone: true},
		"GPT":         {puts: []put{{512, []byte("EFI PART")}}, want: "gpt", table: true, alone: true},
		"second GPT":  {puts: []put{{size - 512, []byte("EFI PART")}}, want: "gpt", table: true, alone: true},
		"XFS":         {puts: []put{{0, []byte("XFSB")}}, want: "xfs", alone: true},
		"btrfs":       {puts: []put{{65600, []byte("_BHRfS_M")}}, want: "btrfs", alone: true},
		"DOS table":   {puts: []put{{450, []byte{0x83}}, {454, le32(2048)}, {458, le32(4096)}, {510, []byte{0x55, 0xaa}}}, want: "dos", table: true, alone: true},
		"ISO 9660":    {puts: []put{{32768, []byte("\x01CD001\x01")}}, want: "iso9660"},
		"swap, 16 KB": {puts: []put{{16384 - 10, []byte("SWAPSPACE2")}, {1024, slices.Concat(le32(1), le32(100))}}, want: "swap"},
	} {
		t.Run(name, func(t *testing.T) {
			clear(b)
			file, err := os.Create(filepath.Join(t.TempDir(), "image"))
			if err == nil {
				err = file.Truncate(size)
			}
			for _, p := range c.puts {
				copy(b[p.at:], p.bytes)
				_, wrong := file.WriteAt(p.bytes, int64(p.at))
				err = errors.Join(err, wrong)
			}
			if err = errors.Join(err, file.Close()); err != nil {
				t.Fatal(err)
			}
			var f Facts
			f.Marked(ends(b))
			got := f.Signatures
			if c.table {
				got = f.Tables
			}
			if !slices.Equal(got, []string{c.want}) || len(f.Signatures)+len(f.Tables) != 1 {
				t.Errorf("found %v and tables %v, want %s", f.Signatures, f.Tables, c.want)
			}
			if known := blkid(t, file.Name()); !c.alone && !slices.Contains(known, c.want) {
				t.Errorf("wipefs knows it as %v, not as %s", known, c.want)
			}
		})
	}
}

// blkid returns the types that wipefs reports.
func blkid(t *testing.T, file string) []string {
	t.Helper()
	out, err := exec.Command("wipefs", "--all", "--no-act", file).CombinedOutput()
	if err != nil {
		t.Skipf("wipefs: %v %s", err, out)
	}
	var all []string
	for _, m := range regexp.MustCompile(`\(([^)]+)\)`).FindAllSubmatch(out, -1) {
		all = append(all, string(m[1]))
	}
	return all
}

// TestRealSignatures makes file systems with the tools of this machine.
func TestRealSignatures(t *testing.T) {
	for tool, want := range map[string]string{"mkfs.ext4": "ext", "mkfs.xfs": "xfs", "mkfs.btrfs": "btrfs", "mkfs.vfat": "vfat", "mkswap": "swap"} {
		t.Run(tool, func(t *testing.T) {
			program, err := exec.LookPath(tool)
			if err != nil {
				t.Skip("it is not installed")
			}
			file := filepath.Join(t.TempDir(), "image")
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(file, 400<<20); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(program, file).CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var f Facts
			f.Marked(ends(b))
			if !slices.Contains(f.Signatures, want) || len(f.Tables) > 0 {
				t.Errorf("found %v and tables %v", f.Signatures, f.Tables)
			}
		})
	}
}

// TestNoSignature: an empty device, and what fio leaves.
func TestNoSignature(t *testing.T) {
	b := make([]byte, 4<<20)
	var empty Facts
	if empty.Marked(ends(b)); len(empty.Signatures)+len(empty.Tables) > 0 {
		t.Errorf("zeros are %v %v", empty.Signatures, empty.Tables)
	}
	// Three marks are two bytes long: 5 in 100,000 devices with random bytes have
	// one. Twice in a row would be 2 in a thousand million.
	for try := range 2 {
		if _, err := rand.Read(b); err != nil {
			t.Fatal(err)
		}
		var random Facts
		random.Marked(ends(b))
		if len(random.Signatures)+len(random.Tables) == 0 {
			return
		}
		if try == 1 {
			t.Errorf("random bytes are %v %v", random.Signatures, random.Tables)
		}
	}
	if bytes.Count(b, []byte{0}) == len(b) {
		t.Error("they were not random")
	}
}
