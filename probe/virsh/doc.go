// Package virsh live-migrates a libvirt guest from one host to another, and measures that:
// what libvirt reports, and how long the guest did not answer its source host: to pings, and
// to UDP and TCP if something can be started in the guest. It also reads the output of virsh
// domjobinfo --completed that others ran.
//
// It moves only a guest that was lent to it, between the two hosts that its subject names, and
// leaves moving it back to the lender. It changes no setting of libvirt.
package virsh
