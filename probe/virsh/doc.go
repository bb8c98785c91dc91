// Package virsh moves a guest of libvirt from one host to another while it runs, and
// measures that: what libvirt says of it, and how long the guest gave no answer to the host
// that it comes from: to pings, and where something can be started in the guest to UDP and TCP. It also reads virsh domjobinfo --completed that others
// ran.
//
// It moves a guest only where one was lent to it, between the two hosts that its subject
// names, and leaves bringing it home to what lent it. It changes no setting of libvirt.
package virsh
