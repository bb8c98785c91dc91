// Package fio is the probe that measures storage with fio.
//
// It turns a suite's case into fio's arguments, writes the scratch file full
// before the first repeat, and reads the JSON that fio prints: figures, the
// latency histogram, and one sample a second. Labels say what happened, not what
// was asked for: sixteen requested under a synchronous engine is a depth of one.
//
// It also reads what anyone else's fio printed, of versions 1 to 3: JSON, and
// the report for people, which becomes the same jobs and directions as JSON does
// and so the same measurements.
//
// It never touches anything but the scratch file it is given, never starts a
// process itself (a place does), never judges a number (the audit does), and
// never gives a zero for something that was not measured.
package fio
