package kube

import (
	"context"
	"iter"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay/internal/sleep"
)

const (
	leastRest = 200 * time.Millisecond
	mostRest  = 2 * time.Second
	// After a watch this long, the objects are read again: it may be silent
	// because its peer is gone.
	longestWatch = 10 * time.Second
)

// Vigil is the wait between two looks at objects that others change. It watches
// them; where that is not allowed, it waits a little longer after each look. The
// zero value is ready.
type Vigil struct {
	forbidden bool
	rest      time.Duration // the last one
}

// watched are API objects of any kind.
type watched interface {
	Watch(ctx context.Context, of metav1.ListOptions) iter.Seq2[string, error]
}

// Change returns when one of the named objects has changed since of.ResourceVersion,
// when it is time to look anyway, or when ctx has ended.
func (v *Vigil) Change(ctx context.Context, at watched, of metav1.ListOptions, names map[string]bool) {
	if v.forbidden {
		v.Rest(ctx)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, longestWatch)
	defer cancel()
	for name, err := range at.Watch(ctx, of) {
		if err != nil {
			v.forbidden = apierrors.IsForbidden(err)
			break
		}
		if names[name] {
			v.rest = 0
			return
		}
	}
	if ctx.Err() == nil { // the server ended the watch
		v.Rest(ctx)
	}
}

// Rest waits a while, or until ctx ends.
func (v *Vigil) Rest(ctx context.Context) {
	v.rest = min(max(v.rest*5/4, leastRest), mostRest)
	_ = sleep.For(ctx, v.rest)
}
