package clone

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"assay"
)

func proxmoxImages() imageKind {
	return imageKind{
		look: lookProxmoxImage,
		free: func(ctx context.Context, at assay.Place, d made) error {
			out, err := at.Run(ctx, assay.Cmd{Argv: []string{"test", "!", "-e", fileOf(d)}})
			if err == nil && out.Exit != 0 {
				err = fmt.Errorf("%s has a file %s already: %w", at.Host().Name, fileOf(d), assay.ErrBusy)
			}
			return err
		},
		fetch: func(ctx context.Context, at assay.Place, d made, url, program string, _ int64) (string, error) {
			free, size, err := roomOf(ctx, at, downloads)
			if err == nil {
				err = download(ctx, at, putFile, url, free-assay.KeepFree(size), fileOf(d))
			}
			if err != nil {
				return "", fmt.Errorf("%s: %w", downloads, err)
			}
			return digest(ctx, at, assay.Cmd{Argv: []string{program, fileOf(d)}})
		},
		of: func(ctx context.Context, at assay.Place, d made, w Want) (Template, error) {
			return proxmox{at}.imageTemplate(ctx, w, fileOf(d))
		},
		remove: func(ctx context.Context, at assay.Place, d made) error { return removeFile(ctx, at, fileOf(d)) },
	}
}

// downloads is the node's directory for downloaded images. Each VM's disk is a copy.
const downloads = "/var/tmp"

// fileOf returns the file of a downloaded image.
func fileOf(d made) string { return downloads + "/" + d.Name }

// seedFile returns the file that a VM's seed is imported from.
func seedFile(id string) string { return downloads + "/" + prefix + id + "-seed.img" }

// putFile stores stdin in a file that must not exist yet: others may write to the directory.
const putFile = `put() { set -C; umask 077; cat >"$1"; }
`

// removeFile removes a file, and checks that it is gone.
func removeFile(ctx context.Context, at assay.Place, file string) error {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"rm", "-f", "--", file}})
	if err == nil && out.Exit != 0 {
		err = fmt.Errorf("%s is still on %s: %.400s", file, at.Host().Name, said(out))
	}
	return err
}

// roomOf returns the free space and the size of a directory's file system, in bytes.
func roomOf(ctx context.Context, at assay.Place, dir string) (free, size int64, err error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"df", "-P", "-B1", dir}, Env: []string{"LC_ALL=C"}})
	if err != nil {
		return 0, 0, err
	}
	// A header line, then device, and total, used and available bytes.
	_, line, _ := strings.Cut(strings.TrimSpace(string(out.Stdout)), "\n")
	words := strings.Fields(line)
	if out.Exit == 0 && len(words) >= 6 {
		var aerr, ferr error
		size, aerr = strconv.ParseInt(words[1], 10, 64)
		free, ferr = strconv.ParseInt(words[3], 10, 64)
		if aerr == nil && ferr == nil && size >= 0 && free >= 0 {
			return free, size, nil
		}
	}
	return 0, 0, fmt.Errorf("df on %s: %w: %.100q", at.Host().Name, assay.ErrNoOutput, line)
}

// defaultBridge is the name that Proxmox VE's installers give a node's bridge.
const defaultBridge = "vmbr0"

func lookProxmoxImage(ctx context.Context, v Volume, w Want) (Template, error) {
	at, err := v.at(w.On)
	if err != nil {
		return Template{}, err
	}
	p := proxmox{at}
	if err := lookBridge(ctx, at, cmp.Or(w.Image.Bridge, defaultBridge)); err != nil {
		return Template{}, err
	}
	if w.Remote() {
		return p.newTemplate(ctx, w, Disk{})
	}
	return p.imageTemplate(ctx, w, w.Template)
}

// imageTemplate examines a file as the image of a VM.
func (p proxmox) imageTemplate(ctx context.Context, w Want, file string) (Template, error) {
	text, err := p.run(ctx, "qemu-img", "info", "--output=json", file)
	if err != nil {
		return Template{}, err
	}
	image, backed, err := readImageInfo([]byte(text))
	const hint = "make one that stands alone: qemu-img convert -O qcow2 IMAGE NEW"
	switch {
	case err != nil:
		return Template{}, fmt.Errorf("qemu-img info on %s: %w", w.On, err)
	case image.format != "qcow2" && image.format != "raw":
		return Template{}, assay.WithHint(hint, "image %s on %s has format %.20q, not qcow2 or raw: %w", w.Template, w.On, image.format, assay.ErrNotSupported)
	case backed && w.Remote():
		return Template{}, assay.WithHint(hint, "image %s lies on another file, which is not downloaded: %w", w.Template, assay.ErrNotSupported)
	}
	image.base = file
	return p.newTemplate(ctx, w, image)
}

// readImageInfo reads qemu-img info. It is pure and total.
func readImageInfo(text []byte) (d Disk, backed bool, err error) {
	var info struct {
		Size    int64  `json:"virtual-size"`
		Format  string `json:"format"`
		Backing string `json:"backing-filename"`
	}
	if err := json.Unmarshal(text, &info); err != nil || info.Size <= 0 || info.Size > 1<<50 {
		return Disk{}, false, fmt.Errorf("unusable description of an image: %.100q", text)
	}
	return Disk{Bytes: info.Size, format: info.Format}, info.Backing != "", nil
}

// proxmoxDisk is the disk of a new VM.
const proxmoxDisk = "scsi0"

// newTemplate returns the template of VMs made from an image on that node.
func (p proxmox) newTemplate(ctx context.Context, w Want, image Disk) (Template, error) {
	shared, err := p.shared(ctx)
	if err != nil {
		return Template{}, err
	}
	image.Name, image.Storage, image.Bytes, image.Shared = proxmoxDisk, w.Image.Storage, max(image.Bytes, w.Image.Disk), shared[w.Image.Storage]
	of := *w.Image
	of.Bridge = cmp.Or(of.Bridge, defaultBridge)
	return Template{From: w.On, CPUs: of.CPUs, Memory: of.Memory, Disks: []Disk{image}, image: &newGuest{Image: of}}, nil
}

// create makes a new VM, whose disk is a copy of the image. The seed is a disk too, since
// cloud-image kernels lack CD drivers.
func (p proxmox) create(ctx context.Context, o order) error {
	n := o.of.image
	image, err := seed(o.id, o.Guest, n.Packages)
	if err != nil {
		return err
	}
	out, err := p.at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", putFile + `put "$1"`, "sh", seedFile(o.id)}, Stdin: image})
	if err == nil && out.Exit != 0 {
		err = fmt.Errorf("%s on %s: %.400s", seedFile(o.id), p.at.Host().Name, said(out))
	}
	if err != nil {
		return err
	}
	disk := o.of.Disks[0]
	_, err = p.run(ctx, "qm", "create", o.name, "--name", prefix+o.id, "--description", about(o), "--ostype", "l26", "--agent", "1", "--onboot", "0",
		"--cpu", "host", "--cores", strconv.Itoa(n.CPUs), "--memory", strconv.FormatInt(n.Memory>>20, 10), "--net0", "virtio,bridge="+n.Bridge, "--serial0", "socket",
		"--scsihw", "virtio-scsi-single", "--"+proxmoxDisk, n.Storage+":0,import-from="+disk.base+",discard=on", "--scsi1", n.Storage+":0,import-from="+seedFile(o.id), "--boot", "order="+proxmoxDisk)
	if err != nil {
		return err
	}
	if err := removeFile(ctx, p.at, seedFile(o.id)); err != nil {
		return err
	}
	if _, err := p.run(ctx, "qm", "resize", o.name, proxmoxDisk, strconv.FormatInt((disk.Bytes+1<<20-1)>>20, 10)+"M"); err != nil {
		return err
	}
	_, err = p.run(ctx, "qm", "start", o.name)
	return err
}

// about returns a VM's description, which keeps the receipt's id even if the VM is
// renamed.
func about(o order) string {
	of := o.Template
	if !imageSource.MatchString(of) {
		of = "VM " + of
	}
	return prefix + o.id + ": created by assay for a run, from " + of + "; assay cleanup destroys it"
}
