// Package iperf3 measures the links between hosts with iperf3 and ping, and
// reads what iperf3 prints wherever somebody else ran it: as text, as JSON and
// as a stream of JSON events, from the client's side and from the server's.
//
// A link goes from the host of its subject, where the client runs and sends, to
// the subject's peer, where a server is started for this one test, waited for,
// and seen to be gone. Beside the figures stands which way the packets took.
//
// A figure is what arrived, where the receiver's figure was printed, and says
// in label side whose figure it is. Where the end of an output is lost, whole
// intervals stand in for the summary, and label summary says so.
//
// It never adds up the two directions of a bidirectional test, never takes a
// figure of 0 for a result, and changes no address, route or firewall.
package iperf3
