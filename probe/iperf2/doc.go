// Package iperf2 reads the human-readable output of iperf 2, 2.0.5 to 2.2.1,
// from the client or the server.
//
// A client of iperf 2 knows what it handed to its own kernel, a server what
// arrived: label side says which of the two a figure is. If data went both ways,
// or a server's log holds several tests, label job tells them apart.
//
// Comma-separated reports (-y C) are read too; they do not say which end printed
// them.
//
// It never runs iperf, and never adds up two directions: iperf's own [SUM] does.
package iperf2
