package clone

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Image says how a guest is made without a template: from a cloud image, which cloud-init sets
// up at boot. Want.Template is its source, a path on the hypervisor or a URL.
type Image struct {
	Storage  string // of the disks
	Digest   string // of what a URL names: "sha512:…" or "sha256:…"
	Memory   int64  // B
	CPUs     int
	Disk     int64    // B, at least
	Bridge   string   // "" is the hypervisor's default network
	Packages []string // installed beside the guest agent
}

// newGuest is what a guest is made from that does not copy an existing one.
type newGuest struct {
	Image
	machine machine
}

var imageSource = lazyregexp.New(`^(https?:/)?(/[A-Za-z0-9._~%+=@:,-]+)+$`)

// Remote reports whether a guest's image is downloaded first.
func (w Want) Remote() bool { return w.Image != nil && !strings.HasPrefix(w.Template, "/") }

// Title names what a guest is made of, for display.
func (w Want) Title() string {
	if w.Image == nil {
		return w.Template
	}
	return path.Base(w.Template)
}

// ImageKind is the name of images in receipts.
const ImageKind = "image"

// Images are the images downloaded for a run's guests on one host, which back their disks.
type Images struct{}

// Kind is its name in receipts.
func (Images) Kind() string { return ImageKind }

// roleVolume is the role of an image's volume.
const roleVolume = "volume"

// where holds an image's kind of hypervisor and its storage.
type where struct {
	Kind    string `json:"kind"`
	Storage string `json:"storage"`
}

// ReserveImage names the volume that a guest's image is downloaded into, and checks that
// the name is free. It makes nothing.
func (v Volume) ReserveImage(ctx context.Context, id string, w Want) (assay.Receipt, error) {
	at, err := v.at(w.On)
	if err != nil {
		return assay.Receipt{}, err
	}
	text, err := json.Marshal(where{w.Kind, w.Image.Storage})
	if err != nil {
		return assay.Receipt{}, err
	}
	r := assay.Receipt{
		ID: id, Volume: ImageKind, Host: w.On, Subject: w.Title() + ", downloaded to " + w.On,
		Names: map[string]string{roleVolume: prefix + id + "-image", roleHow: string(text)},
	}
	k, d, err := readImage(r)
	if err != nil {
		return r, err
	}
	return r, k.free(ctx, at, d)
}

// readImage refuses a receipt that ReserveImage would not have made.
func readImage(r assay.Receipt) (imageKind, made, error) {
	var at where
	err := json.Unmarshal([]byte(r.Names[roleHow]), &at)
	k := kindOf(at.Kind)
	if err != nil || k == nil || r.Volume != ImageKind || !safeID.MatchString(r.ID) || r.Names[roleVolume] != prefix+r.ID+"-image" ||
		!storageName.MatchString(at.Storage) || !hostName.MatchString(r.Host) || len(r.Also) > 0 {
		return imageKind{}, made{}, fmt.Errorf("receipt %q is not for an image that assay downloads", r.ID)
	}
	return k.images, made{Storage: at.Storage, Name: r.Names[roleVolume]}, nil
}

// Fetch downloads the image of a guest and checks its digest. It leaves need bytes of the
// storage's space for other things.
func (v Volume) Fetch(ctx context.Context, r assay.Receipt, w Want, need int64) error {
	k, d, err := readImage(r)
	if err != nil {
		return err
	}
	at, err := v.at(w.On)
	if err != nil {
		return err
	}
	method, want, _ := strings.Cut(w.Image.Digest, ":")
	is, err := k.fetch(ctx, at, d, w.Template, method+"sum", need)
	switch {
	case err != nil:
		return fmt.Errorf("download of %s to %s: %w", w.Template, w.On, err)
	case is != want:
		return assay.WithHint("publishers replace images: take the digest from the list beside it (SHA512SUMS, SHA256SUMS), or name an image that stays as it is",
			"%s, downloaded to %s, has the %s %s, not %s: it is not used", w.Template, w.On, method, is, want)
	}
	return nil
}

// Downloaded returns the template of a guest whose image Fetch has downloaded.
func (v Volume) Downloaded(ctx context.Context, r assay.Receipt, w Want) (Template, error) {
	k, d, err := readImage(r)
	if err != nil {
		return Template{}, err
	}
	at, err := v.at(w.On)
	if err != nil {
		return Template{}, err
	}
	return k.of(ctx, at, d, w)
}

// Release deletes the image, however much of it was downloaded, and checks that it is gone. It
// is idempotent.
func (Images) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	k, d, err := readImage(r)
	if err != nil {
		return err
	}
	return k.remove(ctx, at, d)
}
