// Package marked finds and ends the processes of a lab, which outlive the program
// that started them. Each carries the lab's id and a name of its own in its
// environment. The kernel is queried each time: process ids are reused, marks are
// not. It needs /proc.
package marked
