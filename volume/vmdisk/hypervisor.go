package vmdisk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
)

// hypervisor does what is to be done to one disk, in the words of its kind.
type hypervisor interface {
	// ready refuses a guest that is off, and settings that its controllers cannot have.
	ready(ctx context.Context) error
	// room tells what is free in the storage, and how large it is, in bytes.
	room(ctx context.Context) (free, size int64, err error)
	// create makes the volume, and fails where there is one of that name.
	create(ctx context.Context, bytes int64) error
	attach(ctx context.Context) error
	// attached tells how the guest has the disk; false where it has it no more.
	attached(ctx context.Context) (assay.GuestDisk, bool, error)
	// detach asks the guest to let the disk go. assay.ErrBusy where it refuses.
	detach(ctx context.Context) error
	// remove deletes what was made but what is attached, and looks whether it is gone.
	// It is idempotent.
	remove(ctx context.Context) error
}

// kind is a kind of hypervisor.
type kind struct {
	word  string // as in cluster.yaml
	bus   string // of a disk where nobody said
	guest *lazyregexp.Regexp
	// volume is what the volume of a guest is called that has the receipt's id.
	volume func(guest, id string) string
	of     func(below assay.Place, d disk) hypervisor
	// thread chooses a thread that no disk has; nil where the hypervisor makes one itself.
	thread func(ctx context.Context, below assay.Place, d disk) (int, error)
}

var kinds = []kind{
	{"libvirt", virtio, domainName, func(_, id string) string { return prefix + id }, newLibvirt, freeThread},
	{"proxmox", scsi, vmID, proxmoxVolume, newProxmox, nil},
}

// kindOf returns the kind of that word, nil where there is none.
func kindOf(word string) *kind {
	for i := range kinds {
		if kinds[i].word == word {
			return &kinds[i]
		}
	}
	return nil
}

// patience bounds one command of a hypervisor: allocating a large volume takes minutes.
const patience = 10 * time.Minute

// trouble is what a hypervisor says, with what that is and what to do. STORAGE and GUEST
// are those of the disk.
type trouble struct {
	said string // without regard to case
	is   error  // nil: none of assay's
	hint string
}

// tell runs a command on the hypervisor and returns what it printed. What it refuses is
// explained by the first trouble that fits.
func tell(ctx context.Context, below assay.Place, d disk, troubles []trouble, c assay.Cmd) (string, error) {
	c.Timeout = patience
	what := c.Argv[0] + " " + doing(c.Argv)
	out, err := below.Run(ctx, c)
	switch {
	case errors.Is(err, assay.ErrNoCommand):
		return "", fmt.Errorf("hypervisor %s has no %s: %w", below.Host().Name, c.Argv[0], err)
	case err != nil:
		return "", fmt.Errorf("%s on %s: %w", what, below.Host().Name, err)
	case out.Exit == 0:
		return string(out.Stdout), nil
	}
	said, names := whatItSaid(out), strings.NewReplacer("STORAGE", d.Storage, "GUEST", d.Guest)
	for _, t := range troubles {
		if !strings.Contains(strings.ToLower(said), strings.ToLower(names.Replace(t.said))) {
			continue
		}
		hint := names.Replace(t.hint)
		if t.is != nil {
			return "", assay.WithHint(hint, "%s on %s: %w: %s", what, below.Host().Name, t.is, said)
		}
		return "", assay.WithHint(hint, "%s on %s: %s", what, below.Host().Name, said)
	}
	return "", fmt.Errorf("%s on %s exited %d: %s", what, below.Host().Name, out.Exit, said)
}

// doing is the subcommand of a tool that may have options before it.
func doing(argv []string) string {
	for i := 1; i < len(argv); i++ {
		switch {
		case argv[i] == "-c":
			i++
		case !strings.HasPrefix(argv[i], "-"):
			return argv[i]
		}
	}
	return ""
}

// whatItSaid is what a tool complained of, in one line, without how it is used.
func whatItSaid(out assay.Output) string {
	text := strings.TrimSpace(string(out.Stderr))
	if text == "" {
		text = strings.TrimSpace(string(out.Stdout))
	}
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "error: ")
		if strings.HasPrefix(line, "400 Parameter verification failed") || strings.HasSuffix(line, "[OPTIONS]") {
			continue
		}
		lines = append(lines, line)
	}
	said := strings.Join(lines[max(0, len(lines)-3):], ": ")
	return said[:min(len(said), 400)]
}
