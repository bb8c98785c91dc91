package rbd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
	"assay/stacks/ceph"
)

// client runs commands as a tier's user, on one of its hosts.
type client struct {
	at assay.Place
	ceph.Lent
}

// patience limits one rbd command: removing an image of a TiB takes minutes.
const patience = 10 * time.Minute

// spec returns an image's spec for rbd.
func (c client) spec(image string) string { return c.Model + "/" + image }

// rbd runs an rbd command and returns its output. The error is
// assay.ErrNotFound if something does not exist, and assay.ErrBusy if somebody
// has the image open.
func (c client) rbd(ctx context.Context, words ...string) ([]byte, error) {
	out, err := c.at.Run(ctx, assay.Cmd{Argv: c.Access.Argv("rbd", words...), Timeout: patience})
	switch {
	case errors.Is(err, assay.ErrNoCommand):
		return nil, assay.WithHint("install ceph-common there, or let another host of the tier measure it", "%s: rbd: %w", c.at.Host().Name, err)
	case err != nil:
		return nil, fmt.Errorf("%s: rbd %s: %w", c.at.Host().Name, words[0], err)
	}
	err = c.Access.Failed(c.at, "rbd "+words[0], out)
	switch {
	case err == nil:
		return out.Stdout, nil
	case out.Exit == 2 && !errors.Is(err, ceph.ErrDenied): // ENOENT, which a missing keyring is too
		return nil, fmt.Errorf("%s: rbd %s: %w: %s", c.at.Host().Name, words[0], assay.ErrNotFound, lastLine(out.Stderr))
	case out.Exit == 16: // EBUSY
		return nil, fmt.Errorf("%s: rbd %s: %w: %s", c.at.Host().Name, words[0], assay.ErrBusy, lastLine(out.Stderr))
	}
	return nil, err
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// images returns the names of all images in the pool.
func (c client) images(ctx context.Context) ([]string, error) {
	text, err := c.rbd(ctx, "ls", c.Model, "--format", "json")
	if err != nil {
		return nil, err
	}
	var names []string
	if err := json.Unmarshal(text, &names); err != nil {
		return nil, fmt.Errorf("rbd ls: %w", err)
	}
	return names, nil
}

// told lists the librbd settings that decide what a figure measures.
var told = []string{"rbd_cache", "rbd_cache_policy", "rbd_cache_size", "rbd_cache_writethrough_until_flush"}

// describe configures librbd's cache for an image, and returns how the image is reached.
// The settings belong to the image, and go with it.
//
// Until its first flush librbd writes through, however its cache is configured, in case
// the guest never flushes. fio's rbd engine flushes only after its measurement, so the
// image is set not to wait for one.
func (c client) describe(ctx context.Context, image, cache string) (*assay.Image, error) {
	set := [][2]string{{"rbd_cache_writethrough_until_flush", "false"}}
	switch cache {
	case none:
		set = append(set, [2]string{"rbd_cache", "false"})
	case writeback:
		set = append(set, [2]string{"rbd_cache", "true"}, [2]string{"rbd_cache_policy", "writeback"})
	}
	for _, s := range set {
		if _, err := c.rbd(ctx, "config", "image", "set", c.spec(image), s[0], s[1]); err != nil {
			return nil, err
		}
	}
	text, err := c.rbd(ctx, "info", c.spec(image), "--format", "json")
	if err != nil {
		return nil, err
	}
	features, err := readFeatures(text)
	if err != nil {
		return nil, err
	}
	if text, err = c.rbd(ctx, "config", "image", "list", c.spec(image), "--format", "json"); err != nil {
		return nil, err
	}
	settings, err := readSettings(text)
	if err != nil {
		return nil, err
	}
	return &assay.Image{
		Pool: c.Model, Name: image, User: c.Access.User, Keyring: c.Access.Keyring, Conf: c.Access.Conf,
		Features: features, Settings: settings,
	}, nil
}

// readFeatures parses the output of rbd info --format json.
func readFeatures(text []byte) ([]string, error) {
	var info struct {
		Features []string `json:"features"`
	}
	if err := json.Unmarshal(text, &info); err != nil {
		return nil, fmt.Errorf("rbd info: %w", err)
	}
	return info.Features, nil
}

// readSettings parses the settings that matter from rbd config image list
// --format json.
func readSettings(text []byte) (map[string]string, error) {
	var all []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("rbd config image list: %w", err)
	}
	settings := map[string]string{}
	for _, s := range all {
		if slices.Contains(told, s.Name) {
			settings[s.Name] = s.Value
		}
	}
	if settings["rbd_cache"] == "" {
		return nil, errors.New("rbd config image list: no rbd_cache in it")
	}
	return settings, nil
}

// device matches the kernel's name for a mapped image.
var device = lazyregexp.New(`^rbd[0-9]{1,6}$`)

// mapped maps an image in the kernel, and returns the kernel's name for it.
func (c client) mapped(ctx context.Context, image string) (string, error) {
	text, err := c.rbd(ctx, "device", "map", c.spec(image))
	if err != nil {
		return "", assay.WithHint("the kernel of "+c.at.Host().Name+" needs the module rbd, and the user must be root; librbd needs neither: driver=librbd", "%w", err)
	}
	name := strings.TrimPrefix(strings.TrimSpace(string(text)), "/dev/")
	if !device.MatchString(name) {
		return "", fmt.Errorf("%s: rbd device map says %q", c.at.Host().Name, name)
	}
	return name, nil
}

// unmap removes all mappings of an image.
func (c client) unmap(ctx context.Context, image string) error {
	text, err := c.rbd(ctx, "device", "list", "--format", "json")
	if err != nil {
		return err
	}
	devices, err := readDevices(text, c.Model, image)
	if err != nil {
		return err
	}
	for _, d := range devices {
		if _, err := c.rbd(ctx, "device", "unmap", "/dev/"+d); err != nil {
			return err
		}
	}
	return nil
}

// readDevices returns an image's devices from the output of rbd device list
// --format json.
func readDevices(text []byte, pool, image string) ([]string, error) {
	var all []struct {
		Pool   string `json:"pool"`
		Name   string `json:"name"`
		Device string `json:"device"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("rbd device list: %w", err)
	}
	var devices []string
	for _, d := range all {
		name := strings.TrimPrefix(d.Device, "/dev/")
		if d.Pool == pool && d.Name == image && device.MatchString(name) {
			devices = append(devices, name)
		}
	}
	return devices, nil
}
