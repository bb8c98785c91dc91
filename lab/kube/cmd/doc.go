// Command cmd brings a Kubernetes up on this machine, breaks and repairs it,
// and takes it down: see package kube.
package main
