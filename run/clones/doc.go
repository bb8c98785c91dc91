// Package clones puts the guests in place that a run is to have made: all are looked at before
// the first is made, each is journalled before it is, and all are destroyed when it is over.
package clones
