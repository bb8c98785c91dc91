// Command cmd brings a Kubernetes and a Garage up on this machine, with tiers of
// storage to compare, and takes them down: package tiers from a command line.
package main
