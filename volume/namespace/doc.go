// Package namespace lends a namespace of a Kubernetes to a run, and takes it back
// with everything in it.
//
// It is no space for a probe, and no volume: it is where pods and claims are made,
// journalled before it is made and released by whoever finds the receipt. What
// Kubernetes itself would leave is taken back
// as well: volumes of classes that retain them are deleted with what holds them,
// and volumes that were there before their claim are given back for the next one,
// with what is on them.
//
// It never deletes a namespace that does not carry the receipt's own label. In a
// namespace of the user's it deletes what carries the run's labels, and nothing
// else.
package namespace
