// Command cmd brings up a Garage on this machine and takes it down: the command
// line of package garage.
package main
