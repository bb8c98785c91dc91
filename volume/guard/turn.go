package guard

import (
	"context"
	_ "embed" // for cache.sh
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"assay"
)

// settingCache is the one setting that can take turns on a lent device: its write
// cache, on or off.
const settingCache = "write_cache"

const (
	cacheOn  = "on"
	cacheOff = "off"
)

// roleSetting is what a turn's receipt has in addition to the names of the
// device.
const roleSetting = "setting"

// cacheScript reads and sets the drive's own write cache.
//
//go:embed cache.sh
var cacheScript string

// cacheBound allows for a drive that flushes its cache before it answers.
const cacheBound = 2 * time.Minute

// ReserveTurn implements assay.Turner: it reads the current write cache
// setting.
func (v Volume) ReserveTurn(ctx context.Context, at assay.Place, lent assay.Receipt, want assay.Request) (assay.Receipt, error) {
	if err := want.Way.Check(v.kind, settingCache); err != nil {
		return assay.Receipt{}, err
	}
	device, identity, err := v.named(lent)
	if err != nil {
		return assay.Receipt{}, err
	}
	r := assay.Receipt{ID: want.ID, Volume: v.kind, Host: lent.Host, Subject: lent.Subject, Way: want.Way, Names: maps.Clone(lent.Names)}
	facts, err := meant(ctx, at, device, identity)
	if err != nil {
		return assay.Receipt{}, err
	}
	// Use a name that leads to it after a reboot as well.
	r.Names["device"], r.Names[roleSetting] = facts.opened(identity), settingCache
	now, err := cache(ctx, at, facts, "")
	if err != nil {
		return assay.Receipt{}, err
	}
	r.Restore = []assay.Property{{Of: r.Names["device"], Name: settingCache, Value: now}}
	_, _, err = v.turned(r)
	return r, err
}

// turned parses a turn's receipt, and rejects one that ReserveTurn would not have made.
func (v Volume) turned(r assay.Receipt) (device string, want Identity, err error) {
	device, want, err = v.named(r)
	if err != nil {
		return "", want, err
	}
	if r.Names[roleSetting] != settingCache || len(r.Restore) != 1 || r.Restore[0].Of != device || r.Restore[0].Name != settingCache {
		return "", want, fmt.Errorf("receipt %q does not describe the write cache of %s", r.ID, device)
	}
	for _, value := range []string{r.Way[settingCache], r.Restore[0].Value} {
		if value != cacheOn && value != cacheOff {
			return "", want, fmt.Errorf("%s: %q is neither %s nor %s", settingCache, value, cacheOn, cacheOff)
		}
	}
	return device, want, nil
}

// Turn implements assay.Turner: it sets the write cache even if it is set so already,
// because a drive that has none to set then refuses.
func (v Volume) Turn(ctx context.Context, at assay.Place, r assay.Receipt) error {
	device, want, err := v.turned(r)
	if err != nil {
		return err
	}
	facts, err := meant(ctx, at, device, want)
	if err != nil {
		return err
	}
	return setCache(ctx, at, facts, r.Way[settingCache])
}

// turnBack restores the write cache setting.
func (v Volume) turnBack(ctx context.Context, at assay.Place, r assay.Receipt) error {
	device, want, err := v.turned(r)
	if err != nil {
		return err
	}
	was := r.Restore[0].Value
	facts, err := meant(ctx, at, device, want)
	if errors.Is(err, assay.ErrNotFound) {
		return assay.WithHint("connect the drive again, then run: assay cleanup", "its write cache is not set back (it was %s): %w", was, err)
	}
	if err != nil {
		return err
	}
	now, err := cache(ctx, at, facts, "")
	if err == nil && now != was {
		err = setCache(ctx, at, facts, was)
	}
	if errors.Is(err, assay.ErrNotSupported) { // not a reason to continue here
		return assay.WithHint("set it by hand, then run: assay cleanup", "the write cache of %s is not set back (it was %s): %v", device, was, err)
	}
	return err
}

// meant looks at the device, and refuses it if it is not the intended one.
func meant(ctx context.Context, at assay.Place, device string, want Identity) (Facts, error) {
	facts, err := askOf(ctx, at, device, true)
	if err == nil {
		err = checkNamed(want, facts)
	}
	if err != nil {
		return facts, fmt.Errorf("on %s: %w", at.Host().Name, err)
	}
	return facts, nil
}

func setCache(ctx context.Context, at assay.Place, of Facts, value string) error {
	now, err := cache(ctx, at, of, value)
	if err == nil && now != value {
		err = fmt.Errorf("%s=%s is %w by %s on %s: the drive accepted the command, but its cache is still %s", settingCache, value, assay.ErrNotSupported, of.Path, at.Host().Name, now)
	}
	return err
}

// cache returns whether a drive's write cache is on, after setting it to value unless
// that is "".
func cache(ctx context.Context, at assay.Place, of Facts, value string) (now string, err error) {
	argv := []string{"sh", "-s", "--", of.Number}
	if value != "" {
		argv = append(argv, value)
	}
	out, err := at.Run(ctx, assay.Cmd{Argv: argv, Stdin: []byte(cacheScript), Timeout: cacheBound})
	if err != nil {
		return "", fmt.Errorf("write cache of %s on %s: %w", of.Path, at.Host().Name, err)
	}
	key, said, _ := strings.Cut(strings.TrimSpace(string(out.Stdout)), " ")
	switch {
	case key == "why":
		return "", fmt.Errorf("setting the write cache is %w by %s on %s: %s", assay.ErrNotSupported, of.Path, at.Host().Name, strings.TrimSpace(said))
	case out.Exit != 0 || key != "cache" || said != cacheOn && said != cacheOff:
		return "", fmt.Errorf("write cache of %s on %s: %w: exit %d: %s", of.Path, at.Host().Name, assay.ErrNoOutput, out.Exit, strings.TrimSpace(string(out.Stderr)))
	}
	return said, nil
}
