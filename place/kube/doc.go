// Package kube is the place in a pod: a Job whose pod waits, and commands through
// exec. What is to be measured there is mounted when the pod is made
// (kube.Attachment); the place knows no storage.
//
// A Job, and not a pod alone, so that Kubernetes itself ends it after a time and
// forgets it, whatever has become of who made it. When its pod is told to end, by
// that, by a drained node or by anybody, it removes the scratch directories that
// were made in it where these would outlive it.
//
// Commands are run by the script of place/far, as on hosts that are reached by
// ssh: an exec whose stream is cut on its way looks to the client as if it had
// ended well, and what it started goes on; the script tells the one and ends the
// other.
//
// Claims are made under names of their own and go with the Job, with the volumes
// that were made for them. A claim that Kubernetes gives a volume which was there
// before is refused, where its class has volumes made: that one holds what somebody
// has left, and nothing of it is changed.
//
// The pod is given no account of the cluster, and no more rights than its
// attachments need.
package kube
