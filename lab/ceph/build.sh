#!/bin/sh
# usage: build.sh
# Installs Debian's Ceph, which is what the lab runs, and prints the program's path.
# It takes about a minute.
set -eu
PATH=$PATH:/usr/sbin:/sbin
"$(dirname "$0")"/../../scripts/need ceph-mon:ceph-mon ceph-mgr:ceph-mgr ceph-osd:ceph-osd ceph:ceph-common rados:ceph-common \
	ip:iproute2 sshd:openssh-server ssh:openssh-client losetup:mount unshare:util-linux
command -v ceph-osd
