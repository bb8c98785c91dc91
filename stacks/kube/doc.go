// Package kube speaks to a Kubernetes for those parts of assay that need more of
// it than a place to run commands: which cluster is meant, what a pod must be
// made with, what is wrong in plain words, and what is left of a run.
package kube
