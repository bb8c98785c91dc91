// Package remote runs a command on another host through a sh there, whatever the
// transport: ssh, or the exec of a pod. The transport starts a process and
// carries bytes; a POSIX script (far.sh) that the sh reads from its stdin does
// the rest of what a Place promises: arguments that no shell interprets, an end
// of the whole process tree on timeout, on cancellation and on lost contact, and
// an exit status known to be the command's, since a stream that was cut off may
// look like one that ended normally.
//
// Nothing is written to the host's disks, and nothing is retried.
package remote
