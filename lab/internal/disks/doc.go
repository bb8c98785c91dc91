// Package disks creates the disks of a lab, which are files behind loop
// devices, and finds them again.
package disks
