package drbd

import (
	"context"
	"fmt"
	"slices"

	"assay"
)

// showScript prints the configuration without the secrets that peers share. Its exit status is
// drbdsetup's.
const showScript = `text=$(drbdsetup show --show-defaults) || exit
printf '%s\n' "$text" | sed /shared-secret/d`

// ResourceOf asks a host for the setup of the resource of /dev/drbdN, including defaults. The
// output may be recorded: the peers' secret stays on the host.
func ResourceOf(ctx context.Context, at assay.Place, minor int) (Resource, error) {
	text, err := Tell(ctx, at, "drbdsetup show", Command("sh", "-c", showScript))
	if err != nil {
		return Resource{}, err
	}
	all, err := ReadShow(text)
	if err != nil {
		return Resource{}, err
	}
	i := slices.IndexFunc(all, func(r Resource) bool {
		return slices.ContainsFunc(r.Volumes, func(v Volume) bool { return v.Minor == minor })
	})
	if i < 0 {
		return Resource{}, fmt.Errorf("%s: drbdsetup show tells no resource of drbd%d", at.Host().Name, minor)
	}
	return all[i], nil
}
