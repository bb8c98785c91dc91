// Package clones tests guests that are made for a run with a real libvirtd, on a host of
// lab/hosts: clones of a domain with three disks, and guests of a cloud image, boot in QEMU, are
// reached by the guest agent, measured and destroyed, also after kill -9. The system of the
// domain is that of lab/guest, with a guest agent added when it boots; the cloud image has
// Debian's cloud-init, which alone starts its agent.
//
// Whoever measures something with its figures measures an emulated processor.
package clones
