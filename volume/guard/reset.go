package guard

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"assay"
)

// What can be done to all of a device before it is written to, and afterwards.
const (
	ResetDiscard = "discard"
	ResetFormat  = "nvme-format" // asks an NVMe drive to erase all user data, as SNIA's purge wants
)

// reset is one of them.
type reset struct {
	script string // of sh; $1 is the device
	hint   string // where it fails
}

// discardScript discards all of the device $1. A blkdiscard that opens it for itself
// alone would be refused: we hold it.
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

// resetBound is for large drives, some of which erase for minutes.
const resetBound = 15 * time.Minute

// reset does to all of a device what was asked for.
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
