package guard

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/place/local"
)

// meddler is a place where something happens just before a device is held, and
// just after.
type meddler struct {
	assay.Place
	before, held func()
}

func (m meddler) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if strings.Contains(string(c.Stdin), "exec perl") {
		m.before()
		if tell := c.OnStdout; tell != nil {
			c.OnStdout = func(piece []byte) bool {
				m.held()
				return tell(piece)
			}
		}
	}
	return m.Place.Run(ctx, c)
}

// Any change between the check and the first write is detected.
func TestChangedWhileChecked(t *testing.T) {
	device, file := loop(t, deviceBytes)
	here, none := local.New("here", ""), func() {}
	want := Identity{Backing: file, Overwrite: true, Confirmed: true}
	data := func() { put(t, device, 16<<20, random(64<<10)) }
	for name, c := range map[string]struct {
		before, held func()
		words        string
	}{
		"nobody":             {none, none, ""},
		"written to before":  {data, none, "it was written to or replaced during the check"},
		"written to as held": {none, data, "it was written to or replaced during the check"},
		"mounted":            {func() { run(t, "swapon", "--fixpgsz", device) }, none, "somebody began to use it"},
		"read-only":          {none, func() { run(t, "blockdev", "--setro", device) }, "read-only"},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, "blkdiscard", "--force", device)
			if name == "mounted" {
				run(t, "mkswap", device)
			}
			defer func() {
				run(t, "blockdev", "--setrw", device)
				_ = exec.Command("swapoff", device).Run()
			}()
			v := New(Kind).Strict()
			r, err := v.Reserve(t.Context(), here, assay.Subject{Host: "here", Name: device, Params: want.Params()}, assay.Request{ID: "0123456789abcdef", Bytes: 1 << 40})
			if err != nil {
				t.Fatal(err)
			}
			_, err = v.Lend(t.Context(), meddler{here, c.before, c.held}, r)
			if got := err == nil; got != (c.words == "") || err != nil && !strings.Contains(err.Error(), c.words) {
				t.Errorf("got %v, want %q", err, c.words)
			}
			run(t, "blockdev", "--setrw", device)
			_ = exec.Command("swapoff", device).Run()
			if err := v.Release(t.Context(), here, r); err != nil {
				t.Error(err)
			}
			eventuallyFree(t, here, device)
		})
	}
}

// watched is a place where something happens after a query for who has a device open.
type watched struct {
	assay.Place
	then func()
}

func (w watched) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	out, err := w.Place.Run(ctx, c)
	if slices.Contains(c.Argv, usersScript) {
		w.then()
	}
	return out, err
}

// TestReleaseOutlastsAGlance: udev briefly opens a device that was closed after
// writing. That does not count as use.
func TestReleaseOutlastsAGlance(t *testing.T) {
	device, file := loop(t, deviceBytes)
	here := local.New("here", "")
	v := New(Kind)
	want := Identity{Backing: file}
	r, err := v.Reserve(t.Context(), here, assay.Subject{Host: "here", Name: device, Params: want.Params()}, assay.Request{ID: "0123456789abcdef", Bytes: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Lend(t.Context(), here, r); err != nil {
		t.Fatal(err)
	}
	opened, err := os.Open(device)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	asked := 0
	err = v.Release(t.Context(), watched{here, func() {
		if asked++; asked == 2 {
			_ = opened.Close()
		}
	}}, r)
	if err != nil || asked < 3 {
		t.Errorf("after %d looks: %v", asked, err)
	}
}

// TestStrict: nothing unconfirmed is lent, nor anything that cannot be held.
func TestStrict(t *testing.T) {
	device, file := loop(t, deviceBytes)
	here := local.New("here", "")
	before := contents(t, file)
	lent := func(at assay.Place, want Identity) error {
		v := New(Kind).Strict()
		r, err := v.Reserve(t.Context(), at, assay.Subject{Host: "here", Name: device, Params: want.Params()}, assay.Request{ID: "0123456789abcdef", Bytes: 1 << 40})
		if err != nil {
			t.Fatal(err)
		}
		_, err = v.Lend(t.Context(), at, r)
		return errors.Join(err, v.Release(t.Context(), here, r))
	}
	if err := lent(here, Identity{Backing: file}); err == nil || !strings.Contains(err.Error(), "nobody confirmed") {
		t.Errorf("lent without a confirmation: %v", err)
	}
	if err := lent(here, Identity{Backing: file, Overwrite: true}); err == nil || !strings.Contains(err.Error(), "nobody confirmed") {
		t.Errorf("lent without a confirmation: %v", err)
	}
	if err := lent(with(t, here, "wipefs"), Identity{Backing: file, Confirmed: true}); !errors.Is(err, assay.ErrNoCommand) {
		t.Errorf("lent without being held: %v", err)
	}
	if contents(t, file) != before {
		t.Error("it was written to")
	}
	if err := lent(here, Identity{Backing: file, Confirmed: true}); err != nil {
		t.Error(err)
	}
}

// TestDiscarded: reset: discard leaves nothing of the old content, only assay's
// mark.
func TestDiscarded(t *testing.T) {
	device, file := loop(t, deviceBytes)
	here := local.New("here", "")
	put(t, device, 12<<20, random(1<<20))
	want := Identity{Backing: file, Confirmed: true, Reset: ResetDiscard}
	reserve := func(v Volume, want Identity) assay.Receipt {
		r, err := v.Reserve(t.Context(), here, assay.Subject{Host: "here", Name: device, Params: want.Params()}, assay.Request{ID: "0123456789abcdef", Bytes: 1 << 40})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	v := New(Kind).Strict()
	before := contents(t, file)
	if _, err := v.Lend(t.Context(), here, reserve(v, want)); err == nil || !strings.Contains(assay.Hint(err), "lose-data: "+file) {
		t.Errorf("lent what is not blank: %v", err)
	}
	run(t, "sync", file)
	if contents(t, file) != before {
		t.Error("what was refused was discarded")
	}
	want.Overwrite = true
	r := reserve(v, want)
	if lent, err := v.Lend(t.Context(), here, r); err != nil || lent.Purge != ResetDiscard {
		t.Fatalf("%+v, %v", lent, err)
	}
	f, err := Look(t.Context(), here, device)
	if err != nil || !f.Blank {
		t.Errorf("it is not blank at %d: %v", f.Written, err)
	}
	put(t, device, 18<<20, random(1<<20))
	if err := v.Release(t.Context(), here, r); err != nil {
		t.Fatal(err)
	}
	if f, err = Look(t.Context(), here, device); err != nil || !f.Own || f.Blank {
		t.Errorf("it does not bear the mark: %+v, %v", f, err)
	}
	want.Overwrite = false // the mark vouches for it
	r = reserve(v, want)
	if _, err := v.Lend(t.Context(), here, r); err != nil {
		t.Error(err)
	}
	if err := v.Release(t.Context(), here, r); err != nil {
		t.Error(err)
	}
}
