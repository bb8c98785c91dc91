package guard

import (
	"context"
	"fmt"
	"strings"
	"time"

	"assay"
)

// discardScript discards all of the device $1. A blkdiscard that opens it for itself
// alone would be refused: we hold it.
const discardScript = `LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
export LC_ALL PATH
case $(blkdiscard --help 2>&1) in
*--force*) exec blkdiscard --force "$1" ;;
*) exec blkdiscard "$1" ;;
esac`

// discardBound is for large drives, some of which erase as they discard.
const discardBound = 15 * time.Minute

// discard tells a device that nothing on it is needed.
func discard(ctx context.Context, at assay.Place, device string) error {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", discardScript, "sh", device}, Timeout: discardBound})
	switch {
	case err != nil:
		return fmt.Errorf("discard %s on %s: %w", device, at.Host().Name, err)
	case out.Exit != 0:
		return assay.WithHint("if the device does not support discard, remove `reset: discard`", "discard %s on %s: %s", device, at.Host().Name, strings.TrimSpace(string(out.Stderr)))
	}
	return nil
}
