package dir

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	_ "embed" // the script
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"assay"
	"assay/internal/oneline"
	"assay/internal/removal"
)

// Kind is the volume's name in receipts and suites.
const Kind = "dir"

// Least is the smallest scratch space worth lending, in bytes.
const Least = 32 << 20

// Volume lends directories.
type Volume struct {
	kind      string
	elsewhere string // for hints: the alternative to freeing space
	mounted   bool   // accepts only mount points
}

// New returns the volume.
func New() Volume { return Volume{kind: Kind, elsewhere: "choose another directory with --dir"} }

// Inside returns a volume of another kind that lends directories in the same way,
// inside a pod's mounts: it refuses a directory that is not a mount point itself,
// which would be the container's own layer. elsewhere ends the hint for
// insufficient space: what else the user can choose.
func Inside(kind, elsewhere string) Volume {
	return Volume{kind: kind, elsewhere: elsewhere, mounted: true}
}

// Kind is the volume's name in receipts and suites.
func (v Volume) Kind() string { return v.kind }

// Reserve names a directory inside the subject's.
func (v Volume) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	id := want.ID
	if err := want.Way.Check(v.kind); err != nil {
		return assay.Receipt{}, err
	}
	if err := assay.CheckID(id); err != nil {
		return assay.Receipt{}, err
	}
	if !path.IsAbs(s.Name) {
		return assay.Receipt{}, fmt.Errorf("directory %q is not an absolute path", s.Name)
	}
	return assay.Receipt{
		ID: id, Volume: v.kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes,
		Names: map[string]string{"dir": path.Join(s.Name, ".assay-"+id), "source": s.Source, "machine": v.machine(ctx, at)},
	}, nil
}

// Lend creates the directory after checking the space: it lends no more than
// leaves assay.KeepFree free, and refuses if that is less than Least.
func (v Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	dir, err := v.scratchDir(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	parent := path.Dir(dir)
	if v.mounted {
		if err := isMount(ctx, at, parent); err != nil {
			return assay.Scratch{}, err
		}
	}
	space, err := v.measureSpace(ctx, at, parent)
	if err != nil {
		return assay.Scratch{}, err
	}
	bytes := min(r.Bytes, space.free-assay.KeepFree(space.size))
	if bytes < min(Least, r.Bytes) {
		return assay.Scratch{}, assay.WithHint(
			"free some space, or "+v.elsewhere,
			"%w on %s: %s has %d MiB free; assay leaves %d MiB unused", assay.ErrNoSpace,
			at.Host().Name, parent, space.free>>20, assay.KeepFree(space.size)>>20)
	}
	out, err := at.Run(ctx, v.makes(dir))
	switch {
	case err != nil:
		return assay.Scratch{}, fmt.Errorf("create %s on %s: %w", dir, at.Host().Name, err)
	case out.Exit == exitUnguarded:
		return assay.Scratch{}, v.unguarded(at, parent, out)
	case out.Exit != 0:
		return assay.Scratch{}, v.explain(at, parent, out)
	}
	if target := strings.TrimSuffix(string(out.Stdout), "\n"); !v.mounted && path.IsAbs(target) {
		dir = target
	}
	return assay.Scratch{Dir: dir, File: path.Join(dir, "data"), Bytes: bytes}, nil
}

//go:embed dir.sh
var script string

// exitUnguarded is dir.sh's exit code if others may rename what it makes.
const exitUnguarded = 77

// inDir returns a command of dir.sh.
func inDir(words ...string) assay.Cmd {
	c := command(append([]string{"sh", "-s", "--"}, words...)...)
	c.Stdin = []byte(removal.Script + script)
	return c
}

// makes returns the command that makes the directory. One in a pod's mount records
// which pod made it: that pod, and no other, removes it when told to end.
func (v Volume) makes(dir string) assay.Cmd {
	if !v.mounted {
		return inDir("make", dir)
	}
	return command("sh", "-c", `mkdir -m 700 -- "$1" && echo "$(readlink /proc/self/ns/pid) $(uname -n)" >"$1/.pod"`, "sh", dir)
}

// Release removes the directory and checks that it is gone, but not if something is
// mounted in it. If it is missing, its file system must be there: on one that is not
// mounted it is only out of sight.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	dir, err := v.scratchDir(r)
	if err != nil {
		return err
	}
	if err := v.inSight(ctx, at, dir, r); errors.Is(err, assay.ErrDestroyed) {
		return nil
	} else if err != nil {
		return err
	}
	words := []string{"remove", dir}
	if v.mounted {
		words = append(words, "mounted")
	}
	out, err := at.Run(ctx, inDir(words...))
	switch {
	case err != nil:
		return fmt.Errorf("remove %s on %s: %w", dir, at.Host().Name, err)
	case out.Exit == exitUnguarded:
		return assay.WithHint("look at it, and remove it by hand",
			"cannot remove %s on %s safely: %s", dir, at.Host().Name, lastLine(out.Stderr))
	case out.Exit != 0:
		return assay.WithHint("remove it by hand, or run: assay cleanup",
			"cannot remove %s on %s: %s", dir, at.Host().Name, lastLine(out.Stderr))
	case string(out.Stdout) != "gone\n":
		return assay.WithHint("check its login shell and its sh, or remove it by hand",
			"cannot remove %s on %s: sh exited 0 without saying that it is gone", dir, at.Host().Name)
	}
	return nil
}

// inSight returns an error if dir is missing and may only be hidden: its parent
// must exist, on the same machine and the same source as before.
func (v Volume) inSight(ctx context.Context, at assay.Place, dir string, r assay.Receipt) error {
	out, err := at.Run(ctx, command("test", "-e", dir))
	if err != nil {
		return fmt.Errorf("find %s on %s: %w", dir, at.Host().Name, err)
	}
	if out.Exit == 0 {
		return nil
	}
	parent, source := path.Dir(dir), r.Names["source"]
	if was := r.Names["machine"]; was != "" {
		if is := v.machine(ctx, at); is != "" && is != was {
			return assay.WithHint("give the cluster.yaml of the interrupted run: assay cleanup -i cluster.yaml; if it was reinstalled: assay cleanup --forget RUN",
				"%s is another machine than the one that was measured, and %s is not on it", at.Host().Name, dir)
		}
	}
	space, err := v.measureSpace(ctx, at, parent)
	switch {
	case errors.Is(err, assay.ErrNotFound):
		return assay.WithHint("mount it and run: assay cleanup", "%s on %s does not exist, so %s cannot be found", parent, at.Host().Name, path.Base(dir))
	case err != nil:
		return err
	case source != "" && space.source != "" && space.source != source:
		return assay.WithHint("mount it and run: assay cleanup", "%s on %s is now on %s and was on %s: %s may be hidden by the mount",
			parent, at.Host().Name, space.source, source, path.Base(dir))
	}
	return nil
}

// machine returns a hash that tells the host's machine from others of its name, "" if it
// has none that lasts: one that systemd makes up at each boot is mounted.
func (v Volume) machine(ctx context.Context, at assay.Place) string {
	if v.mounted || at == nil {
		return "" // a pod's is its image's
	}
	out, err := at.Run(ctx, command("sh", "-c", `grep -q ' /etc/machine-id ' /proc/self/mountinfo || cat /etc/machine-id`))
	id := strings.TrimSpace(string(out.Stdout))
	if err != nil || out.Exit != 0 || id == "" {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(id)) // see machine-id(5)
	mac.Write([]byte("assay scratch"))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// scratchDir returns the receipt's directory, and refuses one that Reserve would
// not have chosen: a receipt is read from a file, and Release removes trees.
func (v Volume) scratchDir(r assay.Receipt) (string, error) {
	dir := r.Names["dir"]
	if r.Volume != v.kind || !assay.SafeID(r.ID) || !path.IsAbs(dir) || path.Clean(dir) != dir || path.Base(dir) != ".assay-"+r.ID {
		return "", fmt.Errorf("receipt %q is not for a scratch directory of assay: %q", r.ID, dir)
	}
	return dir, nil
}

func command(argv ...string) assay.Cmd {
	return assay.Cmd{Argv: argv, Env: []string{"LC_ALL=C"}, Timeout: 2 * time.Minute}
}

func (v Volume) explain(at assay.Place, dir string, out assay.Output) error {
	why, hint := assay.ErrReadOnly, v.elsewhere+", or run as a user with write permission"
	switch text := string(out.Stderr); {
	case strings.Contains(text, "No such file"):
		why, hint = assay.ErrNotFound, "create it, or "+v.elsewhere
	case strings.Contains(text, "No space"):
		why, hint = assay.ErrNoSpace, "free some space, or "+v.elsewhere
	}
	return assay.WithHint(hint, "directory %s on %s is %w: %s", dir, at.Host().Name, why, lastLine(out.Stderr))
}

// unguarded returns the error for a directory in which others may rename: they
// could replace what is made there with links.
func (v Volume) unguarded(at assay.Place, dir string, out assay.Output) error {
	return assay.WithHint(v.elsewhere+", measure as its owner, or change its owner or mode",
		"directory %s on %s is not safe to measure in: %s", dir, at.Host().Name, lastLine(out.Stderr))
}

func lastLine(b []byte) string {
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return oneline.Brief([]byte(lines[len(lines)-1]))
}
