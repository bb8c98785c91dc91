// Package smart reads what a drive says of its own health, through smartctl.
//
// It asks and never changes: no self-test is started, no feature is switched,
// nothing is written. It starts no process itself, never guesses a value that
// the drive did not give, and never puts a serial number into a label.
package smart
