package beneath

import (
	"context"
	_ "embed" // the script
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

//go:embed device.sh
var deviceScript string

// Device returns the kernel name of the hypervisor's block device that is, or holds, a
// guest's disk; "" if the hypervisor does not say or there is none.
func Device(ctx context.Context, hypervisor assay.Place, kind string, d assay.GuestDisk) string {
	path := d.Source
	if !strings.HasPrefix(path, "/") && d.Storage != "" {
		path = pathOf(ctx, hypervisor, kind, d)
	}
	if !strings.HasPrefix(path, "/") {
		return ""
	}
	return parseDevice(answer(ctx, hypervisor, []string{"sh", "-c", deviceScript, "sh", path}))
}

// pathOf returns the path of a disk in a storage, "" if the hypervisor does not
// say.
func pathOf(ctx context.Context, hypervisor assay.Place, kind string, d assay.GuestDisk) string {
	for _, k := range Kinds {
		if k.Word == kind && !strings.HasPrefix(d.Source, "-") && !strings.HasPrefix(d.Storage, "-") {
			return strings.TrimSpace(answer(ctx, hypervisor, k.path(d)))
		}
	}
	return ""
}

// answer returns what a command prints, "" if it fails.
func answer(ctx context.Context, hypervisor assay.Place, argv []string) string {
	out, err := hypervisor.Run(ctx, assay.Cmd{Argv: argv, Timeout: patience})
	if err != nil || out.Exit != 0 {
		return ""
	}
	return string(out.Stdout)
}

// The kernel name of a block device: nvme0n1p2, dm-3, rbd0.
var deviceName = lazyregexp.New(`^[a-z][a-z0-9-]{1,31}$`)

// parseDevice parses the output of device.sh. It is pure and total.
func parseDevice(text string) string {
	if name := strings.TrimSpace(text); deviceName.MatchString(name) {
		return name
	}
	return ""
}
