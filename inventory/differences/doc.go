// Package differences finds what differs between hosts that should be alike,
// and which of them is the odd one out.
//
// Only like is compared with like: a BIOS with those of the same machine,
// mitigations with those of the same CPU, a drive's firmware with that of the
// same model, an interface with the others on its network. A value that a host
// does not report is not a difference; the host is named where the others
// differ.
//
// It is pure: answers in, differences out.
package differences
