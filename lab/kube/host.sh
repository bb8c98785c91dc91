# The life of one host of the cluster, from the first process of its own
# namespaces. It gets
#
#   ASSAY_KUBE_HOST  its name
#   LAB_GROUP   its control group, in every hierarchy
#   LAB_AT      a directory for it, seen by nobody else
#   LAB_ETC     its certificates and settings; /etc/lab inside
#   LAB_LOGS    what its services print; /var/log/lab inside
#   LAB_BIN     the programs of Kubernetes; /opt/lab inside
#   LAB_IMAGES  the container images; /opt/images inside
#   LAB_DISK    the image of its disk, empty for none
#   LAB_MARK    what the names of its loop devices begin with
#   LAB_STATIC  how large the two static volumes are, in bytes
#   LAB_HOSTS   the lines of /etc/hosts
#
# and says "ready" on file descriptor 3 when it can be wired up. The machine's
# files show through an overlay: what a host changes stays in its own memory.
set -eu
LC_ALL=C PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export LC_ALL PATH
cgroups=/sys/fs/cgroup

# inherit gives a group of processors what the one above it has: a new one has
# none, and takes no process.
inherit() {
	for f in cpuset.cpus cpuset.mems; do
		if [ -e "$1/$f" ]; then cat "$1/../$f" >"$1/$f"; fi
	done
}

if [ -z "${LAB_JOINED:-}" ]; then
	mount --make-rprivate /
	above=${LAB_GROUP%/*}
	if [ -e "$cgroups/cgroup.controllers" ]; then # version 2
		mkdir -p "$cgroups/$LAB_GROUP"
		for d in "$cgroups" "$cgroups/$above"; do
			for c in $(cat "$d/cgroup.controllers"); do echo "+$c" >"$d/cgroup.subtree_control"; done
		done
		echo 0 >"$cgroups/$LAB_GROUP/cgroup.procs"
	else
		while read -r _ at type _; do
			case $type in cgroup) ;; *) continue ;; esac
			mkdir -p "$at/$LAB_GROUP"
			inherit "$at/$above"
			inherit "$at/$LAB_GROUP"
			echo 0 >"$at/$LAB_GROUP/cgroup.procs"
		done </proc/mounts
	fi
	# What is below its groups is all that it sees of them from now on.
	LAB_JOINED=yes exec unshare --cgroup sh "$0"
fi

hostname "$ASSAY_KUBE_HOST"
mount -t tmpfs -o mode=755,size=2g lab "$LAB_AT"
cd "$LAB_AT"
mkdir upper work root
mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work lab root
for d in etc/lab opt/lab opt/images var/log/lab; do mkdir -p "root/$d"; done
mount --bind "$LAB_ETC" root/etc/lab
mount --bind "$LAB_BIN" root/opt/lab
mount --bind "$LAB_IMAGES" root/opt/images
mount --bind "$LAB_LOGS" root/var/log/lab
if [ -n "$LAB_DISK" ]; then
	mkdir -p root/var/lib/lab
	mount -t ext4 -o loop "$LAB_DISK" root/var/lib/lab
fi

mount -t proc proc root/proc
mount -t sysfs sysfs root/sys
if [ -e "$cgroups/cgroup.controllers" ]; then
	mount -t cgroup2 cgroup2 "root$cgroups"
else
	mount -t tmpfs -o mode=755 lab "root$cgroups"
	while IFS=: read -r _ controllers _; do
		case $controllers in '') continue ;; esac
		mkdir "root$cgroups/${controllers#name=}"
		mount -t cgroup -o "$controllers" cgroup "root$cgroups/${controllers#name=}"
		case $controllers in *,*)
			for c in $(echo "$controllers" | tr , ' '); do ln -s "$controllers" "root$cgroups/$c"; done
			;;
		esac
	done </proc/self/cgroup
fi
# Only devices that a host may have: the machine's disks are not among them.
mount -t tmpfs -o mode=755 lab root/dev
for d in 'null 1 3' 'zero 1 5' 'full 1 7' 'random 1 8' 'urandom 1 9' 'tty 5 0' 'kmsg 1 11'; do
	# shellcheck disable=SC2086 # three words
	set -- $d
	mknod -m 666 "root/dev/$1" c "$2" "$3"
done
mknod -m 660 root/dev/loop-control c 10 237
n=0
while [ "$n" -lt 64 ]; do
	mknod -m 660 "root/dev/loop$n" b 7 "$n"
	n=$((n + 1))
done
mkdir root/dev/pts root/dev/shm root/dev/mqueue
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts root/dev/pts
mount -t tmpfs -o mode=1777 lab root/dev/shm
mount -t mqueue mqueue root/dev/mqueue
ln -s pts/ptmx root/dev/ptmx
ln -s /proc/self/fd root/dev/fd
ln -s fd/0 root/dev/stdin
ln -s fd/1 root/dev/stdout
ln -s fd/2 root/dev/stderr
for d in tmp run root home; do
	mkdir -p "root/$d"
	mount -t tmpfs -o mode=755 lab "root/$d"
done
chmod 1777 root/tmp
chmod 700 root/root
mkdir root/run/old root/run/lab

cd root
pivot_root . run/old
cd /
exec </dev/null
umount -l /run/old
rmdir /run/old
mount --make-rshared /

# Who it is. A name server that refuses at once is better than one that is
# waited for.
echo "$ASSAY_KUBE_HOST" >/etc/hostname
printf '127.0.0.1 localhost\n%s\n' "$LAB_HOSTS" >/etc/hosts
printf 'passwd: files\ngroup: files\nshadow: files\nhosts: files\n' >/etc/nsswitch.conf
rm -f /etc/resolv.conf
: >/etc/resolv.conf
tr -d - </proc/sys/kernel/random/uuid >/etc/machine-id
echo 1 >/proc/sys/net/ipv4/ip_forward
for f in all default; do
	f=/proc/sys/net/ipv6/conf/$f/disable_ipv6
	if [ -e "$f" ]; then echo 1 >"$f"; fi
done
# A kubelet sets these for the whole machine. Here it sets files.
for s in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
	kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
	f=/run/lab/$(echo "${s%=*}" | tr / .)
	echo "${s#*=}" >"$f"
	mount --bind "$f" "/proc/sys/${s%=*}"
done

if [ -e "$cgroups/cgroup.controllers" ]; then
	# A group with groups below it that have controllers holds no process itself.
	mkdir "$cgroups/init"
	echo 0 >"$cgroups/init/cgroup.procs"
	for c in $(cat "$cgroups/cgroup.controllers"); do echo "+$c" >"$cgroups/cgroup.subtree_control"; done
fi

if [ -n "$LAB_DISK" ]; then
	cd /var/lib/lab
	mkdir -p containerd kubelet pods volumes bench
	for pair in containerd:/var/lib/containerd kubelet:/var/lib/kubelet pods:/var/log/pods bench:/srv/bench; do
		mkdir -p "${pair#*:}"
		mount --bind "${pair%%:*}" "${pair#*:}"
	done
	mount --make-rshared /
	# The two volumes that are there before anybody asks. Names carry the lab's
	# mark: a loop device outlives its host, and is found by it.
	truncate -s "$LAB_STATIC" "volumes/$LAB_MARK-fs.img" "volumes/$LAB_MARK-block.img"
	mkfs.ext4 -q -F -m 0 "volumes/$LAB_MARK-fs.img"
	mkdir -p /mnt/lab/fs
	mount -o loop "volumes/$LAB_MARK-fs.img" /mnt/lab/fs
	loop=$(losetup --find --show "/var/lib/lab/volumes/$LAB_MARK-block.img")
	mknod -m 660 "/dev/$LAB_MARK-block" b 7 "${loop#/dev/loop}"
	cd /
fi

# Waiting also buries the dead that were left to this process.
echo ready >&3
exec 3>&-
while :; do sleep 1000000; done
