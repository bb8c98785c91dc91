package setting_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"assay"
	"assay/internal/setting"
)

func TestSettingsAreRead(t *testing.T) {
	r := setting.Of("case-1", map[string]string{"op": " write ", "bs": "4KiB", "depth": "16", "jobs": "auto"})
	r.Need("op", "use read or write")
	if op, bs, depth := r.Word("op", "", "read", "write"), r.Size("bs", 1, 512, 1<<20), r.Count("depth", 1, 64); op != "write" || bs != 4096 || depth != 16 {
		t.Errorf("%q %d %d", op, bs, depth)
	}
	if !r.Is("jobs", "auto") || r.Is("size", "auto") {
		t.Error("auto is not told apart")
	}
	if word, n, size := r.Word("sync", "no", "yes"), r.Count("loops", -1, 9), r.Size("size", 7, 1, 2); word != "no" || n != -1 || size != 7 {
		t.Errorf("what is not set is %q %d %d", word, n, size)
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

// What is wrong is said with the case, the setting and what would do.
func TestSettingsAreRefused(t *testing.T) {
	for want, read := range map[string]func(*setting.Reader){
		`case c: x: "7" is not one of read, write`:         func(r *setting.Reader) { r.Word("x", "", "read", "write") },
		`case c: x: "7" is not a whole number from 1 to 6`: func(r *setting.Reader) { r.Count("x", 1, 6) },
		`case c: x: "7" is not a size from 512 to 64m`:     func(r *setting.Reader) { r.Size("x", 512, 512, 64<<20) },
		`case c: x: "7" is not a size of at least 16m`:     func(r *setting.Reader) { r.Size("x", 0, 16<<20, math.MaxInt64) },
		`case c: x: odd`:                                       func(r *setting.Reader) { r.Read("x", func(string) error { return errors.New("odd") }) },
		`case c: x has no effect on 7`:                         func(r *setting.Reader) { r.Word("x", "", "7"); r.Refuse("x has no effect on %d", 7) },
		`case c: y is missing`:                                 func(r *setting.Reader) { r.Word("x", "", "7"); r.Need("y", "give y") },
		`case c: x: unknown setting`:                           func(r *setting.Reader) { r.Word("y", ""); r.Word("z", "") },
		`case c: y is missing, which is said before the other`: nil,
	} {
		r := setting.Of("c", map[string]string{"x": "7"})
		if read == nil {
			read = func(r *setting.Reader) {
				r.Refuse("y is missing, which is said before the other")
				r.Count("x", 1, 6)
			}
		}
		if read(r); r.Err() == nil || r.Err().Error() != want {
			t.Errorf("%v, want %s", r.Err(), want)
		}
	}
	r := setting.Of("c", map[string]string{"x": "7"})
	r.Word("y", "")
	r.Word("z", "")
	if hint := assay.Hint(r.Err()); hint != "valid settings are y and z" {
		t.Error(hint)
	}
}

func TestAmbiguousSizesAreRefused(t *testing.T) {
	for _, word := range []string{"4KB", "4kB", "1MB", "", "-4k", "4k8", "99999999999t"} {
		r := setting.Of("c", map[string]string{"bs": word})
		if r.Size("bs", 1, 1, 1<<40); r.Err() == nil || !strings.Contains(r.Err().Error(), "bs") {
			t.Errorf("%q: %v", word, r.Err())
		}
	}
	for word, want := range map[string]int64{"512": 512, "512B": 512, "4k": 4096, "4K": 4096, "4KiB": 4096, "1m": 1 << 20, "2g": 2 << 30} {
		r := setting.Of("c", map[string]string{"bs": word})
		if got := r.Size("bs", 1, 1, 1<<40); got != want || r.Err() != nil {
			t.Errorf("%q: %d, %v", word, got, r.Err())
		}
	}
}

func TestSizesAreWordsThatReadBack(t *testing.T) {
	for n, want := range map[int64]string{512: "512", 1024: "1k", 4096: "4k", 1 << 20: "1m", 3 << 20: "3m", 1<<20 + 1: "1048577", 5 << 30: "5g"} {
		if got := setting.SizeWord(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
		if back, ok := assay.ParseSize(want); !ok || back != n {
			t.Errorf("%q reads back as %d", want, back)
		}
	}
}
