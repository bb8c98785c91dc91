// Command cmd puts delays into storage that DRBD replicates between two guests, and has
// suite layers find them: package delays from a command line.
package main
