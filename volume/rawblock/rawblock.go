package rawblock

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"assay"
	"assay/kube"
)

// Kind is the volume's name in receipts and suites.
const Kind = "rawblock"

// Volume lends block devices of nodes.
type Volume struct{}

// New gives the volume.
func New() Volume { return Volume{} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

var safeID = regexp.MustCompile(`^[0-9a-z]{8,64}$`)

// Reserve takes the path of the device in the pod as the subject's name, and what
// confirms it from its Source: see Identity.
func (Volume) Reserve(id string, s assay.Subject, bytes int64) (assay.Receipt, error) {
	if !safeID.MatchString(id) {
		return assay.Receipt{}, fmt.Errorf("scratch id %q is not 8 to 64 of 0-9 and a-z", id)
	}
	want, err := ParseIdentity(s.Source)
	if err != nil {
		return assay.Receipt{}, fmt.Errorf("block device %s of %s: %w", s.Name, s.Host, err)
	}
	r := assay.Receipt{ID: id, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: bytes,
		Names: map[string]string{"device": s.Name, "identity": want.String()}}
	_, _, err = named(r)
	return r, err
}

// named reads a receipt, and refuses one that Reserve would not have made.
func named(r assay.Receipt) (device string, want Identity, err error) {
	device = r.Names["device"]
	inPod := strings.TrimPrefix(device, strings.TrimSuffix(nodeDevices, "/dev"))
	if r.Volume != Kind || !safeID.MatchString(r.ID) || path.Clean(device) != device || !plainDevice.MatchString(inPod) && !byID.MatchString(inPod) {
		return "", want, fmt.Errorf("receipt %q does not name a block device: %q", r.ID, device)
	}
	want, err = ParseIdentity(r.Names["identity"])
	return device, want, err
}

// Lend asks the node what the device is and what is on it, and refuses all but
// the one that was named and that nobody uses: see Check. It creates nothing.
func (Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	device, want, err := named(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	facts, err := Look(ctx, at, device)
	if err != nil {
		return assay.Scratch{}, err
	}
	if err := Check(want, facts); err != nil {
		return assay.Scratch{}, fmt.Errorf("on %s: %w", at.Host().Name, err)
	}
	file, err := kernelName(ctx, at, facts)
	if err != nil {
		return assay.Scratch{}, err
	}
	return assay.Scratch{File: file, Bytes: min(r.Bytes, facts.Bytes)}, nil
}

// kernelName gives the device as /dev/sdb, by which tools and facts know it, where
// the pod has it under that name as well.
func kernelName(ctx context.Context, at assay.Place, f Facts) (string, error) {
	name := "/dev/" + f.Name
	if name == f.Path {
		return name, nil
	}
	same, err := Look(ctx, at, name)
	if err != nil {
		return "", err
	}
	if same.Number == f.Number {
		return name, nil
	}
	return f.Path, nil
}

// Release finds nothing to remove: what was written stays on the device. It sees
// that no process has it open any more. With the pod all of them are gone.
func (Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	device, _, err := named(r)
	if err != nil {
		return err
	}
	users, err := InUse(ctx, at, device)
	switch {
	case errors.Is(err, kube.ErrRemoved):
		return nil
	case err != nil:
		return err
	case len(users) > 0:
		return assay.WithHint("end them, and run: assay cleanup", "block device %s on %s is %w: by the processes %s",
			device, at.Host().Name, assay.ErrBusy, strings.Join(users, ", "))
	}
	return nil
}
