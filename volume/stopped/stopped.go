package stopped

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"assay"
	"assay/internal/oneline"
	"assay/stacks/failover"
	"assay/volume"
)

// Kind is the volume's name in receipts and suites.
const Kind = "stopped"

// Volume lends what may be stopped, but only if it knows how to reach all hosts (see Among).
type Volume struct{ hosts volume.Ways }

// New returns the volume.
func New() Volume { return Volume{} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

// Among implements assay.Spread.
func (v Volume) Among(hosts map[string]assay.Place) assay.Volume {
	v.hosts = hosts
	return v
}

// The role of the name in a receipt.
const roleEntry = "failover" // failover.Entry as JSON

// Restored properties.
const (
	settingState = "state"
	running      = "running"
)

// Reserve refuses what nobody confirmed, and what is not running. A refusal leaves no receipt:
// nobody must start what was never stopped.
func (v Volume) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := assay.CheckID(want.ID); err != nil {
		return assay.Receipt{}, err
	}
	if err := want.Way.Check(Kind); err != nil {
		return assay.Receipt{}, err
	}
	e, confirmed, err := failover.Of(s.Params)
	if err != nil {
		return assay.Receipt{}, fmt.Errorf("%s: %w", s.ID, err)
	}
	if !confirmed || e.Host != s.Host {
		return assay.Receipt{}, fmt.Errorf("%s on %s is not stopped: nobody confirmed it", e.What(), s.Host)
	}
	there, err := v.where(at, e)
	if err != nil {
		return assay.Receipt{}, err
	}
	if err := fit(ctx, there, e); err != nil {
		return assay.Receipt{}, err
	}
	text, err := json.Marshal(e)
	if err != nil {
		return assay.Receipt{}, err
	}
	r := assay.Receipt{
		ID: want.ID, Volume: Kind, Host: e.Where(), Subject: s.ID, Names: map[string]string{roleEntry: string(text)},
		Restore: []assay.Property{restored(e)},
	}
	_, err = read(r)
	return r, err
}

// fit refuses a host on which a guard could not do its job, and anything that is not
// running.
func fit(ctx context.Context, at assay.Place, e failover.Entry) error {
	const look = `test -w /run || { echo "needs root: /run can't be written to" >&2; exit 1; }
for tool; do command -v "$tool" >/dev/null || { echo "needs $tool" >&2; exit 1; }; done`
	host := at.Host().Name
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", look, "sh", "setsid", "timeout"}})
	if err != nil {
		return fmt.Errorf("%s: %w", host, err)
	}
	if out.Exit != 0 {
		return assay.WithHint("log in as root (user: root), or use sudo: true; setsid is in util-linux, timeout in coreutils",
			"%s: nothing is stopped where nothing could put it back: %s", host, oneline.Brief(out.Stderr))
	}
	out, err = at.Run(ctx, e.IsRunning())
	if err != nil {
		return fmt.Errorf("%s: does %s run? %w", host, e.What(), err)
	}
	if out.Exit != 0 {
		_, _, asks := e.Scripts()
		return assay.WithHint("start it, or name what runs there", "%s does not run on %s: %s exited %d", e.What(), host, oneline.Clean(asks), out.Exit)
	}
	return nil
}

func restored(e failover.Entry) assay.Property {
	return assay.Property{Of: e.What() + " on " + e.Host, Name: settingState, Value: running}
}

// where returns the place of the host on which the commands run.
func (v Volume) where(at assay.Place, e failover.Entry) (assay.Place, error) {
	return v.hosts.To(at, e.Where(), fmt.Sprintf("from which %s of %s is stopped and put back", e.What(), e.Host))
}

// read parses a receipt, and rejects one that Reserve would not have made: it comes from a
// file, and Release runs the commands that it names.
func read(r assay.Receipt) (failover.Entry, error) {
	e, err := failover.Read(r.Names[roleEntry])
	if err != nil || r.Volume != Kind || !assay.SafeID(r.ID) || failover.Dir(r.ID) == "" || r.Host != e.Where() ||
		len(r.Names) != 1 || len(r.Also) != 0 || len(r.Restore) != 1 || r.Restore[0] != restored(e) {
		return failover.Entry{}, errors.Join(fmt.Errorf("receipt %q is not for what assay stops", r.ID), err)
	}
	return e, nil
}

// Lend stops nothing: the probe does that, in the directory that it is given.
func (v Volume) Lend(_ context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	e, err := read(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	if _, err := v.where(at, e); err != nil {
		return assay.Scratch{}, err
	}
	return assay.Scratch{Dir: failover.Dir(r.ID), Bytes: 1}, nil // it has no size
}

// Release restores it if it is stopped, and verifies that it runs.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	e, err := read(r)
	if err != nil {
		return err
	}
	there, err := v.where(at, e)
	if err != nil {
		return err
	}
	_, err = e.Undo(ctx, there, failover.Dir(r.ID))
	return err
}
