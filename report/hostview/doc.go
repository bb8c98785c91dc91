// Package hostview puts what the hosts of a cluster said side by side: as one JSON
// value, and as tables of words for any voice to print.
package hostview
