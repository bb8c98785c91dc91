package kube

import (
	"errors"

	"assay"
)

// Reason says of what kind a problem is. It is stable, so that callers and tests
// can tell problems apart whatever their words.
type Reason string

// The reasons.
const (
	// With the cluster itself.
	Unreachable  Reason = "unreachable"  // the API server, or a node's kubelet
	Unauthorized Reason = "unauthorized" // it does not know who we are
	Forbidden    Reason = "forbidden"    // RBAC
	NotFound     Reason = "not found"    // a node, a class, a namespace that was named
	// Why a pod does not come to be.
	Image        Reason = "image"        // it cannot be had
	Architecture Reason = "architecture" // its programs are for other processors
	Scheduling   Reason = "scheduling"   // no node takes the pod
	Quota        Reason = "quota"        // the namespace's
	Limits       Reason = "limits"       // a LimitRange
	Claim        Reason = "claim"        // it is not bound
	Mount        Reason = "mount"        // the volume is bound and cannot be attached or mounted
	PodSecurity  Reason = "pod security" // the namespace's level forbids it
	Admission    Reason = "admission"    // anything else that refused it
	Container    Reason = "container"    // it cannot be made, or ended at once
	Slow         Reason = "slow"         // nothing is wrong, and it takes too long
	// Why a pod is no more.
	Evicted  Reason = "evicted"  // drained, short of a resource, displaced
	Node     Reason = "node"     // its node is not ready, or gone
	Memory   Reason = "memory"   // more than its limit
	Deadline Reason = "deadline" // the Job's time is over
	Removed  Reason = "removed"  // somebody deleted it
)

// ErrRemoved is in the chain where a pod, its Job or its namespace is no more.
var ErrRemoved = errors.New("removed")

// Problem is what is wrong with something in the cluster.
type Problem struct {
	Reason Reason
	Text   string // in plain words, with the object's name
	Event  string // what Kubernetes said, "" where Text says it all
	Advice string // what to try next
	// Passing says that it may heal by itself: an image that is pulled again, a
	// node that becomes free.
	Passing bool
	cause   error
}

func (p *Problem) Error() string {
	if p.Event == "" {
		return p.Text
	}
	return p.Text + ": " + p.Event
}

// Unwrap returns what the API said, and the hint.
func (p *Problem) Unwrap() []error {
	var all []error
	if p.Advice != "" {
		all = append(all, assay.WithHint(p.Advice, "%s", p.Text))
	}
	if p.cause != nil {
		all = append(all, p.cause)
	}
	return all
}

// Is reports whether the host is gone, of what ends a pod that ran, and that it was
// removed.
func (p *Problem) Is(target error) bool {
	switch p.Reason {
	case Unreachable, Node:
		return target == assay.ErrHostGone
	case Evicted, Memory, Deadline, Removed:
		return target == assay.ErrHostGone || target == ErrRemoved
	case NotFound:
		return target == assay.ErrNotFound
	}
	return false
}

// ReasonOf returns the reason of the first problem in err's chain, "" for none.
func ReasonOf(err error) Reason {
	var p *Problem
	if errors.As(err, &p) {
		return p.Reason
	}
	return ""
}
