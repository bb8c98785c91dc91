package cluster

import (
	"path"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/yamldoc"
	"assay/place/guest"
)

// CloudImage says from which cloud image a guest is made, and how; Clone.Of names it: a path
// on the hypervisor, or a URL.
type CloudImage struct {
	Storage  string   `json:"storage"`          // that the disks are in: a pool of libvirt, a storage of Proxmox VE
	Digest   string   `json:"digest,omitempty"` // of what a URL names: "sha512:…" or "sha256:…", in hexadecimal digits
	Memory   int64    `json:"memory"`           // B
	CPUs     int      `json:"cpus"`
	Disk     int64    `json:"disk"`               // B, at least
	Bridge   string   `json:"bridge,omitempty"`   // "" is the hypervisor's default
	Packages []string `json:"packages,omitempty"` // that cloud-init installs beside the guest agent
}

// Defaults of a guest made from a cloud image.
const (
	imageMemory = 2 << 30
	imageCPUs   = 2
	imageDisk   = 10 << 30
)

// imagePackages are the default packages: what most suites measure with.
var imagePackages = []string{"fio"}

// Limits of what a file may ask for.
const (
	leastMemory, mostMemory = 256 << 20, 4 << 40
	leastDisk, mostDisk     = 1 << 30, 256 << 40
	mostCPUs                = 512
	mostPackages            = 50
)

var (
	imageURL    = lazyregexp.New(`^https?://[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?(/[A-Za-z0-9._~%+=,-]+)+$`)
	imagePath   = lazyregexp.New(`^(/[A-Za-z0-9._+=@:,-]+)+$`)
	storageName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$`)
	bridgeName  = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,14}$`)
	packageName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9+._-]{0,99}$`)
	amountWord  = lazyregexp.New(`^[1-9][0-9]{0,6}[MGT](iB)?$`)
	// digests are the supported digests of an image, with their lengths in digits.
	digests = map[string]*lazyregexp.Regexp{"sha512": lazyregexp.New(`^[0-9A-Fa-f]{128}$`), "sha256": lazyregexp.New(`^[0-9A-Fa-f]{64}$`)}
)

// Remote reports whether a clone's image is downloaded.
func (c Clone) Remote() bool { return c.Image != nil && imageURL.MatchString(c.Of) }

// imaged reads the keys of a clone made from a cloud image.
type imaged struct {
	kind  string       // of hypervisor
	of    yamldoc.Node // the image
	first yamldoc.Node // the first key that only images have
	clone *Clone
	image CloudImage
}

// fields adds an image's fields to those of a clone.
func (i *imaged) fields(f fields) {
	i.image = CloudImage{Memory: imageMemory, CPUs: imageCPUs, Disk: imageDisk, Packages: imagePackages}
	of := func(read func(n yamldoc.Node)) func(yamldoc.Node) {
		return func(n yamldoc.Node) {
			if !i.first.There() {
				i.first = n
			}
			read(n)
		}
	}
	f["image"] = func(n yamldoc.Node) { i.of = n; i.source(n) }
	for _, k := range guest.Kinds {
		f[k.Storage] = of(func(n yamldoc.Node) {
			if i.kind != "" {
				n.FaultKey("%s: the disks are in one storage", n.What)
			}
			i.kind, i.image.Storage = k.Word, word(n, storageName, "the name of a storage")
		})
	}
	for name, digits := range digests {
		f[name] = of(func(n yamldoc.Node) {
			if i.image.Digest != "" {
				n.FaultKey("%s: one digest is enough", n.What)
			}
			i.image.Digest = name + ":" + strings.ToLower(word(n, digits, "the digest in hexadecimal digits, as "+name+"sum prints it"))
		})
	}
	f["memory"] = of(func(n yamldoc.Node) { i.image.Memory = amount(n, leastMemory, mostMemory) })
	f["disk"] = of(func(n yamldoc.Node) { i.image.Disk = amount(n, leastDisk, mostDisk) })
	f["cpus"] = of(func(n yamldoc.Node) { i.image.CPUs = n.Integer(1, mostCPUs) })
	f["bridge"] = of(func(n yamldoc.Node) { i.image.Bridge = word(n, bridgeName, "the name of a bridge") })
	f["packages"] = of(func(n yamldoc.Node) {
		i.image.Packages = nil
		for _, item := range n.Items() {
			i.image.Packages = append(i.image.Packages, word(item, packageName, "the name of a package"))
		}
		if len(i.image.Packages) > mostPackages {
			n.FaultKey("%s: more than %d", n.What, mostPackages)
		}
	})
}

// word reads a word that matches pattern; what describes it in faults.
func word(n yamldoc.Node, pattern *lazyregexp.Regexp, what string) string {
	text, ok := n.Word()
	if !ok || !pattern.MatchString(text) {
		n.Fault("%s: %q is not %s", n.What, yamldoc.Clip(text), what)
	}
	return text
}

// amount reads an amount of memory or storage.
func amount(n yamldoc.Node, least, most int64) int64 {
	text, _ := n.Word()
	bytes, ok := assay.ParseSize(text)
	if !ok || !amountWord.MatchString(text) || bytes < least || bytes > most {
		n.Fault("%s: %q is not an amount such as 512M or 4G, of %d MiB or more", n.What, yamldoc.Clip(text), least>>20)
	}
	return bytes
}

// source reads the location of the image.
func (i *imaged) source(n yamldoc.Node) {
	text, _ := n.Word()
	i.clone.Of = text
	switch {
	case !imageURL.MatchString(text) && (!imagePath.MatchString(text) || path.Clean(text) != text):
		n.Fault("%s: %q is neither a path on the hypervisor (/var/lib/libvirt/images/debian-12.qcow2) nor a URL (http or https, without user, password and query)", n.What, yamldoc.Clip(text))
	case packed.MatchString(text):
		n.Fault("%s: %q is packed; unpack it, and name the qcow2 or raw image", n.What, yamldoc.Clip(text))
	}
}

var packed = lazyregexp.New(`\.(xz|gz|bz2|zst|zip|tar|tgz|txz)$`)

// settle checks the keys together, and sets the clone's image. kind is that of a template's
// hypervisor, "" if no template is named. It reports whether all is well.
func (i *imaged) settle(p yamldoc.Node, kind string) bool {
	switch {
	case !i.of.There() && i.first.There():
		i.first.FaultKey("VM %s: clone: %s: is of clones of a cloud image alone (image)", p.Key, i.first.Key)
	case !i.of.There():
		return true
	case kind != "":
		i.of.FaultKey("VM %s: clone: it is made of a template or of an image, not of both", p.Key)
	case i.kind == "":
		i.of.FaultKey("VM %s: clone: image: in which storage are the disks to be? A pool of libvirt (for example %q), or a storage of Proxmox VE (%q)", p.Key, "pool: default", "storage: local-lvm")
	case imageURL.MatchString(i.clone.Of) && i.image.Digest == "":
		i.of.FaultKey("VM %s: clone: image: a URL needs the digest of the image, by sha512 or sha256: its publisher has it beside the image (SHA512SUMS, SHA256SUMS), and sha512sum FILE prints that of one that you trust", p.Key)
	case !imageURL.MatchString(i.clone.Of) && i.image.Digest != "":
		i.of.FaultKey("VM %s: clone: image: a digest is for a URL; a file on the hypervisor is used as it is", p.Key)
	default:
		i.clone.Image = &i.image
		return true
	}
	return false
}
