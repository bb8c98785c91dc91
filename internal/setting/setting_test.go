package setting_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/setting"
)

func TestSettingsAreRead(t *testing.T) {
	r := setting.Of("case-1", map[string]string{"op": " write ", "bs": "4KiB", "depth": "16", "jobs": "auto", "idle": "2.5"})
	r.Need("op", "use read or write")
	if op, bs, depth := r.Word("op", "", "read", "write"), r.Size("bs", 1, 512, 1<<20), r.Count("depth", 1, 1, 64); op != "write" || bs != 4096 || depth != 16 {
		t.Errorf("%q %d %d", op, bs, depth)
	}
	if jobs, size, idle, settle := r.CountOr("auto", "jobs", 1, 1, 9), r.SizeOr("auto", "size", 7, 1, 9), r.Seconds("idle", 0, time.Minute), r.Seconds("settle", time.Hour, time.Minute); jobs != 0 || size != 7 || idle != 2500*time.Millisecond || settle != time.Hour {
		t.Error(jobs, size, idle, settle)
	}
	if !r.Is("jobs", "auto") || r.Is("size", "auto") {
		t.Error("auto is not told apart")
	}
	if word, n, size := r.Word("sync", "no", "yes"), r.Count("loops", -1, 1, 9), r.Size("size", 7, 1, 2); word != "no" || n != -1 || size != 7 {
		t.Errorf("what is not set is %q %d %d", word, n, size)
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

// Errors name the case, the setting and what would be valid.
func TestSettingsAreRefused(t *testing.T) {
	for want, read := range map[string]func(*setting.Reader){
		`case c: x: "7" is not one of read, write`:                      func(r *setting.Reader) { r.Word("x", "", "read", "write") },
		`case c: x: "7" is not a whole number from 1 to 6`:              func(r *setting.Reader) { r.Count("x", 1, 1, 6) },
		`case c: x: "7" is not a size from 512 to 64m`:                  func(r *setting.Reader) { r.Size("x", 512, 512, 64<<20) },
		`case c: x: "7" is not a size of at least 16m`:                  func(r *setting.Reader) { r.Size("x", 0, 16<<20, math.MaxInt64) },
		`case c: x: "7" is not a number of seconds from 0 to 6`:         func(r *setting.Reader) { r.Seconds("x", 0, 6*time.Second) },
		`case c: x: "7" is neither auto nor a whole number from 8 to 9`: func(r *setting.Reader) { r.CountOr("auto", "x", 0, 8, 9) },
		`case c: x: "7" is neither auto nor a size from 512 to 1k`:      func(r *setting.Reader) { r.SizeOr("auto", "x", 0, 512, 1024) },
		`case c: x has no effect when y is z`: func(r *setting.Reader) {
			r.NoEffect("w", true, "v")
			r.NoEffect("x", false, "v")
			r.NoEffect("x", true, "y is z")
		},
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
				r.Count("x", 1, 1, 6)
			}
		}
		if read(r); r.Err() == nil || r.Err().Error() != want {
			t.Errorf("%v, want %s", r.Err(), want)
		}
	}
	for want, read := range map[string]func(*setting.Reader){
		"valid settings are y and z":            func(r *setting.Reader) { r.Word("y", ""); r.Word("z", "") },
		"this probe has no settings: remove it": func(*setting.Reader) {},
		"use a, b or c":                         func(r *setting.Reader) { r.Word("x", "", "7"); r.Choice("y", "a", "b", "c") },
	} {
		r := setting.Of("c", map[string]string{"x": "7"})
		if read(r); assay.Hint(r.Err()) != want {
			t.Errorf("%v: %q, want %q", r.Err(), assay.Hint(r.Err()), want)
		}
	}
}

// A trial has settings that no case may have; those that a case may have are read as
// strictly.
func TestStoredSettings(t *testing.T) {
	r := setting.Stored("c", map[string]string{"op": "read", "source": "urandom", "jobs": "many"})
	if r.Choice("op", "read"); r.Err() != nil {
		t.Error(r.Err())
	}
	if r.Count("jobs", 1, 1, 2); r.Err() == nil {
		t.Error("a wrong value was taken")
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
