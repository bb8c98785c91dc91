// Package ceph brings up a real Ceph on the hosts of lab/hosts: a monitor, a BlueStore
// OSD on a disk of its own and a keyring on each, one manager, a public and a cluster
// network, and a pool of three copies. assay is tested against it.
//
// Its daemons are processes of the hosts, and their data lies on the disks of the
// hosts: with the hosts all of it goes, also after the program that made it was
// killed. Who asks Ceph for something authenticates himself, so that narrow keys can
// be tried too.
//
// It needs root, Linux and Debian's Ceph, which build.sh installs. It never measures
// anything.
package ceph
