// Package hostview shows the answers of a cluster's hosts side by side: as one
// JSON value, and as tables of words that any voice can print.
package hostview
