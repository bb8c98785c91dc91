// Command cmd brings up and takes down a Kubernetes and a Garage with storage
// tiers to compare on this machine: it is the command line of package tiers.
package main
