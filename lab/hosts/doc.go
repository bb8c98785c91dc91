// Package hosts makes hosts out of one machine: each has its own network,
// processes, root file system, hostname, boot ID, disk, sensors, SSH server and
// host key, and no hardware of its own. assay is tested against them, and people
// without a cluster can try it on them.
//
// A host is one process, the first of its own PID namespace, with everything
// else in namespaces that end with it. What outlives it (a disk image, a limit
// on a loop device, keys) is in one directory or is named in the state file
// there, which is written before anything is made: Down finds everything, even
// if the program that made it was killed.
//
// It needs root and Linux. It never measures anything, and never touches the
// machine's own interfaces, users, SSH server or files.
package hosts
