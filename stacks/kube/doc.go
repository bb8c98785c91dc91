// Package kube talks to Kubernetes for the parts of assay that need more of it
// than a place to run commands: which cluster is meant, what a pod must be
// created with, what is wrong in plain words, and what a run left behind.
package kube
