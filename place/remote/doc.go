// Package remote runs a command on another host through a sh there, whatever way
// leads to that sh: ssh, or the exec of a pod. Those ways begin a process and
// carry bytes; what a Place promises beyond that is done here, by a POSIX script
// (far.sh) that the sh reads from its stdin: words that no shell reads, an end of
// the whole process tree on a bound, on cancellation and when nobody is there any
// more, and an exit status that is known to be the command's, since a stream that
// was merely cut may look like one that has ended well.
//
// Nothing is written to any disk of the host, and nothing is tried again.
package remote
