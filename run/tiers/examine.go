package tiers

import (
	"context"
	"slices"

	"assay/inventory/cluster"
	"assay/volume"
)

// Examine returns what is known of a tier before a run, and makes nothing. ofPods
// is the result of Check: why pods could not be made.
func (d *Deployment) Examine(ctx context.Context, t cluster.Tier, ofPods error) volume.Checkup {
	var found volume.Checkup
	if storage, is := t.Storage.(volume.Checker); is {
		found = storage.Check(ctx, volume.Clients{Tier: t.Name, Hosts: t.Hosts, InPods: t.InPods(), Site: d.options.site()})
	}
	switch {
	case !t.InPods():
	case ofPods != nil:
		found.Checked, found.Err = nil, ofPods
	default:
		found.Checked = slices.Concat(checkedForPods(t), found.Checked)
	}
	return found
}

// checkedForPods returns what the Kubernetes was asked for a tier's pods.
func checkedForPods(t cluster.Tier) []string {
	words := []string{"rights"}
	for _, n := range t.Nodes {
		words = append(words, "node "+n)
	}
	for _, class := range requirements(t).Classes {
		if class == "" {
			words = append(words, "a default storage class")
		} else {
			words = append(words, "storage class "+class)
		}
	}
	return words
}
