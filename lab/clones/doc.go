// Package clones tests guests created for a run by a real libvirtd, on a host of lab/hosts:
// clones of a domain with three disks and guests from a cloud image boot in QEMU, are reached
// through the guest agent, measured and destroyed, even after kill -9. The domain's system is
// that of lab/guest, with a guest agent added at boot; the cloud image has Debian's
// cloud-init, which starts its agent by itself.
//
// Its figures are those of an emulated processor.
package clones
