// Command cmd boots a guest and keeps it running until interrupted: the command
// line of package guest.
package main
