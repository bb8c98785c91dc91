// Command cmd puts delays into storage that DRBD replicates between two guests, and has
// suite layers find them: the command line of package delays.
package main
