// Package fio is the probe that measures storage with fio.
//
// It turns a suite's case into fio's arguments, fills the scratch file before
// the first repeat, and parses fio's JSON: figures, the latency histogram, and
// one sample per second. Labels describe what happened, not what was requested:
// sixteen requested under a synchronous engine is a depth of one.
//
// It also parses anyone else's fio output, of versions 1 to 3: JSON, and the
// human-readable report, which becomes the same jobs and directions as JSON does
// and so the same measurements.
//
// It touches nothing but the scratch file it is given, never starts a process
// itself (a place does), never judges a number (the audit does), and never
// reports a zero for something that was not measured.
package fio
