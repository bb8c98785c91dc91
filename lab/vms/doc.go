// Package vms measures virtual machines through their hypervisor, with the assay that
// users run: one host of lab/hosts is the hypervisor, reached over SSH, and another, to
// which no address leads, is the guest. The guest agent in it is real; virsh and qm are
// package standin's.
//
// The package holds tests alone. They need root, as labs do.
package vms
