// Command cmd boots a guest and keeps it until it is interrupted: package guest
// from a command line.
package main
