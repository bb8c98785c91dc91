# What the scripts of kinds.go have in common. The disks are in variables.
set -eu
work=/mnt/incident
mkdir -p "$work"
# await waits until the kernel has said something.
await() {
	for _ in $(seq 300); do
		if dmesg | grep -qE "$1"; then return 0; fi
		sleep 0.2
	done
	echo "the kernel never said $1" >&2
	return 1
}
# mapped makes a mapped device of a disk: NAME DISK.
mapped() { dmsetup create "$1" --table "0 200000 linear $2 0"; }
# turned gives it another table while it is in use: NAME TABLE.
turned() {
	dmsetup load "$1" --table "$2"
	dmsetup resume "$1"
}
# formatted makes a file system on a device and mounts it.
formatted() {
	mkfs.ext4 -q "$1"
	mount "$1" "$work"
}
# fails runs a command that is to fail.
fails() {
	if "$@" >/dev/null 2>&1; then
		echo "$* did not fail" >&2
		return 1
	fi
}
# later runs a command that may not end.
later() { "$@" >/dev/null 2>&1 </dev/null & }
