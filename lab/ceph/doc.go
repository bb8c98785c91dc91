// Package ceph brings up a real Ceph on the hosts of lab/hosts: on each a monitor, a
// BlueStore OSD on its own disk and a keyring; one manager, a public and a cluster
// network, and a pool of three copies. assay is tested against it.
//
// Its daemons are processes of the hosts, and their data lies on the hosts' disks: all
// of it goes with the hosts, even if the program that made it was killed. Clients must
// authenticate, so restricted keys can be tested too.
//
// It needs root, Linux and Debian's Ceph, which build.sh installs. It never measures
// anything.
package ceph
