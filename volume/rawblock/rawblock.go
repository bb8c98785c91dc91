package rawblock

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"assay"
	"assay/internal/lazyregexp"
	"assay/kube"
)

// Kind is the volume's name in receipts and suites.
const Kind = "rawblock"

// Volume lends block devices of nodes. It remembers what it has lent until that is
// released: only there may Release leave its mark.
type Volume struct {
	lent *sync.Map // lending by the receipt's id
}

// lending is a device that was lent.
type lending struct {
	file      string // what was given to be opened
	seed      uint64 // of the samples of what was on it
	head, sum sum    // see Facts
}

// New returns the volume.
func New() Volume { return Volume{new(sync.Map)} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

var safeID = lazyregexp.New(`^[0-9a-z]{8,64}$`)

// Reserve takes the path of the device in the pod as the subject's name, and what
// confirms it from its Params: see Identity.
func (Volume) Reserve(_ context.Context, _ assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := want.Way.Check(Kind); err != nil {
		return assay.Receipt{}, err
	}
	if !safeID.MatchString(want.ID) {
		return assay.Receipt{}, fmt.Errorf("invalid scratch id %q: need 8 to 64 of 0-9 and a-z", want.ID)
	}
	params := s.Params
	if params == nil {
		params = inWords(s.Source)
	}
	confirmed, err := identityOf(params)
	if err != nil {
		return assay.Receipt{}, fmt.Errorf("block device %s of %s: %w", s.Name, s.Host, err)
	}
	r := assay.Receipt{ID: want.ID, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes,
		Names: confirmed.Params()}
	r.Names["device"] = s.Name
	_, _, err = named(r)
	return r, err
}

// named reads a receipt, and refuses one that Reserve would not have made.
func named(r assay.Receipt) (device string, want Identity, err error) {
	device = r.Names["device"]
	onNode := inPod.ReplaceAllString(device, "/dev/")
	if r.Volume != Kind || !safeID.MatchString(r.ID) || path.Clean(device) != device || !plainDevice.MatchString(onNode) && !byID.MatchString(onNode) {
		return "", want, fmt.Errorf("receipt %q is not for a block device: %q", r.ID, device)
	}
	names := r.Names
	if words, is := names["identity"]; is {
		names = inWords(words)
	}
	want, err = identityOf(names)
	return device, want, err
}

// Lend asks the node what the device is and what is on it, and refuses all but
// the one that was named and that nobody uses: see Check. It creates nothing.
func (v Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	device, want, err := named(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	facts, err := ask(ctx, at, device)
	if err != nil {
		return assay.Scratch{}, err
	}
	// What is on it is read only where that decides: not from somebody's disk in use.
	refused := checkDevice(want, facts)
	if refused == nil {
		if err := facts.examine(ctx, at, newSeed()); err != nil {
			return assay.Scratch{}, err
		}
		refused = Check(want, facts)
	}
	if refused != nil {
		return assay.Scratch{}, fmt.Errorf("on %s: %w", at.Host().Name, refused)
	}
	if err := unused(ctx, at, device, "stop them"); err != nil {
		return assay.Scratch{}, err
	}
	file := facts.opened(want)
	v.lent.Store(r.ID, lending{file, facts.seed, facts.head, facts.sum})
	return assay.Scratch{File: file, Bytes: min(r.Bytes, facts.Bytes), Devices: []string{facts.Name}}, nil
}

// opened returns the name by which the device is to be opened. A link of udev in the
// node's own /dev goes when the device goes, and comes back with it; /dev/sdb is
// then another device, and one of the same name in a pod stays whatever happens.
// One that was named is kept, unless it names a socket.
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

// unused refuses a device that a process has open, as far as they can be seen.
func unused(ctx context.Context, at assay.Place, device, hint string) error {
	users, err := InUse(ctx, at, device)
	if err == nil && len(users) > 0 {
		return assay.WithHint(hint, "block device %s on %s is %w by processes %s",
			device, at.Host().Name, assay.ErrBusy, strings.Join(users, ", "))
	}
	return err
}

// Release finds nothing to remove: what was written stays on the device. It sees
// that no process has it open any more. With the pod all of them are gone. Where
// something was written, it leaves the mark by which the next run knows that (see mark).
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	device, want, err := named(r)
	if err != nil {
		return err
	}
	err = unused(ctx, at, device, "stop them and run: assay cleanup")
	if err != nil && !errors.Is(err, kube.ErrRemoved) {
		return err
	}
	if was, is := v.lent.LoadAndDelete(r.ID); is && err == nil {
		markWritten(ctx, at, was.(lending), want)
	}
	return nil
}

// markWritten leaves the mark on what was lent, if it is still the device that was
// named, nobody has begun to use it, and something was written to it. It is a
// kindness: where it cannot be left, the next run asks for a confirmation.
func markWritten(ctx context.Context, at assay.Place, was lending, want Identity) {
	facts, err := look(ctx, at, was.file, was.seed)
	want.Overwrite = true // what nobody knows is what benchmarks wrote
	untouched := facts.sum == was.sum && facts.head == was.head
	if err != nil || untouched || facts.Blank || facts.Own || len(facts.Signatures) > 0 || Check(want, facts) != nil {
		return
	}
	_ = mark{facts.seed, facts.sum}.write(ctx, at, was.file)
}
