package volumetest

import (
	"context"
	"maps"
	"strings"
	"testing"

	"assay"
)

// Fixture is what the suite needs of a kind of volume.
type Fixture struct {
	Volume  assay.Volume
	Place   assay.Place
	Subject assay.Subject
	// Present reports whether anything that the receipt names exists.
	Present func(t *testing.T, r assay.Receipt) bool
	// Ways are examples of how it lends; none if it has no settings.
	Ways []assay.Way
	// Property returns the current value of one that a way changes; nil if none
	// does.
	Property func(t *testing.T, p assay.Property) string
}

const size = 64 << 20

// Test runs the suite; fresh gives a new fixture.
func Test(t *testing.T, fresh func(t *testing.T) Fixture) {
	t.Helper()
	ctx := context.Background()
	const id = "0123456789abcdef"

	t.Run("reserve creates nothing", func(t *testing.T) {
		f := fresh(t)
		r := reserve(t, f, id)
		if f.Present(t, r) {
			t.Error("something exists before Lend")
		}
		if r.Volume != f.Volume.Kind() || r.Host != f.Subject.Host || r.Subject != f.Subject.ID || r.Bytes != size {
			t.Errorf("the receipt %+v does not say what was reserved", r)
		}
	})
	t.Run("unsafe ids are refused", func(t *testing.T) {
		f := fresh(t)
		for _, bad := range []string{"", "x", "../../../../etc", "0123456789/x", "01234567 89", "$(reboot)aaaa"} {
			if _, err := f.Volume.Reserve(ctx, f.Place, f.Subject, assay.Request{ID: bad, Bytes: size}); err == nil {
				t.Errorf("id %q was accepted", bad)
			}
		}
	})
	t.Run("a way that nobody knows is refused", func(t *testing.T) {
		f := fresh(t)
		want := assay.Request{ID: id, Bytes: size, Way: assay.Way{"no-such-setting": "1"}}
		r, err := f.Volume.Reserve(ctx, f.Place, f.Subject, want)
		if err == nil || assay.Hint(err) == "" || !strings.Contains(err.Error(), "no-such-setting=1") || !strings.Contains(err.Error(), f.Volume.Kind()) {
			t.Errorf("it gave %+v, %v", r, err)
		}
	})
	t.Run("the scratch space exists, and is gone after release", func(t *testing.T) {
		f := fresh(t)
		r := reserve(t, f, id)
		s, err := f.Volume.Lend(ctx, f.Place, r)
		if err != nil {
			t.Fatal(err)
		}
		if !f.Present(t, r) || s.File == "" || s.Bytes <= 0 || s.Bytes > size {
			t.Errorf("lent %+v", s)
		}
		for _, name := range s.Devices {
			counts := "/sys/class/block/" + name + "/stat"
			if out, err := f.Place.Run(ctx, assay.Cmd{Argv: []string{"cat", counts}}); strings.Contains(name, "/") || err != nil || out.Exit != 0 {
				t.Errorf("it lies on device %q, of which the kernel counts nothing: %v %s", name, err, out.Stderr)
			}
		}
		out, err := f.Place.Run(ctx, assay.Cmd{Argv: []string{"dd", "if=/dev/zero", "of=" + s.File, "bs=65536", "count=1"}})
		if err != nil || out.Exit != 0 {
			t.Errorf("the scratch file cannot be written: %v %s", err, out.Stderr)
		}
		release(t, f, r)
		release(t, f, r) // idempotent
		if f.Present(t, r) {
			t.Error("something is left after Release")
		}
	})
	t.Run("release before lend", func(t *testing.T) {
		f := fresh(t)
		release(t, f, reserve(t, f, id))
	})
	t.Run("release after a lend that was cancelled", func(t *testing.T) {
		f := fresh(t)
		r := reserve(t, f, id)
		dead, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := f.Volume.Lend(dead, f.Place, r); err == nil {
			t.Error("a cancelled Lend succeeded")
		}
		release(t, f, r)
		if f.Present(t, r) {
			t.Error("something is left")
		}
	})
	t.Run("the same names are not lent twice", func(t *testing.T) {
		f := fresh(t)
		r := reserve(t, f, id)
		if _, err := f.Volume.Lend(ctx, f.Place, r); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Volume.Lend(ctx, f.Place, r); err == nil {
			t.Error("a second Lend took over what the first had created")
		}
		release(t, f, r)
	})
	t.Run("a way is lent, and what it changed is restored", func(t *testing.T) {
		for _, way := range fresh(t).Ways {
			f := fresh(t)
			r, err := f.Volume.Reserve(ctx, f.Place, f.Subject, assay.Request{ID: id, Bytes: size, Way: way})
			if err != nil {
				t.Fatal(err)
			}
			if f.Present(t, r) || !maps.Equal(r.Way, way) {
				t.Errorf("%v: Reserve made something, or not a note of the way: %+v", way, r)
			}
			restored(t, f, r, "before Lend")
			if _, err := f.Volume.Lend(ctx, f.Place, r); err != nil {
				t.Fatal(err)
			}
			changed := 0
			for _, p := range r.Restore {
				if f.Property(t, p) != p.Value {
					changed++
				}
			}
			if len(r.Restore) > 0 && changed == 0 {
				t.Errorf("%v: lent, and nothing of %+v has changed", way, r.Restore)
			}
			release(t, f, r)
			restored(t, f, r, "after Release")
			release(t, f, r)
			restored(t, f, r, "after a second Release")
		}
	})
	t.Run("a forged receipt is refused", func(t *testing.T) {
		f := fresh(t)
		r := reserve(t, f, id)
		for role := range r.Names {
			forged := r
			forged.Names = map[string]string{role: "/etc"}
			if err := f.Volume.Release(ctx, f.Place, forged); err == nil {
				t.Errorf("released %v", forged.Names)
			}
		}
	})
}

func reserve(t *testing.T, f Fixture, id string) assay.Receipt {
	t.Helper()
	r, err := f.Volume.Reserve(context.Background(), f.Place, f.Subject, assay.Request{ID: id, Bytes: size})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// restored fails the test if a property is not as recorded in the receipt.
func restored(t *testing.T, f Fixture, r assay.Receipt, when string) {
	t.Helper()
	for _, p := range r.Restore {
		if now := f.Property(t, p); now != p.Value {
			t.Errorf("%s: %s of %s is %q and was %q", when, p.Name, p.Of, now, p.Value)
		}
	}
}

func release(t *testing.T, f Fixture, r assay.Receipt) {
	t.Helper()
	if err := f.Volume.Release(context.Background(), f.Place, r); err != nil {
		t.Errorf("release: %v", err)
	}
}
