// Command cmd brings hosts up on this machine, breaks them, and takes them
// down: package hosts from a command line.
package main
