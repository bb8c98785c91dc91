package guard

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"assay"
)

// Resets of a whole device, before it is written to and afterwards.
const (
	ResetDiscard = "discard"
	ResetFormat  = "nvme-format" // asks an NVMe drive to erase all user data, as SNIA's purge requires
)

// reset is a way to reset a device.
type reset struct {
	script string // for sh; $1 is the device
	hint   string // where it fails
}

// discardScript discards all of the device $1. A blkdiscard that opens it
// exclusively would fail, because we hold it.
const discardScript = `LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
export LC_ALL PATH
case $(blkdiscard --help 2>&1) in
*--force*) exec blkdiscard --force "$1" ;;
*) exec blkdiscard "$1" ;;
esac`

//go:embed format.sh
var formatScript string

var resets = map[string]reset{
	ResetDiscard: {discardScript, "if the device does not support discard, remove `reset: discard`"},
	ResetFormat:  {formatScript, "use `reset: discard`, or none"},
}

// resetBound allows for large drives, some of which take minutes to erase.
const resetBound = 15 * time.Minute

// reset resets all of a device as requested.
func (i Identity) reset(ctx context.Context, at assay.Place, device string) error {
	how := resets[i.Reset]
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", how.script, "sh", device}, Timeout: resetBound})
	switch {
	case err != nil:
		return fmt.Errorf("reset: %s of %s on %s: %w", i.Reset, device, at.Host().Name, err)
	case out.Exit != 0:
		return assay.WithHint(how.hint, "reset: %s of %s on %s: %s", i.Reset, device, at.Host().Name, strings.TrimSpace(string(out.Stderr)))
	}
	return nil
}
