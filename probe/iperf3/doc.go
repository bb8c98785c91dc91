// Package iperf3 reads what iperf3 prints, as text, as JSON and as a stream of
// JSON events, from the client's side and from the server's.
//
// A figure is what arrived, where the receiver's figure was printed, and says
// in label side whose figure it is. Where the end of an output is lost, whole
// intervals stand in for the summary, and label summary says so.
//
// It never runs iperf3, never adds up the two directions of a bidirectional
// test, and never takes a figure of 0 for a result.
package iperf3
