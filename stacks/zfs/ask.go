package zfs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/internal/oneline"
	"assay/internal/shell"
)

// patience is the timeout of one command. On a suspended pool many never end.
const patience = 2 * time.Minute

// ErrMissing reports that a pool or dataset does not exist.
var ErrMissing = errors.New("not there")

// Command is a command of ZFS's tools.
func Command(argv ...string) assay.Cmd {
	return assay.Cmd{Argv: shell.Sbin(argv...), Env: []string{"LC_ALL=C"}, Timeout: patience}
}

// Ask runs a command of the ZFS tools on a host and returns its output. The error is
// ErrMissing if the pool or the dataset does not exist.
func Ask(ctx context.Context, at assay.Place, argv ...string) ([]byte, error) {
	out, err := at.Run(ctx, Command(argv...))
	what := strings.Join(argv[:min(2, len(argv))], " ")
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", at.Host().Name, what, err)
	}
	if out.Exit == 0 {
		return out.Stdout, nil
	}
	host, said := at.Host().Name, oneline.Brief(out.Stderr)
	switch text := string(out.Stderr); {
	case out.Exit == 127:
		return nil, assay.WithHint("install zfsutils-linux there", "%s: %s: %w: %s", host, what, assay.ErrNoCommand, said)
	case strings.Contains(text, "does not exist"), strings.Contains(text, "no such pool"):
		return nil, fmt.Errorf("%s: %s: %w: %s", host, what, ErrMissing, said)
	case strings.Contains(text, "ermission denied"), strings.Contains(text, "must be superuser"):
		return nil, assay.WithHint("connect as root: only root may mount on Linux", "%s: %s: %s", host, what, said)
	case strings.Contains(text, "/dev/zfs"), strings.Contains(text, "modules are not loaded"), strings.Contains(text, "modules cannot be"):
		return nil, assay.WithHint("modprobe zfs there", "%s: %s: %s", host, what, said)
	}
	return nil, fmt.Errorf("%s: %s: exit %d: %s", host, what, out.Exit, said)
}
