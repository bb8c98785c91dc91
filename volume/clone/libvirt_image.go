package clone

import (
	"context"
	_ "embed" // the script
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
)

func libvirtImages() imageKind {
	on := func(at assay.Place) libvirt { return libvirt{at, ""} }
	return imageKind{
		look: func(ctx context.Context, v Volume, w Want) (Template, error) {
			at, err := v.at(w.On)
			if err != nil {
				return Template{}, err
			}
			return on(at).lookImage(ctx, w)
		},
		free: func(ctx context.Context, at assay.Place, d made) error { return on(at).freeVolume(ctx, d) },
		fetch: func(ctx context.Context, at assay.Place, d made, source, program string, most int64) (string, error) {
			return on(at).fetch(ctx, d, source, program, most)
		},
		of: func(ctx context.Context, at assay.Place, d made, w Want) (Template, error) {
			return on(at).imageTemplate(ctx, w, "--pool", d.Storage, "--vol", d.Name)
		},
		remove: func(ctx context.Context, at assay.Place, d made) error { return on(at).removeVolume(ctx, d) },
	}
}

// The disks of a new guest. They use virtio, which cloud-image kernels have even if they
// lack CD drivers.
const (
	systemDisk = "vda"
	seedDisk   = "vdb"
)

// defaultNetwork is libvirt's name for the network that its packages bring.
const defaultNetwork = "default"

// lookImage looks at the image and at what else new guests need.
func (l libvirt) lookImage(ctx context.Context, w Want) (Template, error) {
	host, pool := l.at.Host().Name, w.Image.Storage
	if err := l.overlaid(ctx, pool); err != nil {
		return Template{}, fmt.Errorf("pool %s on %s: %w", pool, host, err)
	}
	if err := l.lookNetwork(ctx, w.Image.Bridge); err != nil {
		return Template{}, err
	}
	if w.Remote() {
		return l.newTemplate(ctx, w, Disk{})
	}
	// libvirt learns of a new file only when it refreshes the pool.
	if _, err := l.volumes(ctx, pool); err != nil {
		return Template{}, err
	}
	t, err := l.imageTemplate(ctx, w, "--vol", w.Template)
	if errors.Is(err, assay.ErrNotFound) {
		err = assay.WithHint("put the image into the directory of a pool there and run: virsh pool-refresh POOL; or make a pool of its directory: virsh pool-create-as NAME dir --target DIRECTORY",
			"no active pool of %s contains the image %s: %w", host, w.Template, assay.ErrNotFound)
	}
	return t, err
}

// lookNetwork refuses a network that no guest can use.
func (l libvirt) lookNetwork(ctx context.Context, bridge string) error {
	host := l.at.Host().Name
	if bridge != "" {
		return lookBridge(ctx, l.at, bridge)
	}
	text, err := l.virsh(ctx, "", "net-info", "--network", defaultNetwork)
	const hint = "start it: virsh net-start " + defaultNetwork + "; or name a bridge of the host: bridge: br0"
	switch {
	case isGone(err):
		return assay.WithHint(hint, "libvirt on %s has no network %s for a guest: %w", host, defaultNetwork, assay.ErrNotFound)
	case err == nil && !active(text):
		return assay.WithHint(hint, "network %s of libvirt on %s is not active", defaultNetwork, host)
	}
	return err
}

// active reads the state from virsh net-info.
func active(text string) bool {
	for line := range strings.Lines(text) {
		if key, value, _ := strings.Cut(line, ":"); key == "Active" {
			return strings.TrimSpace(value) == "yes"
		}
	}
	return false
}

// imageTemplate examines a volume as the image of a guest.
func (l libvirt) imageTemplate(ctx context.Context, w Want, where ...string) (Template, error) {
	v, err := l.volume(ctx, where...)
	if err != nil {
		return Template{}, err
	}
	const hint = "make one that stands alone: qemu-img convert -O qcow2 IMAGE NEW"
	switch {
	case v.format != "qcow2" && v.format != "raw":
		return Template{}, assay.WithHint(hint, "image %s on %s has format %.20q, not qcow2 or raw: %w", w.Template, w.On, v.format, assay.ErrNotSupported)
	case v.backed && w.Remote():
		return Template{}, assay.WithHint(hint, "image %s lies on another file, which is not downloaded: %w", w.Template, assay.ErrNotSupported)
	}
	return l.newTemplate(ctx, w, Disk{Bytes: v.bytes, base: v.path, format: v.format})
}

// newTemplate returns the template of guests made from an image on that host.
func (l libvirt) newTemplate(ctx context.Context, w Want, image Disk) (Template, error) {
	text, err := l.virsh(ctx, "", "domcapabilities")
	if err != nil {
		return Template{}, err
	}
	m, err := readMachine([]byte(text))
	if err != nil {
		return Template{}, fmt.Errorf("virsh domcapabilities on %s: %w", w.On, err)
	}
	image.Name, image.Storage, image.Bytes = systemDisk, w.Image.Storage, max(image.Bytes, w.Image.Disk)
	return Template{From: w.On, CPUs: w.Image.CPUs, Memory: w.Image.Memory, Disks: []Disk{image}, image: &newGuest{*w.Image, m}}, nil
}

// freeVolume refuses a volume name that is taken.
func (l libvirt) freeVolume(ctx context.Context, d made) error {
	there, err := l.volumes(ctx, d.Storage)
	if err == nil && slices.Contains(there, d.Name) {
		err = fmt.Errorf("pool %s of %s has a volume %s already: %w", d.Storage, l.at.Host().Name, d.Name, assay.ErrBusy)
	}
	return err
}

// putVolume stores stdin in a volume.
const putVolume = `put() { virsh -q -c qemu:///system vol-upload --pool "$1" --vol "$2" --file /dev/stdin >/dev/null; }
`

//go:embed digest.sh
var digestScript string

// fetch downloads the URL into a volume, and reads that again for its digest. Through libvirt
// it needs no right to write to the pool's directory.
func (l libvirt) fetch(ctx context.Context, d made, url, program string, need int64) (string, error) {
	free, size, err := l.room(ctx, d.Storage)
	if err != nil {
		return "", err
	}
	if _, err := l.virsh(ctx, "", "vol-create-as", "--pool", d.Storage, "--name", d.Name, "--capacity", "1", "--format", "raw"); err != nil {
		return "", err
	}
	if err := download(ctx, l.at, putVolume, url, free-assay.KeepFree(size)-need, d.Storage, d.Name); err != nil {
		return "", fmt.Errorf("pool %s: %w", d.Storage, err)
	}
	// Once the pool is refreshed, libvirt has finished its work after an upload.
	if _, err := l.volumes(ctx, d.Storage); err != nil {
		return "", err
	}
	return digest(ctx, l.at, assay.Cmd{Argv: []string{"sh", "-c", digestScript, "sh", d.Storage, d.Name, program}})
}

// makeSeed makes the disk that tells cloud-init what to do.
func (l libvirt) makeSeed(ctx context.Context, o order, d made) error {
	image, err := seed(o.id, o.Guest, o.of.image.Packages)
	if err != nil {
		return err
	}
	if _, err := l.virsh(ctx, "", "vol-create-as", "--pool", d.Storage, "--name", d.Name, "--capacity", strconv.Itoa(len(image)), "--format", "raw"); err != nil {
		return err
	}
	_, err = l.virsh(ctx, string(image), "vol-upload", "--pool", d.Storage, "--vol", d.Name, "--file", "/dev/stdin")
	return err
}
