package rawblock

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"testing"

	"assay"
	"assay/place/local"
)

// TestSpans: both ends, and samples that lie apart between them.
func TestSpans(t *testing.T) {
	for _, size := range []int64{512, 4 << 10, 1<<20 + 512, 2 << 20, 2<<20 + 65535, 32 << 20, 16<<30 + 512, 20 << 40} {
		all := spans(size)
		sectors := size / sectorBytes * sectorBytes
		if all[0].from != 0 || all[1].from+all[1].length != sectors || all[0].length != min(endBytes, sectors) || all[1].length != all[0].length {
			t.Errorf("%d: the ends are %+v", size, all[:2])
		}
		if want := size >= 2*endBytes+samples*sampleBytes; want != (len(all) == 2+samples) {
			t.Errorf("%d: %d spans", size, len(all))
		}
		next := int64(endBytes)
		for _, s := range all[2:] {
			if s.from < next || s.from%sectorBytes != 0 || s.from+s.length > all[1].from || s.length != sampleBytes {
				t.Errorf("%d: %+v, after %d and before %d", size, s, next, all[1].from)
			}
			next = s.from + s.length
		}
	}
}

func TestJudge(t *testing.T) {
	const size = 8 << 20
	all := spans(size)
	for name, c := range map[string]struct {
		change func(b []byte)
		blank  bool
		at     int64
		own    bool
	}{
		"zeros":              {func([]byte) {}, true, 0, false},
		"erased flash":       {func(b []byte) { copy(b, bytes.Repeat([]byte{0xff}, size)) }, true, 0, false},
		"one byte":           {func(b []byte) { b[7] = 1 }, false, 7, false},
		"the last byte":      {func(b []byte) { b[size-1] = 0x80 }, false, size - 1, false},
		"a sample":           {func(b []byte) { b[all[5].from+3] = 1 }, false, all[5].from + 3, false},
		"the mark":           {func(b []byte) { copy(b, Mark()); b[5000] = 1 }, false, 0, true},
		"a mark written to":  {func(b []byte) { copy(b, Mark()); b[4095] = 1 }, false, 0, false},
		"a mark moved along": {func(b []byte) { copy(b[512:], Mark()) }, false, 512, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := make([]byte, size)
			c.change(b)
			var parts [][]byte
			for _, s := range all {
				parts = append(parts, b[s.from:s.from+s.length])
			}
			var f Facts
			if f.judge(all, parts); f.Blank != c.blank || f.Written != c.at || f.Own != c.own {
				t.Errorf("blank %v, written at %d, own %v", f.Blank, f.Written, f.Own)
			}
			if len(f.Signatures)+len(f.Tables) > 0 {
				t.Errorf("marks %v %v", f.Signatures, f.Tables)
			}
		})
	}
}

// TestGivenBack has one run after another on a device: what assay wrote may be
// written over, what somebody else wrote may not.
func TestGivenBack(t *testing.T) {
	device, file := loop(t, 64<<20)
	ctx, here, v := context.Background(), local.New("here", ""), New()
	want := Identity{Backing: file}
	r, err := v.Reserve(ctx, nil, assay.Subject{Host: "here", Kind: assay.KindBlock, Name: device, Params: want.Params()}, assay.Request{ID: "0123456789abcdef", Bytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	benchmark := func() {
		run(t, "fio", "--name=x", "--filename="+device, "--rw=write", "--bs=1m", "--size=8m", "--end_fsync=1")
	}
	lent := func(t *testing.T, want bool) {
		t.Helper()
		if _, err := v.Lend(ctx, here, r); (err == nil) != want {
			t.Fatalf("lent: %v", err)
		}
	}
	released := func(t *testing.T) {
		t.Helper()
		for range 2 {
			if err := v.Release(ctx, here, r); err != nil {
				t.Fatal(err)
			}
		}
	}
	marked := func(t *testing.T, want bool) {
		t.Helper()
		b, err := exec.Command("head", "-c", "4096", device).Output()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(b, Mark()) != want {
			t.Errorf("at its head is %q", b[:64])
		}
	}
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("needs fio")
	}
	lent(t, true)
	released(t)
	marked(t, false) // nothing was written, so that nothing is to be said

	lent(t, true)
	benchmark()
	released(t)
	marked(t, true)

	lent(t, true) // once more, without a confirmation
	benchmark()
	v = New() // assay was killed
	released(t)
	marked(t, false)
	lent(t, false)
	released(t)
	marked(t, false) // what was refused is not touched

	want.Overwrite = true
	confirmed := r
	confirmed.Names = receiptNames(device, want)
	if _, err := v.Lend(ctx, here, confirmed); err != nil {
		t.Fatal(err)
	}
	released(t)
	marked(t, false) // it may be written over, and nothing was

	fresh := func() {
		run(t, "blkdiscard", "--force", device)
		lent(t, true)
		benchmark()
	}
	fresh()
	above := run(t, "losetup", "--find", "--show", device)
	released(t)
	marked(t, false) // somebody uses it meanwhile
	run(t, "losetup", "--detach", above)

	fresh()
	run(t, "mkswap", device)
	released(t)
	marked(t, false) // somebody means to

	fresh()
	run(t, "mkfs.ext4", "-q", "-F", device)
	mount := t.TempDir()
	run(t, "mount", device, mount)
	if err := os.WriteFile(mount+"/precious", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	released(t)
	marked(t, false)
	if _, err := os.Stat(mount + "/precious"); err != nil {
		t.Error(err)
	}
	run(t, "umount", mount)
	eventuallyFree(t, here, device)
}

// TestOtherNames finds who has a device open by whatever name it was opened.
func TestOtherNames(t *testing.T) {
	device, _ := loop(t, 1<<20)
	link := t.TempDir() + "/by:id"
	if err := os.Symlink(device, link); err != nil {
		t.Fatal(err)
	}
	here := local.New("here", "")
	for _, pair := range [][2]string{{device, link}, {link, device}, {link, link}} {
		if found, err := InUse(context.Background(), here, pair[0]); err != nil || len(found) > 0 {
			t.Fatalf("before: %v, %v", found, err)
		}
		f, err := os.Open(pair[1])
		if err != nil {
			t.Fatal(err)
		}
		found, err := InUse(context.Background(), here, pair[0])
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil || len(found) != 1 {
			t.Errorf("%v: found %v, %v", pair, found, err)
		}
	}
	if found, err := InUse(context.Background(), here, link+"2"); err != nil || len(found) > 0 {
		t.Errorf("of what is not there: %v, %v", found, err)
	}
}
