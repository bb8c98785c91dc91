// Package clones deploys the guests that are made for a run: it checks all of them before
// making the first, journals each before making it, and destroys all when the run is over.
package clones
