// Package versus puts a comparison into words: what a figure, a ratio, a verdict
// and a difference are called, the same in every voice.
//
// It judges nothing and lays nothing out: package compare did the one, and the
// voices do the other.
package versus
