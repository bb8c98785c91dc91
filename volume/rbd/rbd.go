package rbd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"assay"
	"assay/internal/sleep"
	"assay/stacks/ceph"
)

// Kind is the volume's name in receipts and suites.
const Kind = "rbd"

// Settings of a case's lend: how the image is accessed, and librbd's cache.
const (
	WayDriver = "driver" // librbd or krbd; librbd by default
	WayCache  = "cache"  // none or writeback; by default as the cluster is set up
)

const (
	librbd, krbd    = "librbd", "krbd"
	none, writeback = "none", "writeback"
)

// Volume lends images.
type Volume struct{}

// New returns the volume.
func New() Volume { return Volume{} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

// roleImage is the role of the image's name in a receipt.
const roleImage = "image"

// Reserve names an image.
func (Volume) Reserve(_ context.Context, _ assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := check(want.Way); err != nil {
		return assay.Receipt{}, err
	}
	lent, err := ceph.LentOf(s)
	if err != nil {
		return assay.Receipt{}, err
	}
	lent.Access.Images = lent.Model
	names, err := lent.Scratch(roleImage, want.ID)
	if err != nil {
		return assay.Receipt{}, err
	}
	return assay.Receipt{
		ID: want.ID, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes, Way: want.Way,
		Names: names,
	}, nil
}

// check rejects an unknown way, and one that would change nothing.
func check(w assay.Way) error {
	if err := w.Check(Kind, WayDriver, WayCache); err != nil {
		return err
	}
	for _, s := range []struct {
		name    string
		allowed []string
	}{{WayDriver, []string{librbd, krbd}}, {WayCache, []string{none, writeback}}} {
		if v, set := w[s.name]; set && !slices.Contains(s.allowed, v) {
			return fmt.Errorf("%s volumes cannot be lent with %s=%s: it is %s or %s", Kind, s.name, v, s.allowed[0], s.allowed[1])
		}
	}
	if w[WayDriver] == krbd && w[WayCache] != "" {
		return assay.WithHint("leave out cache, and set direct: 0 in the case for its page cache", "krbd has no cache of librbd's")
	}
	return nil
}

// read parses a receipt, and rejects one that Reserve would not have made: it comes
// from a file, and Release removes the image that it names.
func read(r assay.Receipt) (image string, l ceph.Lent, err error) {
	if image, l, err = ceph.ReadScratch(r, Kind, roleImage); err == nil {
		err = check(r.Way)
	}
	if err != nil {
		return "", ceph.Lent{}, err
	}
	return image, l, nil
}

// Lend creates the image after checking the cluster's health, with the features that new
// images there get. It lends a quarter of the room that Ceph reports for the pool: that
// figure is for the fullest OSD, and several hosts may have an image each.
func (Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	image, l, err := read(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	c := client{at, l}
	room, err := l.RoomWithin(ctx, at)
	if err != nil {
		return assay.Scratch{}, err
	}
	bytes, err := ceph.Lendable(r.Bytes, room, 2, "for an image in pool "+l.Model)
	if err != nil {
		return assay.Scratch{}, err
	}
	bytes = bytes >> 20 << 20
	there, err := c.images(ctx)
	if err != nil {
		return assay.Scratch{}, err
	}
	if slices.Contains(there, image) {
		return assay.Scratch{}, fmt.Errorf("image %s/%s is there: %w", l.Model, image, assay.ErrBusy)
	}
	if _, err := c.rbd(ctx, "create", "--size", strconv.FormatInt(bytes, 10)+"B", c.spec(image)); err != nil {
		return assay.Scratch{}, err
	}
	if r.Way[WayDriver] == krbd {
		device, err := c.mapped(ctx, image)
		return assay.Scratch{File: "/dev/" + device, Bytes: bytes, Devices: []string{device}}, err
	}
	lent, err := c.describe(ctx, image, r.Way[WayCache])
	return assay.Scratch{Bytes: bytes, Image: lent}, err
}

// Release removes the image, and verifies that it is gone, alone or with its pool.
func (Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	image, l, err := read(r)
	if err != nil {
		return err
	}
	c := client{at, l}
	if r.Way[WayDriver] == krbd {
		if err := c.unmap(ctx, image); err != nil {
			return err
		}
	}
	return c.remove(ctx, image)
}

// watched is how long a killed client may keep an image open: Ceph forgets one
// that is silent for 30 s.
const watched = 90 * time.Second

// remove removes an image, even one that was only half created and that no list
// shows.
func (c client) remove(ctx context.Context, image string) error {
	for deadline := time.Now().Add(watched); ; {
		_, err := c.rbd(ctx, "rm", "--no-progress", c.spec(image))
		switch {
		case err == nil || errors.Is(err, assay.ErrNotFound):
			there, err := c.images(ctx)
			if errors.Is(err, assay.ErrNotFound) {
				if gone, unknown := c.Gone(ctx, c.at); gone || unknown != nil {
					return unknown
				}
			}
			if err == nil && slices.Contains(there, image) {
				err = fmt.Errorf("%s: image %s is still there after rbd rm", c.at.Host().Name, c.spec(image))
			}
			return err
		case !errors.Is(err, assay.ErrBusy) || time.Now().After(deadline):
			return assay.WithHint("stop the client that rbd status "+c.spec(image)+" shows, then run: assay cleanup", "%w", err)
		}
		if err := sleep.For(ctx, time.Second); err != nil {
			return err
		}
	}
}
