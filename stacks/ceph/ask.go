package ceph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/internal/oneline"
)

// patience bounds one monitor command, and connecting the search for a monitor:
// without it ceph waits for five minutes.
const (
	patience   = 90 * time.Second
	connecting = "30"
)

// ErrDenied means that a key is missing, wrong, or too narrow.
var ErrDenied = errors.New("permission denied")

// Ask runs a ceph command on a host and returns its output. If the key does not
// allow it, the hint is the command that creates one that does.
func (a Access) Ask(ctx context.Context, at assay.Place, words ...string) ([]byte, error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: a.Argv("ceph", append([]string{"--connect-timeout", connecting}, words...)...), Timeout: patience})
	if err != nil {
		return nil, a.explain(at, "ceph "+words[0], err)
	}
	if err := a.Failed(at, "ceph "+strings.Join(words, " "), out); err != nil {
		return nil, err
	}
	return out.Stdout, nil
}

// AskJSON is like Ask, but asks for JSON.
func (a Access) AskJSON(ctx context.Context, at assay.Place, words ...string) ([]byte, error) {
	return a.Ask(ctx, at, append(words, "--format", "json")...)
}

func (a Access) explain(at assay.Place, what string, err error) error {
	if errors.Is(err, assay.ErrNoCommand) {
		return assay.WithHint("install ceph-common there, or let another host of the tier measure it", "%s: %s: %w", at.Host().Name, what, err)
	}
	return fmt.Errorf("%s: %s: %w", at.Host().Name, what, err)
}

// Failed returns why a Ceph command failed, nil if it did not.
func (a Access) Failed(at assay.Place, what string, out assay.Output) error {
	if out.Exit == 0 {
		return nil
	}
	host, said := at.Host().Name, oneline.Brief(out.Stderr)
	switch text := string(out.Stderr); {
	case contains(text, "EACCES", "EPERM", "Permission denied", "Operation not permitted", "access denied", "unable to find a keyring", "no keyring found", "failed to load key"):
		return assay.WithHint("give the user of the tier a key that can, and the host its keyring: "+a.AuthCommand(), "%s: %s: %w: %s", host, what, ErrDenied, said)
	case contains(text, "conf_read_file", "No such file or directory (os error"):
		return assay.WithHint("copy ceph.conf and a keyring there, or name them with conf: and keyring:", "%s: %s: cannot read ceph.conf: %s", host, what, said)
	case contains(text, "timed out", "TimedOut", "ETIMEDOUT"):
		return assay.WithHint("check that the monitors run and that this host reaches the public network", "%s: %s: the monitors do not answer: %s", host, what, said)
	}
	return fmt.Errorf("%s: %s: exit %d: %s", host, what, out.Exit, said)
}

func contains(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}
