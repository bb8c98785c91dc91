// Package tiers brings up what suite tiers compares, on this machine: a
// Kubernetes of two nodes (lab/kube) and a Garage of three (lab/garage) that its
// pods can reach. It writes the cluster.yaml with five storage tiers: a
// directory of a node, a slow USB stick, claims of both modes, and the object
// store.
//
// It needs what the two labs need. It never measures anything.
package tiers
