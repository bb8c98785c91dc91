package kube

import (
	"errors"

	"assay"
)

// Reason is the kind of a problem. It is stable, so that callers and tests can
// tell problems apart whatever their wording.
type Reason string

// The reasons.
const (
	// Problems with the cluster itself.
	Unreachable  Reason = "unreachable"  // the API server, or a node's kubelet
	Unauthorized Reason = "unauthorized" // authentication failed
	Forbidden    Reason = "forbidden"    // RBAC
	NotFound     Reason = "not found"    // a named node, class or namespace
	// Why a pod does not start.
	Image        Reason = "image"        // it is unavailable
	Architecture Reason = "architecture" // its programs are for another processor
	Scheduling   Reason = "scheduling"   // no node accepts the pod
	Quota        Reason = "quota"        // the namespace's
	Limits       Reason = "limits"       // a LimitRange
	Claim        Reason = "claim"        // it is not bound
	Mount        Reason = "mount"        // bound, but it cannot be attached or mounted
	PodSecurity  Reason = "pod security" // the namespace's level forbids it
	Admission    Reason = "admission"    // any other rejection
	Container    Reason = "container"    // it cannot be created, or ended at once
	Slow         Reason = "slow"         // nothing is wrong, but it takes too long
	// Why a pod is gone.
	Evicted  Reason = "evicted"  // drained, short of a resource, preempted
	Node     Reason = "node"     // its node is not ready, or gone
	Memory   Reason = "memory"   // it exceeded its limit
	Deadline Reason = "deadline" // the Job's time is over
	Removed  Reason = "removed"  // somebody deleted it
)

// ErrRemoved is in the chain if a pod, its Job or its namespace is gone.
var ErrRemoved = errors.New("removed")

// Problem is what is wrong with something in the cluster.
type Problem struct {
	Reason Reason
	Text   string // in plain words, with the object's name
	Event  string // what Kubernetes said, "" where Text says it all
	Advice string // what to try next
	// Passing means that it may resolve itself: an image is pulled again, a
	// node has room again.
	Passing bool
	cause   error
}

func (p *Problem) Error() string {
	if p.Event == "" {
		return p.Text
	}
	return p.Text + ": " + p.Event
}

// Unwrap returns the hint and the API's error.
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

// Is makes what ends a running pod match assay.ErrHostGone, and its removal
// ErrRemoved too.
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
