package guard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"assay"
	"assay/place/local"
)

// glancing is a place where a process has a device open during some of the looks for
// such processes, and at no other time.
type glancing struct {
	assay.Place
	device string
	at     []int // the looks, from 1
	wrote  []byte
	looks  int
}

func (g *glancing) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if len(c.Argv) < 3 || c.Argv[2] != usersScript {
		return g.Place.Run(ctx, c)
	}
	if g.looks++; !slices.Contains(g.at, g.looks) {
		return g.Place.Run(ctx, c)
	}
	fd, err := unix.Open(g.device, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return assay.Output{}, err
	}
	defer unix.Close(fd)
	if _, err := unix.Pwrite(fd, g.wrote, 0); err != nil {
		return assay.Output{}, err
	}
	if err := unix.Fsync(fd); err != nil {
		return assay.Output{}, err
	}
	return g.Place.Run(ctx, c)
}

// udev, smartd and others open a device for a moment. That is no use that refuses it, but
// what they may have written counts.
func TestGlanced(t *testing.T) {
	device, file := loop(t, deviceBytes)
	here := local.New("here", "")
	want := Identity{Backing: file, Confirmed: true}
	for name, looks := range map[string][]int{"when first checked": {1}, "when held": {2}, "both times": {1, 3}} {
		t.Run(name, func(t *testing.T) {
			at := &glancing{Place: here, device: device, at: looks}
			if _, err := lend(t, at, device, want); err != nil {
				t.Errorf("refused at %v: %v", looks, err)
			}
		})
	}
	t.Run("while inspected", func(t *testing.T) {
		at := &glancing{Place: here, device: device, at: []int{1}}
		if _, _, err := Inspect(t.Context(), at, device, want); err != nil || at.looks != 2 {
			t.Errorf("%v after %d looks", err, at.looks)
		}
	})
	t.Run("while held again", func(t *testing.T) {
		l := lendHere(t, here, Identity{})
		l.letGo(t)
		at := &glancing{Place: here, device: l.device, at: []int{1, 3}}
		if err := l.Renew(t.Context(), at, l.receipt); err != nil || !isHeld(t, l.device) {
			t.Errorf("not held again: %v", err)
		}
		if err := l.Release(t.Context(), here, l.receipt); err != nil {
			t.Error(err)
		}
	})
	t.Run("and wrote", func(t *testing.T) {
		at := &glancing{Place: here, device: device, at: []int{2}, wrote: bytes.Repeat([]byte("somebody's"), 4096/8)[:4096]}
		if s, err := lend(t, at, device, want); err == nil || errors.Is(err, assay.ErrBusy) {
			t.Errorf("lent %+v, %v", s, err)
		}
	})
}

// A glance lasts ten seconds, and longer where a look takes longer. Who holds a device or
// has it mounted does not glance.
func TestGlanceIsBounded(t *testing.T) {
	open := fmt.Errorf("it is %w 7", errOpen)
	held := fmt.Errorf("it is %w: mounted", assay.ErrBusy)
	for name, c := range map[string]struct {
		look, patience time.Duration
		said           []error // by each look; the last one by all further ones
		want           error
		after          time.Duration // at least
		within         time.Duration
	}{
		"a quick look":       {time.Millisecond, 0, []error{open, open, nil}, nil, 0, time.Second},
		"slow looks":         {9 * time.Second, 0, []error{open, open, open, nil}, nil, 36 * time.Second, time.Minute},
		"open for good":      {time.Millisecond, 0, []error{open}, open, 10 * time.Second, 13 * time.Second},
		"held":               {time.Millisecond, 0, []error{held}, held, 0, time.Second},
		"held by an orphan":  {time.Millisecond, time.Minute, []error{held, held, held, nil}, nil, 0, 10 * time.Second},
		"held for a minute":  {time.Millisecond, time.Minute, []error{held}, held, time.Minute, 63 * time.Second},
		"glanced, then held": {time.Millisecond, 0, []error{open, held}, held, 0, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, looked := time.Now(), 0
				err := untilFree(t.Context(), c.patience, func() error {
					time.Sleep(c.look)
					looked++
					return c.said[min(looked, len(c.said))-1]
				})
				if took := time.Since(began); !errors.Is(err, c.want) || took < c.after || took > c.within {
					t.Errorf("%v after %s and %d looks, want %v after %s to %s", err, took, looked, c.want, c.after, c.within)
				}
			})
		})
	}
}
