package kube

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

const (
	leastRest = 200 * time.Millisecond
	mostRest  = 2 * time.Second
	// A watch that lasted so long is followed by a look: one may be silent because
	// nobody is at its other end any more.
	longestWatch = 10 * time.Second
)

// Vigil is the time between two looks at objects that others change. It watches
// them; where that is not allowed, it rests a little longer from look to look. The
// zero value is ready.
type Vigil struct {
	forbidden bool
	rest      time.Duration // the last one
}

// watches begins one, as the API's typed clients do.
type watches interface {
	Watch(ctx context.Context, of metav1.ListOptions) (watch.Interface, error)
}

// Change returns when one of the named objects has changed since of.ResourceVersion,
// when it is time to look anyway, or when ctx has ended.
func (v *Vigil) Change(ctx context.Context, at watches, of metav1.ListOptions, names map[string]bool) {
	if v.forbidden {
		v.Rest(ctx)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, longestWatch)
	defer cancel()
	events, err := at.Watch(ctx, of)
	if err != nil {
		v.forbidden = apierrors.IsForbidden(err)
		v.Rest(ctx)
		return
	}
	defer events.Stop()
	for {
		select {
		case e, open := <-events.ResultChan():
			if !open || e.Type == watch.Error {
				v.Rest(ctx)
				return
			}
			if object, is := e.Object.(metav1.Object); is && names[object.GetName()] {
				v.rest = 0
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// Rest returns after a while, or when ctx has ended.
func (v *Vigil) Rest(ctx context.Context) {
	v.rest = min(max(v.rest*5/4, leastRest), mostRest)
	select {
	case <-time.After(v.rest):
	case <-ctx.Done():
	}
}
