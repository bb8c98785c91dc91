package guard

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/internal/sleep"
	"assay/stacks/kube"
)

// Volume lends block devices. It remembers each one that it has lent until release:
// Release may leave its mark only on those.
type Volume struct {
	kind     string
	strict   bool          // see Strict
	lent     *sync.Map     // *lending by the receipt's id
	patience time.Duration // see orphaned
}

// lending is a device that was lent.
type lending struct {
	file      string // the path handed out for opening
	bytes     int64
	seed      uint64 // of the samples of its contents
	head, sum sum    // see Facts
	held      *holder
}

// New returns a volume of that kind.
func New(kind string) Volume { return Volume{kind: kind, lent: new(sync.Map), patience: orphaned} }

// Strict returns a volume that lends a device only if somebody confirmed it after seeing
// its size and model (Identity.Confirmed), and only if it can be held from the first
// look on.
func (v Volume) Strict() Volume {
	v.strict = true
	return v
}

// Kind is the volume's name in receipts and suites.
func (v Volume) Kind() string { return v.kind }

// Reserve takes the device's path in the pod from the subject's name, and what
// confirms it from its Params: see Identity.
func (v Volume) Reserve(_ context.Context, _ assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := want.Way.Check(v.kind); err != nil {
		return assay.Receipt{}, err
	}
	if err := assay.CheckID(want.ID); err != nil {
		return assay.Receipt{}, err
	}
	params := s.Params
	if params == nil {
		params = inWords(s.Source)
	}
	confirmed, err := IdentityOf(params)
	if err != nil {
		return assay.Receipt{}, fmt.Errorf("block device %s of %s: %w", s.Name, s.Host, err)
	}
	r := assay.Receipt{ID: want.ID, Volume: v.kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes,
		Names: confirmed.Params()}
	r.Names["device"] = s.Name
	_, _, err = v.named(r)
	return r, err
}

// named parses a receipt, and rejects one that Reserve would not have made.
func (v Volume) named(r assay.Receipt) (device string, want Identity, err error) {
	device = r.Names["device"]
	onNode := inPod.ReplaceAllString(device, "/dev/")
	if r.Volume != v.kind || !assay.SafeID(r.ID) || path.Clean(device) != device || !plainDevice.MatchString(onNode) && !byID.MatchString(onNode) {
		return "", want, fmt.Errorf("receipt %q is not for a block device: %q", r.ID, device)
	}
	names := r.Names
	if words, is := names["identity"]; is {
		names = inWords(words)
	}
	want, err = IdentityOf(names)
	return device, want, err
}

// Lend asks the host what the device is and what is on it, and refuses all but the
// named device that nobody uses: see Check. Then it holds the device exclusively,
// looks again, and refuses if anything changed in between. It creates nothing.
func (v Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	device, want, err := v.named(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	var facts Facts
	var held *holder
	err = untilFree(ctx, 0, func() (err error) {
		if facts, err = v.checked(ctx, at, device, want); err == nil {
			held, err = v.holdStill(ctx, at, want, facts)
		}
		return err
	})
	if err != nil {
		return assay.Scratch{}, err
	}
	if want.Reset != "" {
		if err := want.reset(ctx, at, device); err != nil {
			held.release()
			return assay.Scratch{}, err
		}
	}
	file := facts.opened(want)
	v.lent.Store(r.ID, &lending{file, facts.Bytes, facts.seed, facts.head, facts.sum, held})
	return assay.Scratch{File: file, Bytes: min(r.Bytes, facts.Bytes), Devices: []string{facts.Name}, Purge: want.Reset}, nil
}

// checked takes the first look and applies all refusals.
func (v Volume) checked(ctx context.Context, at assay.Place, device string, want Identity) (Facts, error) {
	facts, err := ask(ctx, at, device)
	if err != nil {
		return facts, err
	}
	// Read the contents only if they decide: never from somebody's disk in use.
	refused := checkDevice(want, facts)
	if refused == nil && v.strict && !want.Confirmed {
		refused = facts.refuse("answer the question on a terminal, or repeat the serial: confirm: "+want.Serial+want.Backing,
			"nobody confirmed that it may be overwritten")
	}
	if refused == nil {
		if err := facts.examine(ctx, at, newSeed()); err != nil {
			return facts, err
		}
		word := "overwrite"
		if v.strict {
			word = "lose-data"
		}
		refused = check(want, facts, word)
	}
	if refused != nil {
		return facts, fmt.Errorf("on %s: %w", at.Host().Name, refused)
	}
	return facts, unused(ctx, at, device, "stop them")
}

// holdStill holds a device that was checked, and checks it once more: it must be the
// same, unused, and with unchanged contents.
func (v Volume) holdStill(ctx context.Context, at assay.Place, want Identity, was Facts) (*holder, error) {
	held, err := hold(ctx, at, was.Path)
	if errors.Is(err, assay.ErrNoCommand) && !v.strict {
		held, err = nil, nil // pod images may have neither perl nor Python
	}
	if err != nil {
		return nil, err
	}
	if err := again(ctx, at, want, was, held); err != nil {
		held.release()
		return nil, fmt.Errorf("on %s: %w", at.Host().Name, err)
	}
	return held, nil
}

// again refuses a device that changed since the first look.
func again(ctx context.Context, at assay.Place, want Identity, was Facts, held *holder) error {
	if held != nil && held.number != was.Number {
		return was.refuse("", "it became another device while it was checked: %s, then %s", was.Number, held.number)
	}
	now, err := askOf(ctx, at, was.Path, held != nil)
	if err != nil {
		return err
	}
	if err := checkDevice(want, now); err != nil {
		return err
	}
	if err := now.examine(ctx, at, was.seed); err != nil {
		return err
	}
	if now.Number != was.Number || now.Bytes != was.Bytes || now.head != was.head || now.sum != was.sum {
		return was.refuse("find out who uses it", "it was written to or replaced during the check")
	}
	return unused(ctx, at, was.Path, "stop them", held.processes()...)
}

// opened returns the name to open the device by. A udev link in the node's own /dev
// goes when the device goes, and comes back with it; /dev/sdb may then be another
// device, and the same name in a pod stays whatever happens. A link that was named
// is kept, unless it names a port.
func (f Facts) opened(want Identity) string {
	if strings.Contains(f.Path, "/disk/by-id/") {
		return f.Path
	}
	for _, link := range f.Links {
		if want.Serial != "" && byID.MatchString(inPod.ReplaceAllString(link, "/dev/")) && slices.Contains(linkSerials(link), want.Serial) {
			return link
		}
	}
	return f.Path
}

// unused refuses a device that any visible process other than ours has open.
func unused(ctx context.Context, at assay.Place, device, hint string, ours ...string) error {
	users, err := InUse(ctx, at, device)
	users = slices.DeleteFunc(users, func(process string) bool { return slices.Contains(ours, process) })
	if err == nil && len(users) > 0 {
		return assay.WithHint(hint, "block device %s on %s is %w %s", device, at.Host().Name, errOpen, Processes(ctx, at, users))
	}
	return err
}

// errOpen means that processes have a device open, though nothing holds it.
var errOpen = fmt.Errorf("%w by processes", assay.ErrBusy)

// glance is how long processes may have a device open before that counts as use: udev
// probes what was just written to and closed, smartd and others look in between. On a host
// so busy that one look takes seconds, it is several looks.
const (
	glance = 10 * time.Second
	looks  = 4
)

// untilFree tries again while a device is in use: for patience, and at least for a glance
// where processes only have it open.
func untilFree(ctx context.Context, patience time.Duration, try func() error) error {
	began, pause := time.Now(), glance/50
	for tries := 1; ; tries++ {
		err := try()
		passing := errors.Is(err, errOpen) && (tries < looks || time.Since(began) < glance)
		if !errors.Is(err, assay.ErrBusy) || !passing && time.Since(began) >= patience {
			return err
		}
		if ended := sleep.For(ctx, pause); ended != nil {
			return fmt.Errorf("%w (%w)", err, ended)
		}
		pause = min(2*pause, glance/5)
	}
}

// Release has nothing to remove: what was written stays on the device, unless it is to
// be discarded. It verifies that no process has the device open; if the pod is gone,
// so are its processes. If something was written, and the device was held all the time, it
// leaves the mark that tells the next run so (see mark). For a turn (see ReserveTurn), it restores the setting.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	if r.Names[roleSetting] != "" {
		return v.turnBack(ctx, at, r)
	}
	device, want, err := v.named(r)
	if err != nil {
		return err
	}
	var lent *lending
	if was, is := v.lent.LoadAndDelete(r.ID); is {
		lent = was.(*lending)
		lost := lent.held != nil && lent.held.holds(ctx, at) != nil
		lent.held.release()
		if lost {
			lent = nil // someone else may be using it by now
		}
	}
	err = untilFree(ctx, 0, func() error { return unused(ctx, at, device, "stop them and run: assay cleanup") })
	if err != nil && !errors.Is(err, kube.ErrRemoved) {
		return err
	}
	if lent == nil || err != nil {
		return nil
	}
	return giveBack(ctx, at, *lent, want)
}

// untouched reports whether a device is as it was lent. The facts have the same samples.
func (l lending) untouched(now Facts) bool { return now.sum == l.sum && now.head == l.head }

// giveBack leaves the mark on the device, if it is still the one that was named,
// nobody has begun to use it, and something was written to it. The mark is
// optional: without it, the next run asks for a confirmation.
func giveBack(ctx context.Context, at assay.Place, was lending, want Identity) error {
	facts, err := look(ctx, at, was.file, was.seed)
	want.Overwrite = true // unknown data is what benchmarks wrote
	if err != nil || was.untouched(facts) || facts.Own || len(facts.Signatures) > 0 || Check(want, facts) != nil {
		return nil
	}
	switch {
	case want.Reset != "":
		if err := want.reset(ctx, at, was.file); err != nil {
			return err
		}
		if facts, err = look(ctx, at, was.file, was.seed); err != nil {
			return nil
		}
	case facts.Blank:
		return nil
	}
	_ = mark{facts.seed, facts.sum}.write(ctx, at, was.file)
	return nil
}
