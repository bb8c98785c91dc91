// Package smart reads a drive's health data through smartctl.
//
// It reads and never changes anything: it starts no self-test, switches no
// feature, writes nothing. It starts no process itself, never guesses a value
// that the drive did not report, and never puts a serial number into a label.
package smart
