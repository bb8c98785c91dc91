// Package tiers deploys the storage tiers of a cluster.yaml for a run: a host
// for each client of each tier, in a pod if the storage is Kubernetes', and
// removes what it made. It journals everything before making it.
package tiers
