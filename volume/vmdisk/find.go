package vmdisk

import (
	"context"
	_ "embed" // the script
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/sleep"
)

//go:embed find.sh
var findScript string

// seen is the disk as the guest sees it.
type seen struct {
	name  string // the kernel's
	path  string
	bytes int64
}

// appears limits how long a guest may take to see an attached disk.
const appears = time.Minute

// find waits until the guest has exactly one disk with that serial.
func find(ctx context.Context, at assay.Place, serial string) (seen, error) {
	for begun := time.Now(); ; {
		out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", findScript, "sh", serial}, Timeout: time.Minute})
		if err != nil {
			return seen{}, fmt.Errorf("look for the disk %s in %s: %w", serial, at.Host().Name, err)
		}
		found, err := parseFound(out.Stdout)
		switch {
		case err != nil:
			return seen{}, fmt.Errorf("look for the disk %s in %s: %w: %s", serial, at.Host().Name, err, strings.TrimSpace(string(out.Stderr)))
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return seen{}, fmt.Errorf("%d disks in %s have the serial %s: %s and %s", len(found), at.Host().Name, serial, found[0].path, found[1].path)
		case time.Since(begun) > appears:
			return seen{}, assay.WithHint("the guest's kernel must take disks while it runs: modules virtio_blk or virtio_scsi, and acpiphp or pciehp (see its dmesg)",
				"the disk %s was attached to %s, which does not see it after %s: %w", serial, at.Host().Name, appears, assay.ErrNotFound)
		}
		if err := sleep.For(ctx, pause); err != nil {
			return seen{}, err
		}
	}
}

var (
	kernelName = lazyregexp.New(`^[a-z][a-z0-9]{1,31}$`)
	devicePath = lazyregexp.New(`^/dev/[A-Za-z0-9][A-Za-z0-9._:+@#=/-]{0,254}$`)
)

// parseFound parses the output of find.sh. It is pure and total.
func parseFound(text []byte) (all []seen, err error) {
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) != 3 || !kernelName.MatchString(words[0]) || !devicePath.MatchString(words[2]) || strings.Contains(words[2], "..") {
			return nil, fmt.Errorf("unexpected reply from the guest: %.100q", line)
		}
		bytes, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil || bytes <= 0 {
			return nil, fmt.Errorf("unexpected reply from the guest: %.100q", line)
		}
		all = append(all, seen{name: words[0], bytes: bytes, path: words[2]})
	}
	return all, nil
}
