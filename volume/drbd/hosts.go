package drbd

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/sleep"
	"assay/stacks/drbd"
)

// present reports whether a host has a resource of that name.
func present(ctx context.Context, at assay.Place, name string) (bool, error) {
	text, err := shown(ctx, at)
	if err != nil {
		return false, err
	}
	all, err := readShown(text)
	return slices.ContainsFunc(all, func(r drbd.Resource) bool { return r.Name == name }), err
}

// showScript prints what is set up, without the secrets that peers share. Without the module
// it prints nothing.
const showScript = `[ -e /proc/drbd ] || exit 0
text=$(drbdsetup show) || exit
printf '%s\n' "$text" | sed /shared-secret/d`

func shown(ctx context.Context, at assay.Place) ([]byte, error) {
	return run(ctx, at, "drbdsetup show", showScript)
}

// readShown is drbd.ReadShow for output without resources: 8.4 then prints a comment, 9
// nothing.
func readShown(text []byte) ([]drbd.Resource, error) {
	if !strings.Contains(string(text), "{") {
		return nil, nil
	}
	return drbd.ReadShow(text)
}

// adm runs drbdadm on the resource, with the configuration file that it was
// made with.
func (r resource) adm(ctx context.Context, at assay.Place, words ...string) ([]byte, error) {
	argv := append([]string{"drbdadm", "--config-file", r.file()}, words...)
	return drbd.Tell(ctx, at, "drbdadm "+words[0], drbd.Command(append(argv, r.Name)...))
}

const writeScript = `umask 077 && cat >"$1"`

// up writes the configuration, makes the metadata and brings the resource up, as secondary.
func up(ctx context.Context, at assay.Place, res resource, configuration string) error {
	c := drbd.Command("sh", "-c", writeScript, "sh", res.file())
	c.Stdin = []byte(configuration)
	if _, err := drbd.Tell(ctx, at, "write "+res.file(), c); err != nil {
		return err
	}
	if _, err := res.adm(ctx, at, "create-md", "--force"); err != nil {
		return err
	}
	_, err := res.adm(ctx, at, "up")
	return err
}

// downScript removes the configuration, and the links to it that drbdadm keeps for the
// kernel's helper.
const downScript = `rm -f -- "$1" || exit
for link in /run/drbd/drbd-resource-"$2".conf /run/drbd/drbd-minor-"$3".conf /var/lib/drbd/drbd-minor-"$3".conf /var/lib/drbd/drbd-minor-"$3".lkbd; do
	case $(readlink "$link" 2>/dev/null) in
	"$1") rm -f -- "$link" ;;
	esac
done`

// down takes the resource down if it exists, and verifies that it is gone.
func down(ctx context.Context, at assay.Place, res resource) error {
	for try := 0; ; try++ {
		there, err := present(ctx, at, res.Name)
		if err != nil {
			return err
		}
		if !there {
			_, err := run(ctx, at, "remove "+res.file(), downScript, res.file(), res.Name, strconv.Itoa(res.Minor))
			return err
		}
		if _, err = drbd.Ask(ctx, at, "drbdsetup", "down", res.Name); err != nil && (!drbd.Refused(err, "held open", "in use", "busy") || try == tries) {
			return assay.WithHint("see what uses "+res.device()+" (fuser -v), then run: assay cleanup", "resource %s is left: %w", res.Name, err)
		}
		if err == nil {
			continue
		}
		if err := sleep.For(ctx, pause); err != nil {
			return err
		}
	}
}

// stateOf returns the resource's state as one host reports it.
func stateOf(ctx context.Context, at assay.Place, res resource) (drbd.State, error) {
	all, err := states(ctx, at, res.Major)
	if err != nil {
		return drbd.State{}, err
	}
	i := slices.IndexFunc(all, func(s drbd.State) bool { return s.Minor == res.Minor && (s.Resource == "" || s.Resource == res.Name) })
	if i < 0 {
		return drbd.State{}, fmt.Errorf("%s: nothing is told of resource %s: %w", at.Host().Name, res.Name, assay.ErrNotFound)
	}
	return all[i], nil
}

// states returns the states of all resources on a host.
func states(ctx context.Context, at assay.Place, major int) ([]drbd.State, error) {
	if major == 8 {
		text, err := drbd.Ask(ctx, at, "cat", "/proc/drbd")
		if err != nil {
			return nil, err
		}
		return drbd.ReadProc(text)
	}
	text, err := drbd.Ask(ctx, at, "drbdsetup", "status", "--json")
	if err != nil {
		return nil, err
	}
	return drbd.ReadStatus(text)
}

func sizeOf(ctx context.Context, at assay.Place, device string) (int64, error) {
	text, err := drbd.Ask(ctx, at, "blockdev", "--getsize64", device)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: blockdev: %w", at.Host().Name, err)
	}
	return n, nil
}
