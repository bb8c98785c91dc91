// Package hosts makes hosts out of one machine: each has its own network,
// processes, root file system, hostname, clock of boots, disk, sensors, SSH
// server and host key, and no hardware of its own. assay is tested against them,
// and tried by people who own no cluster.
//
// A host is one process, the first of its own process namespace, with
// everything else in namespaces that end with it. What outlives it (a disk
// image, a bound on a loop device, keys) lies in one directory or is named in
// the state file there, which is written before anything is made: Down finds it
// all, also after the program that made it was killed.
//
// It needs root and Linux. It never measures anything, and never touches the
// machine's own interfaces, users, SSH server or files.
package hosts
