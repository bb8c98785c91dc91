package clone

import (
	"context"

	"assay"
	hypervisors "assay/internal/hypervisor"
	"assay/internal/lazyregexp"
)

// kind is a kind of hypervisor: what is to be done to one guest, in its words.
type kind struct {
	word     string // as in cluster.yaml
	template *lazyregexp.Regexp
	// name is what the clone of a receipt with that id is called.
	name func(id string) string
	// look finds the template, and refuses what no clone can be made of.
	look func(ctx context.Context, v Volume, w Want) (Template, error)
	// disks are the volumes that are made for the clone by name; nil where the hypervisor
	// names them itself.
	disks func(id string, t Template) []made
	// free refuses names that are taken.
	free func(ctx context.Context, v Volume, o order) error
	// make makes the clone and starts it.
	make func(ctx context.Context, v Volume, o order) error
	runs func(ctx context.Context, v Volume, o order) (bool, error)
	// remove destroys what there is of the clone, and sees that it is gone.
	remove func(ctx context.Context, v Volume, o order) error
	// room tells what is free in a storage, and how large it is, in bytes.
	room func(ctx context.Context, at assay.Place, storage string) (free, size int64, err error)
	// images is what it does with cloud images.
	images imageKind
}

// imageKind is what a kind of hypervisor does with cloud images.
type imageKind struct {
	// look finds the image of a guest, or says what is known before it is downloaded.
	look func(ctx context.Context, v Volume, w Want) (Template, error)
	// free refuses the name of an image that is taken.
	free func(ctx context.Context, at assay.Place, d made) error
	// fetch downloads an image, and returns its digest by the program with that name
	// (sha512sum). Of the room in the storage, need bytes are for other things.
	fetch func(ctx context.Context, at assay.Place, d made, url, program string, need int64) (digest string, err error)
	// of is the template that an image is which was fetched.
	of func(ctx context.Context, at assay.Place, d made, w Want) (Template, error)
	// remove deletes an image, however much was downloaded, and sees that it is gone.
	remove func(ctx context.Context, at assay.Place, d made) error
}

// makes reports whether clones can be of what is called so: a template, or an image.
func (k *kind) makes(of string) bool {
	return k.template.MatchString(of) || imageSource.MatchString(of)
}

// kinds are the kinds of hypervisor that make clones.
func kinds() []*kind { return []*kind{libvirtKind(), proxmoxKind()} }

// kindOf returns the kind of that word, nil where there is none.
func kindOf(word string) *kind {
	for _, k := range kinds() {
		if k.word == word {
			return k
		}
	}
	return nil
}

// trouble is what a hypervisor says, with what that is and what to do.
type trouble = hypervisors.Trouble
