package guard

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay"
	"assay/place/local"
)

var _ assay.Holder = Volume{}

// lentHere is a device of this machine that is lent and was written to.
type lentHere struct {
	Volume
	device, file string
	receipt      assay.Receipt
}

func (l lentHere) lending(t *testing.T) *lending {
	t.Helper()
	known, is := l.lent.Load(l.receipt.ID)
	if !is {
		t.Fatal("nothing is lent")
	}
	return known.(*lending)
}

// letGo ends the holder, as the far side does when it loses contact.
func (l lentHere) letGo(t *testing.T) {
	t.Helper()
	h := l.lending(t).held
	run(t, "kill", "-KILL", h.process)
	<-h.ended
}

func lendHere(t *testing.T, at assay.Place, want Identity) lentHere {
	t.Helper()
	device, file := loop(t, deviceBytes)
	want.Backing, want.Confirmed = file, true
	v := New(Kind).Strict()
	v.patience = 0
	r, err := v.Reserve(t.Context(), at, assay.Subject{Host: "here", Name: device, Params: want.Params()}, assay.Request{ID: "0123456789abcdef", Bytes: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Lend(t.Context(), at, r); err != nil {
		t.Fatal(err)
	}
	put(t, device, 0, bytes.Repeat([]byte("measured"), 1<<20))
	return lentHere{v, device, file, r}
}

func isHeld(t *testing.T, device string) bool {
	t.Helper()
	f, err := Look(t.Context(), local.New("here", ""), device)
	if err != nil || f.Exclusive == nil {
		t.Fatal(f, err)
	}
	return !*f.Exclusive
}

// A device whose holder was killed is held again before the next repeat, and given back
// with the mark.
func TestHeldAgain(t *testing.T) {
	here := local.New("here", "")
	l := lendHere(t, here, Identity{})
	first := l.lending(t).held.process
	if err := l.Renew(t.Context(), here, l.receipt); err != nil || l.lending(t).held.process != first {
		t.Errorf("held all the time: %v, by %s then %s", err, first, l.lending(t).held.process)
	}
	l.letGo(t)
	if isHeld(t, l.device) {
		t.Fatal("it is held still")
	}
	if err := l.Renew(t.Context(), here, l.receipt); err != nil || !isHeld(t, l.device) {
		t.Fatalf("not held again: %v (%s)", err, assay.Hint(err))
	}
	if err := l.Release(t.Context(), here, l.receipt); err != nil {
		t.Fatal(err)
	}
	if f, err := Look(t.Context(), here, l.device); err != nil || !f.Own {
		t.Errorf("it does not bear the mark: %+v, %v", f, err)
	}
	eventuallyFree(t, here, l.device)
}

// What somebody took while nobody held it is theirs: it is not held, and Release writes
// nothing to it, not even what reset: would.
func TestTakenWhileNotHeld(t *testing.T) {
	nothing := func() {}
	for name, c := range map[string]struct {
		take  func(t *testing.T, l lentHere) (end func())
		words string
	}{
		"a file system": {func(t *testing.T, l lentHere) func() {
			run(t, "mkfs.ext4", "-q", "-F", l.device)
			return nothing
		}, "a signature of ext"},
		"held open": {func(t *testing.T, l lentHere) func() {
			fd, err := unix.Open(l.device, unix.O_RDWR|unix.O_EXCL|unix.O_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			return func() { _ = unix.Close(fd) }
		}, "held open"},
		"a partition table": {func(t *testing.T, l lentHere) func() {
			table := make([]byte, 512)
			copy(table[446:], "\x00\x00\x02\x00\x83\x00\x3f\x00\x00\x08\x00\x00\x00\x40\x00\x00")
			table[510], table[511] = 0x55, 0xaa
			put(t, l.device, 0, table)
			return nothing
		}, "partition"},
		"another drive": {func(t *testing.T, l lentHere) func() {
			// The kernel tells the file's present name. The old one is for the checksum.
			run(t, "mv", l.file, l.file+".other")
			run(t, "ln", l.file+".other", l.file)
			return nothing
		}, "backing file mismatch"},
		"another size": {func(t *testing.T, l lentHere) func() {
			run(t, "truncate", "--size", "33M", l.file)
			run(t, "losetup", "--set-capacity", l.device)
			return nothing
		}, "its size changed"},
	} {
		t.Run(name, func(t *testing.T) {
			here := local.New("here", "")
			l := lendHere(t, here, Identity{Reset: ResetDiscard})
			l.letGo(t)
			end := c.take(t, l)
			run(t, "sync", l.file)
			before := contents(t, l.file)
			err := l.Renew(t.Context(), here, l.receipt)
			if err == nil || errors.Is(err, assay.ErrHostGone) || !strings.Contains(err.Error(), c.words) || !strings.Contains(err.Error(), "nothing more is written to it") {
				t.Errorf("got %v, want %q", err, c.words)
			}
			if err := l.Renew(t.Context(), here, l.receipt); err == nil {
				t.Error("held the second time")
			}
			end()
			if err := l.Release(t.Context(), here, l.receipt); err != nil {
				t.Error(err)
			}
			run(t, "sync", l.file)
			if contents(t, l.file) != before {
				t.Error("it was written to")
			}
		})
	}
}

// severed is a place that loses contact when told to: the command that holds a device
// ends here, and goes on over there until it is reaped.
type severed struct {
	assay.Place
	lost  chan struct{}
	reap  context.CancelFunc
	tries int // to look at the device since
}

func (s *severed) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	select {
	case <-s.lost: // contact is back
		if string(c.Stdin) == lookScript {
			if s.tries++; s.tries == 2 {
				s.reap()
			}
		}
		return s.Place.Run(ctx, c)
	default:
	}
	if string(c.Stdin) != holdScript {
		return s.Place.Run(ctx, c)
	}
	far, reap := context.WithCancel(context.Background())
	s.reap = reap
	type end struct {
		out assay.Output
		err error
	}
	ended := make(chan end, 1)
	go func() {
		out, err := s.Place.Run(far, c)
		ended <- end{out, err}
	}()
	select {
	case e := <-ended:
		return e.out, e.err
	case <-ctx.Done():
		reap()
		e := <-ended
		return e.out, e.err
	case <-s.lost:
		return assay.Output{}, assay.ErrHostGone
	}
}

// Our own holder may outlive the connection for a while: that is waited for.
func TestOrphanIsWaitedFor(t *testing.T) {
	at := &severed{Place: local.New("here", ""), lost: make(chan struct{})}
	l := lendHere(t, at, Identity{})
	l.patience = 5 * time.Minute
	h := l.lending(t).held
	close(at.lost)
	<-h.ended
	if err := l.Renew(t.Context(), at, l.receipt); err != nil || !isHeld(t, l.device) || at.tries < 3 {
		t.Errorf("after %d looks: %v", at.tries, err)
	}
	if err := l.Release(t.Context(), at, l.receipt); err != nil {
		t.Error(err)
	}
}

// While a host cannot be reached, nothing is decided: its device is held again later.
func TestHostThatIsAway(t *testing.T) {
	here := local.New("here", "")
	l := lendHere(t, here, Identity{})
	l.letGo(t)
	if err := l.Renew(t.Context(), away{here}, l.receipt); !errors.Is(err, assay.ErrHostGone) {
		t.Errorf("got %v", err)
	}
	if err := l.Renew(t.Context(), here, l.receipt); err != nil || !isHeld(t, l.device) {
		t.Errorf("not held again: %v", err)
	}
	// Its holder may have ended without anybody here knowing yet.
	h := l.lending(t).held
	stopped := *h
	stopped.ended = make(chan struct{})
	l.lending(t).held = &stopped
	run(t, "kill", "-KILL", h.process)
	<-h.ended
	if err := stopped.holds(t.Context(), here); !errors.Is(err, errLetGo) {
		t.Errorf("got %v", err)
	}
	l.lending(t).held = h
	if err := l.Release(t.Context(), here, l.receipt); err != nil {
		t.Error(err)
	}
}

type away struct{ assay.Place }

func (away) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, assay.ErrHostGone
}
