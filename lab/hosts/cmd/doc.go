// Command cmd brings up hosts on this machine, breaks them, and takes them
// down: the command line of package hosts.
package main
