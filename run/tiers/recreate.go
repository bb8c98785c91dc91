package tiers

import (
	"context"
	"fmt"
	"sync"

	"assay"
	"assay/stacks/kube"
)

// Recreate returns, by host name, places that give access to what removed pods of
// these tiers left behind. An equivalent pod is made when something is first run
// there, in its own journalled namespace; Teardown removes both.
func (d *Deployment) Recreate(ctx context.Context, journal Journal, tell func(text string)) map[string]assay.Place {
	d.journal = journal
	space := sync.OnceValue(func() error { return d.makeNamespace(ctx) })
	all := map[string]assay.Place{}
	for _, one := range d.pods() {
		all[one.host.Name] = recreated{one.pod, sync.OnceValue(func() error {
			if err := space(); err != nil {
				return err
			}
			return one.pod.Open(ctx, func(text string) { tell(one.host.Name + ": " + text) })
		})}
	}
	return all
}

// Removed returns, by host name, the deployment's pods as they are after Teardown: gone.
func (d *Deployment) Removed() map[string]assay.Place {
	all := map[string]assay.Place{}
	for _, one := range d.pods() {
		all[one.host.Name] = removed{one.pod}
	}
	return all
}

// noMore is the error of commands in a removed pod.
var noMore = &kube.Problem{Reason: kube.Removed, Text: "its pod no longer exists"}

// recreated is a pod that is made on demand.
type recreated struct {
	assay.Place
	open func() error // once
}

// Gone returns the error of commands in the original pod.
func (recreated) Gone() error { return noMore }

func (r recreated) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := r.open(); err != nil {
		return assay.Output{}, err
	}
	return r.Place.Run(ctx, c)
}

// removed is a pod that is gone.
type removed struct{ assay.Place }

func (r removed) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, fmt.Errorf("host %s: %w", r.Host().Name, noMore)
}
