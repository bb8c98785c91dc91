package drbd

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/sleep"
	"assay/stacks/drbd"
)

// volumeGroup creates a logical volume in an LVM volume group, tagged with the receipt's
// id. It removes no volume without that tag.
type volumeGroup struct{}

// kindLVM is the volume in its receipts. It is in no list of volumes: these receipts
// exist only inside DRBD's.
const kindLVM = "lvm"

const roleLV = "lv" // VG/LV

var groupName = lazyregexp.New(`^[A-Za-z0-9_+.][A-Za-z0-9_+.-]{0,126}$`)

func (volumeGroup) check(of string) error {
	if !groupName.MatchString(of) || of == "." || of == ".." {
		return errors.New("not the name of a volume group")
	}
	return nil
}

func (g volumeGroup) reserve(_ context.Context, at assay.Place, of string, want assay.Request) (assay.Receipt, error) {
	host := at.Host().Name
	return assay.Receipt{ID: want.ID, Volume: kindLVM, Host: host, Subject: host + "/lvm/" + of, Bytes: want.Bytes,
		Names: map[string]string{roleLV: of + "/" + prefix + want.ID}}, g.check(of)
}

// volumeOf refuses a receipt that reserve would not have made.
func (g volumeGroup) volumeOf(r assay.Receipt) (group, name string, err error) {
	group, name, _ = strings.Cut(r.Names[roleLV], "/")
	if r.Volume != kindLVM || !assay.SafeID(r.ID) || name != prefix+r.ID || g.check(group) != nil {
		return "", "", fmt.Errorf("receipt %q is not for a logical volume that assay lends", r.ID)
	}
	return group, name, nil
}

func (g volumeGroup) lend(ctx context.Context, at assay.Place, r assay.Receipt) (string, error) {
	group, name, err := g.volumeOf(r)
	if err != nil {
		return "", err
	}
	free, size, err := roomOf(ctx, at, group)
	if err != nil {
		return "", err
	}
	keep := assay.KeepFree(size)
	bytes := min(r.Bytes, free-keep) >> 20 << 20
	if bytes < least {
		return "", assay.WithHint("free some space there, or name another volume group", "%w in volume group %s of %s: %d MiB are free; assay leaves %d MiB unused",
			assay.ErrNoSpace, group, at.Host().Name, free>>20, keep>>20)
	}
	// Old data there does not matter: everything is written before it is read.
	_, err = drbd.Ask(ctx, at, "lvcreate", "--yes", "--wipesignatures", "n", "--zero", "n", "--addtag", name, "--size", strconv.FormatInt(bytes, 10)+"b", "--name", name, group)
	if drbd.Refused(err, "already exists") {
		err = fmt.Errorf("%w: %w", assay.ErrBusy, err)
	}
	return "/dev/" + group + "/" + name, err
}

func (g volumeGroup) release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	group, name, err := g.volumeOf(r)
	if err != nil {
		return err
	}
	path := group + "/" + name
	for try := 0; ; try++ {
		text, err := drbd.Ask(ctx, at, "lvs", "--noheadings", "--options", "lv_tags", path)
		if drbd.Refused(err, "Failed to find logical volume") {
			return nil
		}
		if err != nil {
			return err
		}
		if tags := strings.TrimSpace(string(text)); tags != name {
			return assay.WithHint("look at it, and remove it by hand", "%s on %s is not removed: its tags are %q, not the receipt's", path, at.Host().Name, tags)
		}
		_, err = drbd.Ask(ctx, at, "lvremove", "--yes", path)
		if err == nil {
			continue
		}
		if !drbd.Refused(err, "in use") || try == tries {
			return assay.WithHint("remove it by hand: lvremove "+path, "%s is left: %w", path, err)
		}
		if err := sleep.For(ctx, pause); err != nil {
			return err
		}
	}
}

// roomOf returns a volume group's free space and its size, in bytes.
func roomOf(ctx context.Context, at assay.Place, group string) (free, size int64, err error) {
	text, err := drbd.Ask(ctx, at, "vgs", "--noheadings", "--units", "b", "--nosuffix", "--options", "vg_free,vg_size", group)
	if drbd.Refused(err, "not found") {
		return 0, 0, assay.WithHint("list them with: vgs", "volume group %s on %s: %w", group, at.Host().Name, assay.ErrNotFound)
	}
	if err != nil {
		return 0, 0, err
	}
	words := strings.Fields(string(text))
	if len(words) != 2 {
		return 0, 0, fmt.Errorf("%s: vgs: %w", at.Host().Name, assay.ErrNoOutput)
	}
	free, err = strconv.ParseInt(words[0], 10, 64)
	if err == nil {
		size, err = strconv.ParseInt(words[1], 10, 64)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%s: vgs: %w", at.Host().Name, err)
	}
	return free, size, nil
}

func (volumeGroup) describe(ctx context.Context, at assay.Place, of, name string, f *assay.Facts) []assay.Note {
	free, size, err := roomOf(ctx, at, of)
	if err != nil {
		return nil
	}
	d := assay.BlockDevice{Name: name, Path: name, Kind: "other", Bytes: free - assay.KeepFree(size)}
	if text, err := drbd.Ask(ctx, at, "vgs", "--noheadings", "--options", "pv_name", of); err == nil {
		for _, path := range strings.Fields(string(text)) {
			if on := f.DeviceAt(path); on != nil {
				d.On = append(d.On, on.Name)
			}
		}
	}
	f.Block = append(f.Block, d)
	return nil
}
