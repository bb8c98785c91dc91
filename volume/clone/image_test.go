package clone

import (
	"crypto/sha512"
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay"
)

const (
	imageURL  = "https://cloud.lan/debian-12.qcow2"
	imageFile = "/var/lib/libvirt/images/debian12.qcow2"
	content   = "what the publisher has"
)

// imageWant returns a guest made from an image, local or downloaded.
func imageWant(kind, source string) Want {
	on := map[string]string{"libvirt": kvm, "proxmox": pve1}[kind]
	w := Want{Guest: "bench-1", On: on, Kind: kind, Template: source, Among: []string{on}, Image: &Image{Storage: "images", Memory: 2 << 30, CPUs: 2, Disk: 20 << 30, Packages: []string{"fio"}}}
	if w.Remote() {
		w.Image.Digest = fmt.Sprintf("sha512:%x", sha512.Sum512([]byte(content)))
	}
	return w
}

const imageID = "fedcba9876543210"

// fetched downloads an image, journalled as in a run.
func fetched(t *testing.T, w *world, want Want) (assay.Receipt, Template, error) {
	t.Helper()
	r, err := w.volume().ReserveImage(t.Context(), imageID, want)
	if err != nil {
		t.Fatal(err)
	}
	if left := w.left(t); len(left) > 0 {
		t.Errorf("ReserveImage made %q", left)
	}
	if err := w.volume().Fetch(t.Context(), r, want, 20<<30); err != nil {
		return r, Template{}, err
	}
	of, err := w.volume().Downloaded(t.Context(), r, want)
	return r, of, err
}

// removed removes an image twice, as clean-up does.
func removed(t *testing.T, w *world, r assay.Receipt) {
	t.Helper()
	for range 2 {
		if err := (Images{}).Release(t.Context(), at{w, r.Host}, r); err != nil {
			t.Error(err, assay.Hint(err))
		}
	}
	if left := w.left(t); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

func TestDownloadedAndRemoved(t *testing.T) {
	for kind, lies := range map[string]string{
		"libvirt": "--backing-vol /var/lib/libvirt/images/assay-" + imageID + "-image --backing-vol-format qcow2",
		"proxmox": "--scsi0 images:0,import-from=/var/tmp/assay-" + imageID + "-image,discard=on",
	} {
		t.Run(kind, func(t *testing.T) {
			w := newWorld(t)
			w.served = content
			want := imageWant(kind, imageURL)
			if before, err := w.volume().Look(t.Context(), want); err != nil || before.bytes() != 20<<30 || before.CPUs != 2 || before.Memory != 2<<30 {
				t.Fatalf("%+v, %v", before, err)
			}
			r, of, err := fetched(t, w, want)
			if err != nil {
				t.Fatal(err, assay.Hint(err))
			}
			guest, err := w.volume().Reserve(t.Context(), id, want, of)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.volume().Make(t.Context(), guest, of); err != nil {
				t.Fatal(err)
			}
			if asked := strings.Join(w.asked, "\n"); !strings.Contains(asked, lies) || strings.Contains(asked, imageURL+"\n") {
				t.Errorf("asked %q, want %q, and no URL that others can read", asked, lies)
			}
			if err := w.volume().Release(t.Context(), nil, guest); err != nil {
				t.Error(err)
			}
			removed(t, w, r)
		})
	}
}

// Wherever assay is killed during a download, the receipt leads to what exists of the image.
func TestKilledWhileItDownloads(t *testing.T) {
	for _, kind := range []string{"libvirt", "proxmox"} {
		for n := 0; ; n++ {
			w := newWorld(t)
			w.served, w.changes = content, n
			r, _, err := fetched(t, w, imageWant(kind, imageURL))
			w.changes = -1
			removed(t, w, r)
			if err == nil {
				if n < 2 {
					t.Errorf("downloaded in %d changes", n)
				}
				break
			}
		}
	}
}

func TestDownloadsThatAreRefused(t *testing.T) {
	for want, spoil := range map[string]func(*world){
		"it is not used":                                       func(w *world) { w.served = "something else" },
		"returned error: 404 (exit status 2)":                  func(w *world) { w.failed = 2 },
		"neither curl nor wget":                                func(w *world) { w.failed = noDownloader },
		"it is larger than the ":                               func(w *world) { w.failed = tooLarge },
		"not enough space beside the disks of the run's guest": func(w *world) { w.free = 0 },
		"has format \"vmdk\", not qcow2 or raw":                func(w *world) { w.formats = map[string]string{"assay-" + imageID + "-image": "vmdk", "image": "vmdk"} },
		"lies on another file, which is not downloaded": func(w *world) {
			w.formats = map[string]string{"backing of assay-" + imageID + "-image": "<backingStore><path>/etc/x</path></backingStore>", "backing": `, "backing-filename": "/etc/x"`}
		},
	} {
		for _, kind := range []string{"libvirt", "proxmox"} {
			w := newWorld(t)
			w.served = content
			spoil(w)
			r, _, err := fetched(t, w, imageWant(kind, imageURL))
			if err == nil || !strings.Contains(err.Error(), want) || assay.Hint(err) == "" {
				t.Errorf("%s: %v (hint %q); want %q", kind, err, assay.Hint(err), want)
			}
			removed(t, w, r)
		}
	}
}

func TestImagesThatAreRefused(t *testing.T) {
	for want, c := range map[string]struct {
		kind, of string
		spoil    func(*world, *Want)
	}{
		"no active pool of kvm1 contains the image /srv/x.qcow2":                         {"libvirt", "/srv/x.qcow2", nil},
		"is of type logical, which has no qcow2 overlays":                                {"libvirt", imageURL, func(w *world, _ *Want) { w.poolIs = "logical" }},
		"has no network default for a guest":                                             {"libvirt", imageURL, func(w *world, _ *Want) { w.network = "" }},
		"network default of libvirt on kvm1 is not active":                               {"libvirt", imageURL, func(w *world, _ *Want) { w.network = "Name: default\nActive:   no\n" }},
		"kvm1 has no bridge br0":                                                         {"libvirt", imageURL, func(w *world, o *Want) { w.bridged, o.Image.Bridge = false, "br0" }},
		"has format \"iso\", not qcow2 or raw":                                           {"libvirt", imageFile, func(w *world, _ *Want) { w.formats = map[string]string{"debian12.qcow2": "iso"} }},
		"the run's 3 guests need 6528 MiB":                                               {"libvirt", imageURL, func(w *world, _ *Want) { w.memory = 6000 << 10 }},
		"may grow to 61440 MiB, and 61440 MiB are available":                             {"libvirt", imageURL, func(w *world, _ *Want) { w.free = 60 << 30 }},
		"Could not open '/srv/x.qcow2'":                                                  {"proxmox", "/srv/x.qcow2", nil},
		"pve1 has no bridge vmbr0":                                                       {"proxmox", imageURL, func(w *world, _ *Want) { w.bridged = false }},
		"in storage images of pve1: the disks of the run's guests may grow to 61440 MiB": {"proxmox", imageURL, func(w *world, _ *Want) { w.free = 60 << 30 }},
	} {
		w := newWorld(t)
		one := imageWant(c.kind, c.of)
		if c.spoil != nil {
			c.spoil(w, &one)
		}
		_, err := w.volume().Check(t.Context(), []Want{one, one, one})
		if err == nil || !strings.Contains(err.Error(), want) || assay.Hint(err) == "" {
			t.Errorf("%v (hint %q); want %q", err, assay.Hint(err), want)
		}
	}
	w := newWorld(t)
	w.volumes[prefix+imageID+"-image"], w.files[fileOf(made{Name: prefix + imageID + "-image"})] = true, ""
	for _, kind := range []string{"libvirt", "proxmox"} {
		if _, err := w.volume().ReserveImage(t.Context(), imageID, imageWant(kind, imageURL)); !errors.Is(err, assay.ErrBusy) {
			t.Errorf("a name that a user has: %v", err)
		}
	}
}

// Guests of one image may differ in their resources.
func TestAlike(t *testing.T) {
	one, other := imageWant("libvirt", imageFile), imageWant("libvirt", imageFile)
	if !one.Alike(other) {
		t.Error("the same is not alike")
	}
	other.Image.Memory++
	if one.Alike(other) || one.Alike(wants["libvirt"]) {
		t.Error("what differs is alike")
	}
	if one.Title() != "debian12.qcow2" || imageWant("proxmox", imageURL).Title() != "debian-12.qcow2" || wants["libvirt"].Title() != "debian12" {
		t.Error("titles")
	}
}

func TestReadImageInfo(t *testing.T) {
	d, backed, err := readImageInfo([]byte(`{"virtual-size": 2147483648, "filename": "x", "format": "qcow2", "backing-filename": "y", "format-specific": {"type": "qcow2"}}`))
	if err != nil || d != (Disk{Bytes: 2 << 30, format: "qcow2"}) || !backed {
		t.Errorf("%+v, %v, %v", d, backed, err)
	}
	for _, text := range []string{"", "{}", "[]", `{"virtual-size": -1}`, `{"virtual-size": 1e30}`, `{"virtual-size": "2G"}`} {
		if d, _, err := readImageInfo([]byte(text)); err == nil {
			t.Errorf("%q is %+v", text, d)
		}
	}
}

func TestReceiptsOfImagesThatAreRefused(t *testing.T) {
	sound := func() assay.Receipt {
		return assay.Receipt{ID: imageID, Volume: ImageKind, Host: kvm, Names: map[string]string{roleVolume: prefix + imageID + "-image", roleHow: `{"kind":"libvirt","storage":"images"}`}}
	}
	if _, _, err := readImage(sound()); err != nil {
		t.Fatal(err)
	}
	for _, spoil := range []func(*assay.Receipt){
		func(r *assay.Receipt) { r.ID = "0123456789abcde0" },
		func(r *assay.Receipt) { r.Names[roleVolume] = "debian12.qcow2" },
		func(r *assay.Receipt) { r.Host = "-x" },
		func(r *assay.Receipt) { r.Volume = Kind },
		func(r *assay.Receipt) { r.Also = []string{"kvm2"} },
		func(r *assay.Receipt) { r.Names[roleHow] = `{"kind":"libvirt","storage":"--all"}` },
		func(r *assay.Receipt) { r.Names[roleHow] = `{"kind":"esxi","storage":"images"}` },
		func(r *assay.Receipt) { r.Names[roleHow] = "{" },
	} {
		r := sound()
		spoil(&r)
		if err := (Images{}).Release(t.Context(), nil, r); err == nil {
			t.Errorf("%+v is released", r)
		}
	}
}
