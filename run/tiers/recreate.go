package tiers

import (
	"context"
	"fmt"
	"sync"

	"assay"
	"assay/stacks/kube"
)

// Recreate gives, by host name, ways to what pods of these tiers have left that are no
// more. A pod like the one that was is made when something is run there for the
// first time, in a namespace of its own that is journalled; Teardown takes them away.
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

// Removed gives, by host name, the pods of the deployment as they are after Teardown: they
// are no more.
func (d *Deployment) Removed() map[string]assay.Place {
	all := map[string]assay.Place{}
	for _, one := range d.pods() {
		all[one.host.Name] = removed{one.pod}
	}
	return all
}

// noMore is the error of what is run in a pod that was removed.
var noMore = &kube.Problem{Reason: kube.Removed, Text: "its pod no longer exists"}

// recreated is a pod that is made when it is needed.
type recreated struct {
	assay.Place
	open func() error // once
}

// Gone is the error of commands in the pod that was.
func (recreated) Gone() error { return noMore }

func (r recreated) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := r.open(); err != nil {
		return assay.Output{}, err
	}
	return r.Place.Run(ctx, c)
}

// removed is a pod that is no more.
type removed struct{ assay.Place }

func (r removed) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, fmt.Errorf("host %s: %w", r.Host().Name, noMore)
}
