// Package vms measures virtual machines through their hypervisor, with the assay that
// users run: one host of lab/hosts is the hypervisor, reached over SSH, and another,
// which no address reaches, is the guest. The guest agent in it is real; virsh and qm
// are package standin's.
//
// The package holds tests alone. They need root, as labs do.
package vms
