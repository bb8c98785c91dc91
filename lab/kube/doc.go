// Package kube brings up a real Kubernetes on this machine: etcd, an API server
// with RBAC and Pod Security admission, a controller manager, a scheduler, and
// nodes with a kubelet and a containerd each, with volumes of several kinds and
// images that need no registry. assay's runs in a cluster are tested against it,
// and people without a cluster can try it.
//
// The control plane and each node are separate hosts: process, mount, network and
// control group namespaces of one first process, on one switch that this machine
// is connected to as well. So pods of one node reach the API server and the pods
// of the others, and everything in a host ends with its first process. What
// outlives it, control groups and loop devices, carries the lab's id in its name.
// The id is in the state file of the lab's directory, which is written before
// anything is made: Down finds everything, even after the program that made it
// was killed.
//
// It needs root, Linux and what build.sh makes and installs. It never measures
// anything, runs nothing outside its namespaces, and changes no setting of the
// machine.
package kube
