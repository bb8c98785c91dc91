// Package kube is the place in a pod: a Job whose pod waits, and commands through
// exec. What is measured there is mounted when the pod is made (kube.Attachment);
// the place knows nothing about storage.
//
// It is a Job, and not just a pod, so that Kubernetes itself ends and forgets it
// after a time, whatever has become of its creator. When its pod is told to end,
// because of that, because its node is drained, or for any other reason, it removes
// the scratch directories that were made in it and would outlive it.
//
// Commands are run by the script of place/remote, as on hosts reached over ssh. To the
// client, a cut exec stream looks like a normal end, while the command goes on: the
// script reveals the former and ends the latter.
//
// Claims have unique names and are deleted with the Job, as are the volumes that
// were made for them. If the class of a claim provisions volumes but Kubernetes
// binds the claim to a volume that existed before, it is refused: that volume holds
// somebody's data, and nothing in it is changed.
//
// The pod gets no service account, and no more rights than its attachments need.
package kube
