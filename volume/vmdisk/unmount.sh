# Unmounts what is at $1 and removes the directory, where there is one.
LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
export LC_ALL PATH
[ -d "$1" ] || exit 0
if grep -q " $1 " /proc/mounts; then
	umount "$1" || exit 1
fi
rmdir "$1"
