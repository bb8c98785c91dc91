// Package tiers puts the storage tiers of a cluster.yaml in place for a run: a
// host for each client of each tier, in a pod where it is Kubernetes' storage,
// and takes away again what it made. What it makes is journalled before.
package tiers
