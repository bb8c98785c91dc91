// Package iperf3 measures the links between hosts with iperf3 and ping, and
// reads output of iperf3 that others ran: as text, as JSON and as a stream of
// JSON events, from the client or the server.
//
// A link goes from the host of its subject, where the client runs and sends, to
// the subject's peer, where a server is started for this one test, waited for,
// and verified to be gone. The path that the packets took is recorded beside
// the figures.
//
// A figure is what arrived, if the receiver's figure was printed; label side
// says whose figure it is. If the end of an output is lost, whole intervals
// stand in for the summary, and label summary says so.
//
// It never adds up the two directions of a bidirectional test, never accepts a
// figure of 0 as a result, and changes no address, route or firewall.
package iperf3
