// Package trial is what the trials of all kinds of hypervisors share: which guests are moved,
// how a guest is moved once while it is observed from outside, and what was seen of it by ping
// and, where something can be started in the guest, by UDP and TCP.
//
// It moves only a guest that was lent to it, between the two hosts that its subject names, and
// leaves bringing it home to the lender.
package trial
