package hypervisor

import (
	"context"
	"errors"
	"strings"
	"time"

	"assay"
	"assay/internal/sleep"
)

// Settling is how long something else may hold a guest or a storage: an interrupted operation
// cleans up, or a volume is created in a pool.
const Settling = 2 * time.Minute

// Rest waits two seconds between two polls.
func Rest(ctx context.Context) error {
	return sleep.For(ctx, 2*time.Second)
}

// Making is libvirt's message for a pool in which it is creating a volume.
var Making = Trouble{Said: "asynchronous jobs running", Is: assay.ErrBusy, Hint: "wait until the volume that is being made in the pool is complete"}

// Volumes returns the current names of what is in a libvirt pool: libvirt itself rescans a
// pool only on request, and not while it creates a volume there. virsh runs a command and must
// recognise Making.
func Volumes(ctx context.Context, pool string, virsh func(words ...string) (string, error)) ([]string, error) {
	for begun := time.Now(); ; {
		_, err := virsh("pool-refresh", "--pool", pool)
		if err == nil {
			break
		}
		if !errors.Is(err, assay.ErrBusy) || time.Since(begun) > Settling {
			return nil, err
		}
		if err := Rest(ctx); err != nil {
			return nil, err
		}
	}
	text, err := virsh("vol-list", "--pool", pool)
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 {
			names = append(names, words[0])
		}
	}
	return names, nil
}
