package clone

import (
	"context"

	"assay"
	hypervisors "assay/internal/hypervisor"
	"assay/internal/lazyregexp"
)

// kind is a kind of hypervisor: the operations on one guest, in its terms.
type kind struct {
	word     string // as in cluster.yaml
	template *lazyregexp.Regexp
	// name returns the name of the clone of a receipt with that id.
	name func(id string) string
	// look finds the template, and refuses one that cannot be cloned.
	look func(ctx context.Context, v Volume, w Want) (Template, error)
	// disks returns the volumes made for the clone by name; nil if the hypervisor names
	// them itself.
	disks func(id string, t Template) []made
	// free refuses names that are taken.
	free func(ctx context.Context, v Volume, o order) error
	// make makes the clone and starts it.
	make func(ctx context.Context, v Volume, o order) error
	runs func(ctx context.Context, v Volume, o order) (bool, error)
	// remove destroys what exists of the clone, and checks that it is gone.
	remove func(ctx context.Context, v Volume, o order) error
	// room returns the free space and the size of a storage, in bytes.
	room func(ctx context.Context, at assay.Place, storage string) (free, size int64, err error)
	// images is its support for cloud images.
	images imageKind
}

// imageKind is a hypervisor's support for cloud images.
type imageKind struct {
	// look finds the image of a guest, or returns what is known before its download.
	look func(ctx context.Context, v Volume, w Want) (Template, error)
	// free refuses an image name that is taken.
	free func(ctx context.Context, at assay.Place, d made) error
	// fetch downloads an image, and returns its digest by the program with that name
	// (sha512sum). It leaves need bytes of the storage's space for other things.
	fetch func(ctx context.Context, at assay.Place, d made, url, program string, need int64) (digest string, err error)
	// of returns the template that a fetched image makes.
	of func(ctx context.Context, at assay.Place, d made, w Want) (Template, error)
	// remove deletes an image, however much was downloaded, and checks that it is
	// gone.
	remove func(ctx context.Context, at assay.Place, d made) error
}

// makes reports whether of can name the source of clones: a template, or an image.
func (k *kind) makes(of string) bool {
	return k.template.MatchString(of) || imageSource.MatchString(of)
}

// kinds returns the kinds of hypervisor that make clones.
func kinds() []*kind { return []*kind{libvirtKind(), proxmoxKind()} }

// kindOf returns the kind with that word, or nil.
func kindOf(word string) *kind {
	for _, k := range kinds() {
		if k.word == word {
			return k
		}
	}
	return nil
}

// trouble is a hypervisor's message, with its meaning and what to do.
type trouble = hypervisors.Trouble
