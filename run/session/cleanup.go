package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/inventory/cluster"
	placeall "assay/place/all"
	"assay/run"
	"assay/run/tiers"
	"assay/store"
	volumeall "assay/volume/all"
)

// Released is what was done about one leftover of a killed run.
type Released = run.Released

// Cleaned is the result of Cleanup.
type Cleaned struct {
	Released  []Released
	InUse     int // scratch spaces of runs that are still going
	Elsewhere int // those left by runs on other machines, which only these can remove
	// Unproven lists journal entries without proof that this user made them on this
	// machine. They were left alone.
	Unproven []store.Entry
}

// Cleanup removes what runs left behind because they were killed or told to keep it.
// file is the cluster.yaml that says how to reach other hosts, "" for this machine only.
// If a pod that left something on its node is gone, Cleanup creates another one to
// remove it. tell is called with progress messages.
//
// Released holds the reason for each item that could not be removed; the error says why
// nothing else could be tried. Receipts that are not provably this user's are listed but
// not acted on.
func Cleanup(ctx context.Context, st *store.Store, file string, tell func(text string)) (Cleaned, error) {
	here, err := st.Outstanding(ctx)
	if err != nil {
		return Cleaned{}, err
	}
	foreign, err := st.Foreign(ctx)
	if err != nil {
		return Cleaned{}, err
	}
	unproven := slices.DeleteFunc(slices.Clone(foreign), func(e store.Entry) bool { return e.Owner.Elsewhere() })
	ways, err := reachAgain(ctx, st, here, file, tell)
	if err != nil {
		return Cleaned{}, errors.Join(err, ways.leave(ctx))
	}
	released, err := run.Cleanup(ctx, st, ways.places, volumeall.Journalled(), true)
	err = errors.Join(err, ways.leave(ctx))
	return Cleaned{Released: released, InUse: len(here) - len(released), Elsewhere: len(foreign) - len(unproven), Unproven: unproven}, err
}

// Forget deletes the receipts of a run that are not provably this user's, but nothing
// that they name. It returns how many there were.
func Forget(ctx context.Context, st *store.Store, run string) (int, error) {
	foreign, err := st.Foreign(ctx)
	n := 0
	for _, e := range foreign {
		if e.Owner.Run != run || e.Owner.Elsewhere() {
			continue
		}
		if err := st.Strike(ctx, e.Receipt.ID); err != nil {
			return n, err
		}
		n++
	}
	return n, err
}

// ways is the access to hosts with outstanding entries.
type ways struct {
	places     map[string]assay.Place
	deployment *tiers.Deployment // of recreated pods; nil without
}

// reachAgain opens the hosts with outstanding entries that can be reached: those of
// a cluster.yaml, pods like those of its tiers, or this machine.
func reachAgain(ctx context.Context, st *store.Store, entries []store.Entry, file string, tell func(string)) (ways, error) {
	w := ways{places: map[string]assay.Place{}}
	var c cluster.Cluster
	if file != "" {
		var err error
		if c, err = ReadCluster(file); err != nil {
			return w, err
		}
	}
	for _, e := range entries {
		for _, name := range append([]string{e.Receipt.Host}, e.Receipt.Also...) {
			switch h := c.Host(name); {
			case w.places[name] != nil:
			case h != nil:
				at, err := placeOf(c, *h, "")
				if err != nil {
					return w, err
				}
				w.places[name] = at
			case name == thisHost():
				w.places[name] = placeall.Local(name, "")
			}
		}
	}
	return w, w.recreatePods(ctx, st, entries, c, tell)
}

// recreatePods adds the hosts that are pods of a tier.
func (w *ways) recreatePods(ctx context.Context, st *store.Store, entries []store.Entry, c cluster.Cluster, tell func(string)) error {
	o := tiers.Options{
		Cluster: c, Here: thisHost(), Run: NewRunID(time.Now()), Deadline: podsEnd,
		Local: func() assay.Place { return placeall.Local(thisHost(), "") },
	}
	for _, t := range c.Tiers {
		left := func(e store.Entry) bool {
			host := e.Receipt.Host
			return w.places[host] == nil && (host == t.Name || strings.HasPrefix(host, t.Name+"@"))
		}
		if t.InPods() && slices.ContainsFunc(entries, left) {
			o.Tiers = append(o.Tiers, t)
		}
	}
	if len(o.Tiers) == 0 {
		return nil
	}
	deployment, err := tiers.Open(o)
	if err != nil {
		return err
	}
	w.deployment = deployment
	owner, err := store.Self(o.Run)
	if err != nil {
		return err
	}
	maps.Copy(w.places, deployment.Recreate(ctx, journalOf(st, owner), tell))
	return nil
}

// leave closes the places and removes the pods that were made for them.
func (w ways) leave(ctx context.Context) error {
	for _, at := range w.places {
		_ = at.Close()
	}
	if w.deployment == nil {
		return nil
	}
	return w.deployment.Teardown(ctx)
}

// made lists the roles under which a receipt names things that were made.
var made = []string{"dir", "directory", "bucket", "namespace"}

// Restores names the setting that a receipt restores, if it does only that (see
// assay.Turner): "write_cache=on of /dev/…"; "" if something was made or lent.
func Restores(r assay.Receipt) string {
	if !r.SettingAlone() {
		return ""
	}
	return fmt.Sprintf("%s=%s of %s", r.Restore[0].Name, r.Restore[0].Value, r.Restore[0].Of)
}

// NameOf names the subject of a receipt: what was made, or where it was lent; or the
// result of Restores.
func NameOf(r assay.Receipt) string {
	if restores := Restores(r); restores != "" {
		return restores
	}
	var names []string
	for _, role := range made {
		if name := r.Names[role]; name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return r.Subject
	}
	return strings.Join(names, " and ")
}
