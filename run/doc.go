// Package run carries out a plan: it lends scratch space under a journal,
// repeats what the plan says, watches the host meanwhile, and stores every
// repeat as it ends.
//
// It judges no number and prints nothing: it reports events to its caller. It
// starts no process of its own; only places do.
package run
