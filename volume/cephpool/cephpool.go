package cephpool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/sleep"
	"assay/stacks/ceph"
)

// Kind is the volume's name in receipts and suites.
const Kind = "cephpool"

// Volume lends pools.
type Volume struct{}

// New returns the volume.
func New() Volume { return Volume{} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

// rolePool is the role of the pool's name in a receipt.
const rolePool = "pool"

// Reserve names a pool, and reads the option that its removal will briefly
// change.
func (Volume) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := want.Way.Check(Kind); err != nil {
		return assay.Receipt{}, err
	}
	h, err := ceph.LentOf(s)
	if err != nil {
		return assay.Receipt{}, err
	}
	names, err := h.Scratch(rolePool, want.ID)
	if err != nil {
		return assay.Receipt{}, err
	}
	allowed, err := deletable(ctx, at, h.Access)
	if err != nil {
		return assay.Receipt{}, err
	}
	return assay.Receipt{
		ID: want.ID, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes, Sharers: want.Sharers,
		Names:   names,
		Restore: []assay.Property{{Of: section, Name: ceph.AllowDelete, Value: allowed}},
	}, nil
}

// Shares names the cluster: all pools are on the same OSDs, whichever host creates them.
func (Volume) Shares(s assay.Subject) string { return ceph.Storage(s) }

// section is where the option is set that lets pools be removed.
const section = "mon"

// deletable returns the value of the monitors' option; "" if nobody set it.
func deletable(ctx context.Context, at assay.Place, a ceph.Access) (string, error) {
	text, err := a.AskJSON(ctx, at, "config", "dump")
	if err != nil {
		return "", err
	}
	return ceph.ReadOption(text, section, ceph.AllowDelete)
}

// read refuses a receipt that Reserve would not have made: it comes from a file, and
// Release removes the pool that it names.
func read(r assay.Receipt) (pool string, h ceph.Lent, err error) {
	if pool, h, err = ceph.ReadScratch(r, Kind, rolePool); err != nil {
		return "", ceph.Lent{}, err
	}
	for _, p := range r.Restore {
		if p.Of != section || p.Name != ceph.AllowDelete || !slices.Contains([]string{"", "true", "false"}, p.Value) {
			return "", ceph.Lent{}, fmt.Errorf("receipt %q would set %s of %s to %q", r.ID, p.Name, p.Of, p.Value)
		}
	}
	return pool, h, nil
}

// Lend makes the pool after checking the cluster's health, and returns once all of
// it is writable. It lends a share of the space that Ceph reports for it.
func (Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	pool, h, err := read(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	a := h.Access
	status, err := h.Healthy(ctx, at)
	if err != nil {
		return assay.Scratch{}, err
	}
	pools, err := a.Pools(ctx, at)
	if err != nil {
		return assay.Scratch{}, err
	}
	model, err := h.Find(at, pools)
	if err != nil {
		return assay.Scratch{}, err
	}
	if slices.ContainsFunc(pools, func(p ceph.Pool) bool { return p.Name == pool }) {
		return assay.Scratch{}, fmt.Errorf("pool %s is there: %w", pool, assay.ErrBusy)
	}
	pgs, err := affordable(ctx, at, a, pools, model, status.In)
	if err != nil {
		return assay.Scratch{}, err
	}
	if err := create(ctx, at, a, pool, model, pgs); err != nil {
		return assay.Scratch{}, err
	}
	if err := active(ctx, at, a, pool); err != nil {
		return assay.Scratch{}, err
	}
	room, err := a.Room(ctx, at, pool)
	if err != nil {
		return assay.Scratch{}, err
	}
	bytes, err := ceph.Lendable(r.Bytes, room, r.Sharers, "in a pool like "+h.Model)
	return assay.Scratch{File: pool, Bytes: bytes}, err
}

// usualMost is the limit of placement groups per OSD if the monitors do not report
// it: their default.
const usualMost = 250

// affordable returns the model pool's number of placement groups, halved until they
// take at most half of what the monitors still allow, since several hosts may have a
// pool each.
func affordable(ctx context.Context, at assay.Place, a ceph.Access, pools []ceph.Pool, model ceph.Pool, osds int) (int, error) {
	text, err := a.Ask(ctx, at, "config", "get", section, "mon_max_pg_per_osd")
	if err != nil {
		return 0, err
	}
	most, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || most <= 0 {
		most = usualMost
	}
	left := most * osds
	for _, p := range pools {
		left -= p.PGs * p.Size
	}
	pgs := model.PGs
	for pgs > 1 && pgs*model.Size > left/2 {
		pgs /= 2
	}
	if pgs*model.Size > left {
		return 0, assay.WithHint("remove pools, or lower their placement groups", "no pool can be added: the %d OSDs have %d placement groups each, which is all that mon_max_pg_per_osd allows",
			osds, most)
	}
	return pgs, nil
}

// create makes the pool with the settings of another. It is tagged at once, so that
// the health status does not complain about it.
func create(ctx context.Context, at assay.Place, a ceph.Access, pool string, model ceph.Pool, pgs int) error {
	text, err := a.AskJSON(ctx, at, "osd", "crush", "rule", "dump")
	if err != nil {
		return err
	}
	rules, err := ceph.ReadRules(text)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(rules, func(r ceph.Rule) bool { return r.Number == model.Rule })
	if i < 0 {
		return fmt.Errorf("pool %s has CRUSH rule %d, which is not among the rules", model.Name, model.Rule)
	}
	number := strconv.Itoa(pgs)
	made := []string{"osd", "pool", "create", pool, number, number}
	if model.Profile != "" {
		made = append(made, "erasure", model.Profile, rules[i].Name)
	} else {
		made = append(made, "replicated", rules[i].Name)
	}
	commands := [][]string{append(made, "--autoscale-mode=off"), {"osd", "pool", "application", "enable", pool, ceph.Application}}
	set := func(name, value string) {
		commands = append(commands, []string{"osd", "pool", "set", pool, name, value})
	}
	if model.Profile == "" {
		set("size", strconv.Itoa(model.Size))
	}
	set("min_size", strconv.Itoa(model.MinSize))
	for _, option := range []string{"compression_mode", "compression_algorithm"} {
		if v := model.Compression[option]; v != "" {
			set(option, v)
		}
	}
	for _, words := range commands {
		if _, err := a.Ask(ctx, at, words...); err != nil {
			return err
		}
	}
	return nil
}

// active waits until every placement group of the pool is writable.
func active(ctx context.Context, at assay.Place, a ceph.Access, pool string) error {
	for deadline := time.Now().Add(2 * time.Minute); ; {
		text, err := a.AskJSON(ctx, at, "pg", "ls-by-pool", pool)
		if err != nil {
			return err
		}
		waiting, err := ceph.ReadInactive(text)
		if err != nil {
			return err
		}
		if waiting == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return assay.WithHint("see ceph health detail", "pool %s: %d placement groups are still not active: %w", pool, waiting, assay.ErrTimeout)
		}
		if err := sleep.For(ctx, 500*time.Millisecond); err != nil {
			return err
		}
	}
}

// Release removes the pool with everything in it, and checks that it is gone. The
// option that lets pools be removed is then restored, even after a Release that was
// killed.
func (Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	pool, h, err := read(r)
	if err != nil {
		return err
	}
	err = remove(ctx, at, h.Access, pool)
	return errors.Join(err, restore(context.WithoutCancel(ctx), at, h.Access, r.Restore))
}

// remove tries more than once: the monitors apply the option a moment after it is
// set, and meanwhile another host's pool may be removed and the option restored.
func remove(ctx context.Context, at assay.Place, a ceph.Access, pool string) error {
	var denied error
	for range 20 {
		pools, err := a.Pools(ctx, at)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(pools, func(p ceph.Pool) bool { return p.Name == pool }) {
			return nil
		}
		if denied != nil {
			if err := sleep.For(ctx, 500*time.Millisecond); err != nil {
				return err
			}
		}
		if _, err := a.Ask(ctx, at, "config", "set", section, ceph.AllowDelete, "true"); err != nil {
			return err
		}
		if _, denied = a.Ask(ctx, at, "osd", "pool", "rm", pool, pool, "--yes-i-really-really-mean-it"); denied != nil && !errors.Is(denied, ceph.ErrDenied) {
			return denied
		}
	}
	return assay.WithHint("remove it by hand, or run: assay cleanup", "pool %s cannot be removed: %w", pool, denied)
}

// restore resets the monitors' option to its former value.
func restore(ctx context.Context, at assay.Place, a ceph.Access, was []assay.Property) error {
	for _, p := range was {
		now, err := deletable(ctx, at, a)
		if err != nil {
			return err
		}
		if now == p.Value {
			continue
		}
		words := []string{"config", "set", p.Of, p.Name, p.Value}
		if p.Value == "" {
			words = []string{"config", "rm", p.Of, p.Name}
		}
		if _, err := a.Ask(ctx, at, words...); err != nil {
			return fmt.Errorf("restore %s: %w", p.Name, err)
		}
	}
	return nil
}
