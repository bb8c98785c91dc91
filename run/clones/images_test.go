package clones

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"assay"
)

// imageBed returns a bed whose guests use a downloaded image: two entries of one image.
func imageBed(t *testing.T) *bed {
	b := newBedOf(t, fmt.Sprintf("hosts: {kvm1: 10.0.0.1}\nvms: {bench: {clone: {image: 'https://x.lan/d.qcow2', sha256: %x, pool: images, count: 2, on: kvm1}, measure: {directories: [/srv]}}}\n",
		sha256.Sum256([]byte("image"))))
	b.served = "image"
	return b
}

// An image is downloaded once for all guests of a host, journalled, and removed with them.
func TestDownloaded(t *testing.T) {
	b := imageBed(t)
	if err := b.deploy(t.Context()); err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	// Two guests with a disk and a seed each, and the image.
	if len(b.downloads) != 1 || !b.volumes[b.downloads[0]] || len(b.volumes) != 5 || len(b.journal) != 3 || len(b.states) != 3 {
		t.Errorf("downloaded %q, made %v, %v, %v", b.downloads, b.volumes, b.states, b.journal)
	}
	if said := strings.Join(b.said, "\n"); !strings.Contains(said, "kvm1: downloading https://x.lan/d.qcow2\n") || !strings.Contains(said, "bench-1: cloning d.qcow2 on kvm1") {
		t.Errorf("said\n%s", said)
	}
	b.expectNothing(t)
}

func TestNotDownloaded(t *testing.T) {
	for want, spoil := range map[string]func(*bed){
		"it is not used": func(b *bed) { b.served = "another" },
		"was not downloaded, because the journal cannot be written": func(b *bed) { b.denied = true },
		"may grow to 122880 MiB":                                    func(b *bed) { b.large = 60 << 30 }, // known only from the image itself
		"its guest agent did not answer":                            func(b *bed) { b.deaf, b.d.patient.agent = -1, 1 },
	} {
		b := imageBed(t)
		spoil(b)
		err := b.deploy(t.Context())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
		if b.deaf != 0 && !strings.Contains(assay.Hint(err), "the image needs cloud-init") {
			t.Errorf("the hint is %q", assay.Hint(err))
		}
		b.expectNothing(t)
	}
}

// Entries with one image share it, whatever else they want.
func TestOneDownloadForSeveralEntries(t *testing.T) {
	b := imageBed(t)
	for i := range b.d.wants {
		of := *b.d.wants[i].Image
		of.CPUs = i + 1
		b.d.wants[i].Image = &of
	}
	if err := b.deploy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(b.downloads) != 1 {
		t.Errorf("downloaded %q", b.downloads)
	}
	b.expectNothing(t)
}

func TestWhatAnImageBringsIsSaid(t *testing.T) {
	b := imageBed(t)
	of, err := b.d.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	says := b.d.Says(of)
	want := []string{
		"a run creates bench-1, bench-2 on kvm1 from d.qcow2 and destroys them afterwards: 4096 MiB of memory, and disks that may grow to 20480 MiB in total",
		"kvm1 downloads https://x.lan/d.qcow2 and removes it afterwards; cloud-init in bench-1, bench-2 installs qemu-guest-agent, fio where they are missing",
	}
	if strings.Join(says, "\n") != strings.Join(want, "\n") {
		t.Errorf("says %q", says)
	}
	if len(b.downloads) > 0 || len(b.volumes) > 0 {
		t.Errorf("a look has made %v", b.volumes)
	}
	b.expectNothing(t)
}
