// Package spaces starts the first processes of new namespaces, from which a lab
// makes hosts: when the first process ends, the whole host goes. They outlive
// the program that starts them, and are found by their marks. It needs root and
// Linux.
package spaces
