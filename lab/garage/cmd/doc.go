// Command cmd brings a Garage up on this machine and takes it down: package
// garage from a command line.
package main
