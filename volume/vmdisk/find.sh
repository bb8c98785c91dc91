# Prints the disks whose serial number is $1, a line each: NAME BYTES PATH, with a link
# of udev's as the path where there is one. POSIX sh as dash and BusyBox ash have it.
LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
export LC_ALL PATH
links() {
	for link in /dev/disk/by-id/*-"$1" /dev/disk/by-id/*_"$1"; do
		real=$(readlink -f "$link") && [ -b "$real" ] && echo "${real##*/} $link"
	done
}
{
	for disk in /sys/block/*; do
		# virtio-blk, NVMe, SCSI; the last has a header of four bytes.
		for file in serial device/serial device/vpd_pg80; do
			[ -r "$disk/$file" ] || continue
			case $(tr -cd ' -~' <"$disk/$file" 2>/dev/null) in *"$1") echo "${disk##*/}" ;; esac
		done
	done
	links "$1" | cut -d ' ' -f 1
} | sort -u | while read -r name; do
	bytes=$(blockdev --getsize64 "/dev/$name" 2>/dev/null) && [ "$bytes" != 0 ] || continue
	path=$(links "$1" | while read -r of link; do [ "$of" != "$name" ] || echo "$link"; done | head -n 1)
	echo "$name $bytes ${path:-/dev/$name}"
done
