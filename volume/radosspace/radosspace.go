package radosspace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/stacks/ceph"
)

// Kind is the volume's name in receipts and suites.
const Kind = "radosspace"

// roleSpace is the role of the namespace's name in a receipt.
const roleSpace = "namespace"

// Volume lends namespaces.
type Volume struct{}

// New returns the volume.
func New() Volume { return Volume{} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

// Shares names the cluster: all namespaces lie on the same OSDs.
func (Volume) Shares(s assay.Subject) string { return ceph.Storage(s) }

// Reserve names a namespace.
func (Volume) Reserve(_ context.Context, _ assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := want.Way.Check(Kind); err != nil {
		return assay.Receipt{}, err
	}
	lent, err := ceph.LentOf(s)
	if err != nil {
		return assay.Receipt{}, err
	}
	lent.Access.Spaces = lent.Model
	names, err := lent.Scratch(roleSpace, want.ID)
	if err != nil {
		return assay.Receipt{}, err
	}
	return assay.Receipt{
		ID: want.ID, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes, Sharers: want.Sharers, Names: names,
	}, nil
}

// Lend checks the cluster's health and room. A namespace exists as soon as an object is in
// it, so nothing is created. Scratch.File is POOL/NAMESPACE.
func (Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	space, l, err := ceph.ReadScratch(r, Kind, roleSpace)
	if err != nil {
		return assay.Scratch{}, err
	}
	room, err := l.RoomWithin(ctx, at)
	if err != nil {
		return assay.Scratch{}, err
	}
	bytes, err := ceph.Lendable(r.Bytes, room, r.Sharers, "in pool "+l.Model)
	if err != nil {
		return assay.Scratch{}, err
	}
	objects, err := client{at, l.Access, l.Model, space}.objects(ctx)
	if err == nil && len(objects) > 0 {
		err = fmt.Errorf("namespace %s in pool %s has objects already: %w", space, l.Model, assay.ErrBusy)
	}
	return assay.Scratch{File: l.Model + "/" + space, Bytes: bytes}, err
}

// Release removes all objects of the namespace, and verifies that they are gone. They
// are gone too if their pool is.
func (Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	space, l, err := ceph.ReadScratch(r, Kind, roleSpace)
	if err != nil {
		return err
	}
	c := client{at, l.Access, l.Model, space}
	err = c.empty(ctx)
	if errors.Is(err, assay.ErrNotFound) {
		if gone, unknown := l.Gone(ctx, at); gone || unknown != nil {
			return unknown
		}
	}
	return err
}

// client is rados on one host, in one namespace.
type client struct {
	at          assay.Place
	access      ceph.Access
	pool, space string
}

// removing limits one command that removes objects: a small cluster removes a few hundred
// per second.
const removing = 10 * time.Minute

// atOnce is how many objects are passed to one command.
const atOnce = 500

// benched is the prefix of the objects of rados bench, which has its own command to
// remove many at a time.
const benched = "benchmark_data"

func (c client) empty(ctx context.Context) error {
	if _, err := c.rados(ctx, "cleanup", "--prefix", benched); err != nil {
		return err
	}
	objects, err := c.objects(ctx)
	if err != nil || len(objects) == 0 {
		return err
	}
	for some := range slices.Chunk(objects, atOnce) {
		if _, err := c.rados(ctx, append([]string{"rm"}, some...)...); err != nil && !errors.Is(err, assay.ErrNotFound) {
			return err
		}
	}
	left, err := c.objects(ctx)
	if err == nil && len(left) > 0 {
		err = assay.WithHint("stop the client that still writes them, then run: assay cleanup", "namespace %s in pool %s still has %d objects", c.space, c.pool, len(left))
	}
	return err
}

// objects returns the names of all objects in the namespace.
func (c client) objects(ctx context.Context) ([]string, error) {
	text, err := c.rados(ctx, "ls")
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' }), nil
}

func (c client) rados(ctx context.Context, words ...string) ([]byte, error) {
	argv := c.access.Argv("rados", append([]string{"-p", c.pool, "-N", c.space}, words...)...)
	out, err := c.at.Run(ctx, assay.Cmd{Argv: argv, Timeout: removing})
	what := "rados " + words[0]
	switch {
	case errors.Is(err, assay.ErrNoCommand):
		return nil, assay.WithHint("install ceph-common there", "%s: %s: %w", c.at.Host().Name, what, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %s: %w", c.at.Host().Name, what, err)
	}
	err = c.access.Failed(c.at, what, out)
	// A missing keyring is ENOENT too.
	if err != nil && !errors.Is(err, ceph.ErrDenied) && strings.Contains(string(out.Stderr), "No such file or directory") {
		return nil, fmt.Errorf("%s: %s: pool %s or an object of it: %w", c.at.Host().Name, what, c.pool, assay.ErrNotFound)
	}
	return out.Stdout, err
}
