// Package namespace lends a Kubernetes namespace to a run, and takes it back with
// everything in it.
//
// It is neither space for a probe nor a volume: pods and claims are created in it.
// It is journalled before it is created, and released by whoever finds the
// receipt. Release also takes back what Kubernetes itself would leave: volumes of
// classes that retain them are deleted with the storage behind them, and volumes
// that existed before their claim are freed for the next one, with their contents.
//
// It never deletes a namespace without the receipt's own label. In a user's
// namespace it deletes only what carries the run's labels.
package namespace
