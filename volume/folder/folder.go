package folder

import (
	"context"
	_ "embed" // the script
	"fmt"
	"time"

	"assay"
	"assay/internal/powershell"
	"assay/internal/winpath"
)

// Kind is the volume's name in receipts and suites.
const Kind = "folder"

// Least is the smallest scratch space worth lending, in bytes.
const Least = 32 << 20

// Volume lends directories of Windows hosts.
type Volume struct{}

// New returns the volume.
func New() Volume { return Volume{} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

const elsewhere = "measure another directory"

// Reserve names a directory inside the subject's.
func (v Volume) Reserve(_ context.Context, _ assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := want.Way.Check(Kind); err != nil {
		return assay.Receipt{}, err
	}
	if err := assay.CheckID(want.ID); err != nil {
		return assay.Receipt{}, err
	}
	if err := winpath.Check(s.Name); err != nil {
		return assay.Receipt{}, fmt.Errorf("directory %w", err)
	}
	return assay.Receipt{
		ID: want.ID, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes,
		Names: map[string]string{"dir": winpath.Join(s.Name, ".assay-"+want.ID), "source": s.Source},
	}, nil
}

// Lend creates the directory after checking the free space: it leaves assay.KeepFree free,
// and refuses if less than Least remains.
func (v Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	a, err := asked(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	space, err := a.do(ctx, at, "look")
	if err != nil {
		return assay.Scratch{}, err
	}
	bytes := min(r.Bytes, space.Free-assay.KeepFree(space.Size))
	if bytes < min(Least, r.Bytes) {
		return assay.Scratch{}, assay.WithHint("free some space, or "+elsewhere,
			"%w on %s: %s has %d MiB free; assay leaves %d MiB unused", assay.ErrNoSpace,
			at.Host().Name, a.Parent, space.Free>>20, assay.KeepFree(space.Size)>>20)
	}
	made, err := a.do(ctx, at, "make")
	if err == nil && !made.Made {
		err = fmt.Errorf("create %s on %s: %w", a.Path, at.Host().Name, assay.ErrNoOutput)
	}
	if err != nil {
		return assay.Scratch{}, err
	}
	return assay.Scratch{Dir: a.Path, File: winpath.Join(a.Path, "data"), Bytes: bytes}, nil
}

// Release kills what still runs in the directory, removes it and verifies that it is gone. If
// the directory is missing, its volume must still be there.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	a, err := asked(r)
	if err != nil {
		return err
	}
	said, err := a.do(ctx, at, "remove")
	if err == nil && !said.Gone {
		err = assay.WithHint("remove it by hand, or run: assay cleanup", "cannot remove %s on %s: it is still there", a.Path, at.Host().Name)
	}
	return err
}

//go:embed folder.ps1
var script string

// asking is the script's input.
type asking struct {
	Do, Path, Parent, Name, Source string
}

// asked parses a receipt, and rejects one that Reserve would not have made: a receipt comes
// from a file, and Release removes directory trees.
func asked(r assay.Receipt) (asking, error) {
	path := r.Names["dir"]
	parent, name := winpath.Split(path)
	if r.Volume != Kind || !assay.SafeID(r.ID) || !winpath.Valid(parent) || name != ".assay-"+r.ID || winpath.Join(parent, name) != path {
		return asking{}, fmt.Errorf("receipt %q is not for a scratch directory of assay: %q", r.ID, path)
	}
	return asking{Path: path, Parent: parent, Name: name, Source: r.Names["source"]}, nil
}

// said is the script's output.
type said struct {
	Trouble, Why string
	Size, Free   int64
	Source       string
	Made, Gone   bool
	Killed       int
}

// patience bounds one call: removing a large file takes no time on NTFS.
const patience = 2 * time.Minute

func (a asking) do(ctx context.Context, at assay.Place, what string) (s said, err error) {
	a.Do = what
	argv, err := powershell.Command(script, a)
	if err != nil {
		return s, err
	}
	host := at.Host().Name
	out, err := at.Run(ctx, assay.Cmd{Argv: argv, Timeout: patience})
	if err != nil {
		return s, fmt.Errorf("%s %s on %s: %w", what, a.Path, host, err)
	}
	if err := powershell.Read(out.Stdout, &s); err != nil {
		return s, fmt.Errorf("%s %s on %s: %s: %w", what, a.Path, host, powershell.Said(out), err)
	}
	if s.Trouble != "" {
		return s, a.explain(s, host)
	}
	return s, nil
}

func (a asking) explain(s said, host string) error {
	why := fmt.Sprintf("%.300s", s.Why)
	switch s.Trouble {
	case "missing":
		if a.Do == "remove" {
			return assay.WithHint("bring its volume back and run: assay cleanup", "%s on %s does not exist, so %s cannot be found", a.Parent, host, a.Name)
		}
		return assay.WithHint("create it, or "+elsewhere, "directory %s on %s is %w", a.Parent, host, assay.ErrNotFound)
	case "hidden":
		return assay.WithHint("bring its volume back and run: assay cleanup", "%s on %s may be hidden: %s", a.Name, host, why)
	case "unsafe":
		return assay.WithHint(elsewhere+", or take the right to delete subfolders from others", "directory %s on %s is not safe to measure in: %s", a.Parent, host, why)
	case "link":
		return assay.WithHint("look at it, and remove it by hand", "cannot remove %s on %s safely: %s", a.Path, host, why)
	}
	return fmt.Errorf("cannot %s %s on %s: %s", a.Do, a.Path, host, why)
}
