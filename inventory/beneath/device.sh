# Prints the kernel's name of the block device that $1 is or lies on, nothing where there is
# none, as of a file on ZFS, NFS or btrfs. POSIX sh as dash and BusyBox ash have it.
LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
export LC_ALL PATH
if [ -b "$1" ]; then
	major=$((0x$(stat -L -c %t -- "$1"))) minor=$((0x$(stat -L -c %T -- "$1")))
else
	number=$(stat -L -c %d -- "$1") || exit 1
	# As the kernel's new_encode_dev packs them.
	major=$((number >> 8 & 0xfff)) minor=$((number & 0xff | number >> 12 & 0xfff00))
fi
real=$(readlink -f "/sys/dev/block/$major:$minor") || exit 0
[ ! -e "$real/stat" ] || echo "${real##*/}"
