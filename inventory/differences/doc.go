// Package differences says what differs between hosts that should be alike, and
// which of them is the odd one out.
//
// Only like is held against like: a BIOS against those of the same machine,
// mitigations against those of the same CPU, a drive's firmware against that of
// the same model, an interface against the others on its network. What a host
// does not say is no difference; it is named where the others differ.
//
// It is pure: answers in, differences out.
package differences
