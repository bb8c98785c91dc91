package guard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/place/local"
)

// TestSpans: both ends, and spread-out samples between them, or all of it.
func TestSpans(t *testing.T) {
	for _, size := range []int64{512, 4 << 10, 1<<20 + 512, 11 << 20, 11<<20 + 65535, 32 << 20, 75 << 20, 76 << 20, 16<<30 + 512, 20 << 40} {
		all := spans(size, 1)
		sectors := size / sectorBytes * sectorBytes
		if all[0].from != 0 || all[1].from+all[1].length != sectors || all[0].length != min(headBytes, sectors) || all[1].length != min(tailBytes, sectors) {
			t.Errorf("%d: the ends are %+v", size, all[:2])
		}
		covered := int64(0)
		for _, s := range all {
			covered += s.length
			if s.from < 0 || s.length <= 0 || s.from+s.length > sectors || s.from%sectorBytes != 0 || s.length%sectorBytes != 0 {
				t.Errorf("%d: %+v", size, s)
			}
		}
		if size <= headBytes+wholeBytes+tailBytes {
			if covered < sectors {
				t.Errorf("%d: %d bytes of %d are looked at", size, covered, sectors)
			}
			continue
		}
		taken := all[len(all)-samples:]
		next := int64(headBytes)
		for _, s := range taken {
			if s.from < next-sampleBytes || s.length != sampleBytes {
				t.Fatalf("%d: %+v after %d", size, s, next)
			}
			next = s.from + s.length
		}
		if slices.Equal(all, spans(size, 2)) || !slices.Equal(all, spans(size, 1)) {
			t.Errorf("%d: the samples are not those of the seed", size)
		}
	}
}

// TestOnePercentIsFound: 1 % of 40 GiB, in scattered pieces of 4 KiB or in one, is
// found with 99.9 % probability by the samples alone. None of 2,000 devices may be
// missed: 99.9 % would miss two.
func TestOnePercentIsFound(t *testing.T) {
	const size, devices = 40 << 30, 2000
	hit := func(data func(block int64) bool, seed uint64) bool {
		all := spans(size, seed)
		return slices.ContainsFunc(all[len(all)-samples:], func(s span) bool { return data(s.from / sampleBytes) })
	}
	missed := map[string]int{}
	for seed := range uint64(devices) {
		strewn := func(block int64) bool { // a hundredth of all blocks, by bit mixing
			x := (uint64(block) ^ seed<<32) * 0x9e3779b97f4a7c15
			x = (x ^ x>>29) * 0xbf58476d1ce4e5b9
			return (x^x>>32)%100 == 0
		}
		const blocks = size / sampleBytes
		from := int64(seed) * (blocks * 98 / 100) / devices
		one := func(block int64) bool { return block >= from && block < from+blocks/100 }
		if !hit(strewn, seed) {
			missed["strewn"]++
		}
		// If the head alone would find it, the samples need not.
		if from > headBytes/sampleBytes && !hit(one, seed) {
			missed["as one"]++
		}
	}
	if len(missed) > 0 {
		t.Errorf("of %d devices: missed %v", devices, missed)
	}
	if p := math.Pow(1-.0034, samples); p > .001 {
		t.Errorf("0.34 %% is missed with a probability of %.2g", p)
	}
}

func TestJudge(t *testing.T) {
	const size = 100 << 20
	all := spans(size, 1)
	for name, c := range map[string]struct {
		change func(b []byte)
		blank  bool
		at     int64
	}{
		"zeros":         {func([]byte) {}, true, 0},
		"erased flash":  {func(b []byte) { copy(b, bytes.Repeat([]byte{0xff}, size)) }, true, 0},
		"one byte":      {func(b []byte) { b[7] = 1 }, false, 7},
		"at 63 sectors": {func(b []byte) { b[63*512] = 1 }, false, 63 * 512},
		"at 1 MiB":      {func(b []byte) { b[1<<20] = 1 }, false, 1 << 20},
		"at 4 MiB":      {func(b []byte) { b[4<<20] = 1 }, false, 4 << 20},
		"at 8 MiB":      {func(b []byte) { b[8<<20] = 1 }, false, 8 << 20},
		"the last MiB":  {func(b []byte) { b[size-1<<20-1] = 1 }, false, size - 1<<20 - 1},
		"the last byte": {func(b []byte) { b[size-1] = 0x80 }, false, size - 1},
		"a sample":      {func(b []byte) { b[all[len(all)-5].from+3] = 1 }, false, all[len(all)-5].from + 3},
	} {
		t.Run(name, func(t *testing.T) {
			b := make([]byte, size)
			c.change(b)
			var parts [][]byte
			for _, s := range all {
				parts = append(parts, b[s.from:s.from+s.length])
			}
			var f Facts
			if f.judge(all, parts); f.Blank != c.blank || f.Written != c.at {
				t.Errorf("blank %v, written at %d", f.Blank, f.Written)
			}
			if len(f.Signatures)+len(f.Tables) > 0 {
				t.Errorf("marks %v %v", f.Signatures, f.Tables)
			}
		})
	}
}

func TestMark(t *testing.T) {
	m := mark{seed: 0xfedc, sum: sum{1, 2, 3}}
	head := append(m.bytes(), 1, 2, 3)
	if got, ok := readMark(head); !ok || got != m || len(m.bytes()) != markBytes {
		t.Errorf("%+v, %v", got, ok)
	}
	changed := bytes.Clone(head)
	changed[markBytes-1] = 1
	for name, b := range map[string][]byte{"nothing": nil, "cut": head[:markBytes-1], "moved": append(make([]byte, 512), head...), "written to": changed,
		"of before samples": append([]byte("assay: this device was given to be overwritten by benchmarks.\nNothing that follows is anybody's data.\n"), make([]byte, markBytes)...)} {
		if _, ok := readMark(b); ok {
			t.Errorf("%s: taken for the mark", name)
		}
	}
}

// TestGivenBack runs one test after another on a device: what assay wrote may
// be overwritten, what somebody else wrote may not.
func TestGivenBack(t *testing.T) {
	device, file := loop(t, deviceBytes)
	ctx, here, v := context.Background(), local.New("here", ""), New(Kind)
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
		if _, is := readMark(b); is != want {
			t.Errorf("at its head is %q", b[:64])
		}
	}
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("needs fio")
	}
	lent(t, true)
	released(t)
	marked(t, false) // nothing was written, so there is nothing to mark

	lent(t, true)
	benchmark()
	released(t)
	marked(t, true)

	// The mark covers what assay wrote, and nothing written later.
	was := make([]byte, 1<<20)
	f, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []int64{4 << 10, 1 << 20, 16 << 20, deviceBytes - 1<<20} {
		_, err1 := f.ReadAt(was, from)
		_, err2 := f.WriteAt([]byte("precious"), from)
		if err := errors.Join(err1, err2, f.Sync()); err != nil {
			t.Fatal(err)
		}
		if _, err := v.Lend(ctx, here, r); err == nil || !strings.Contains(err.Error(), "written to it after that") {
			t.Errorf("data at %d after the mark: lent, %v", from, err)
		}
		_, err = f.WriteAt(was, from)
		if err := errors.Join(err, f.Sync()); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()

	lent(t, true) // again, without a confirmation
	benchmark()
	letGo := func() { // like a lost connection
		was, _ := v.lent.Load(r.ID)
		was.(*lending).held.release()
		was.(*lending).held = nil
	}
	letGo()
	v = New(Kind) // assay was killed
	released(t)
	marked(t, false)
	lent(t, false)
	released(t)
	marked(t, false) // a refused device is not touched

	want.Overwrite = true
	confirmed := r
	confirmed.Names = receiptNames(device, want)
	if _, err := v.Lend(ctx, here, confirmed); err != nil {
		t.Fatal(err)
	}
	released(t)
	marked(t, false) // overwriting was allowed, but did not happen

	fresh := func() {
		run(t, "blkdiscard", "--force", device)
		lent(t, true)
		benchmark()
	}
	fresh()
	above := run(t, "losetup", "--find", "--show", device)
	released(t)
	marked(t, false) // in use by somebody else meanwhile
	run(t, "losetup", "--detach", above)

	fresh()
	mount := t.TempDir()
	for _, other := range [][]string{{"mkswap", device}, {"mkfs.ext4", "-q", "-F", device}, {"mount", device, mount}, {"wipefs", "--all", device}} {
		if out, err := exec.Command(other[0], other[1:]...).CombinedOutput(); err == nil {
			t.Errorf("%v of a device that is lent: %s", other, out)
		}
	}
	letGo()
	run(t, "mkswap", device)
	released(t)
	marked(t, false) // somebody means to

	fresh()
	letGo()
	run(t, "mkfs.ext4", "-q", "-F", device)
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

// name names this process, until the test has ended.
func name(t *testing.T, comm string) {
	t.Helper()
	const own = "/proc/self/comm"
	before, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte(comm), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.WriteFile(own, before, 0) })
}

// TestOtherNames finds who has a device open, whatever name was used to open
// it.
func TestOtherNames(t *testing.T) {
	device, _ := loop(t, 1<<20)
	link := t.TempDir() + "/by:id"
	if err := os.Symlink(device, link); err != nil {
		t.Fatal(err)
	}
	here := local.New("here", "")
	// An escape sequence in a name must not reach the terminal.
	const comm = "hog[31m"
	name(t, "hog\x1b[31m\n")
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
		if got, want := Processes(context.Background(), here, append(found, "0")), fmt.Sprintf("%d (%s), 0", os.Getpid(), comm); got != want {
			t.Errorf("described as %q, want %q", got, want)
		}
	}
	if found, err := InUse(context.Background(), here, link+"2"); err != nil || len(found) > 0 {
		t.Errorf("of what is not there: %v, %v", found, err)
	}
}
