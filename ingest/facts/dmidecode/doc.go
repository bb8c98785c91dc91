// Package dmidecode learns a machine's memory modules from dmidecode output or
// from udev's copy of the firmware tables, and the number of channels if the
// firmware's slot names show it.
//
// It ignores modules that hypervisors make up, counts only channels that the slot
// names show, and runs nothing: it parses printed output.
package dmidecode
