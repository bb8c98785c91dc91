// Package kube brings up a real Kubernetes on this machine: etcd, an API server
// with RBAC and Pod Security admission, a controller manager, a scheduler, and
// nodes with a kubelet and a containerd each, with volumes of several kinds and
// images that need no registry. assay's runs in a cluster are tested against it,
// and it can be tried by people who own none.
//
// The control plane and each node are hosts of their own: process, mount, network
// and control group namespaces of one first process, on one switch that this
// machine is plugged into as well. So pods of one node reach the API server and
// the pods of the others, and all that a host does goes with its first process.
// What outlives it, control groups and loop devices, carries the lab's id in its
// name. The id lies in the state file of the lab's directory, which is written
// before anything is made: Down finds it all, also after the program that made
// it was killed.
//
// It needs root, Linux and what build.sh makes and installs. It never measures
// anything, it runs nothing outside of its namespaces, and it changes no setting
// of the machine.
package kube
