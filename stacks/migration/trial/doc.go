// Package trial is what the trials of all kinds of hypervisors have in common: which guests are
// moved, how a guest is moved once while it is asked from outside, and what was seen of it by a
// ping, and where something can be started in the guest by UDP and TCP.
//
// It moves a guest only where one was lent to it, between the two hosts that its subject
// names, and leaves bringing it home to what lent it.
package trial
