// Package spaces starts the first processes of new namespaces, from which a lab
// makes hosts: with its first process all of a host goes. They outlive the
// program that starts them, and are found by their marks. It needs root and
// Linux.
package spaces
