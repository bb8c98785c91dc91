# Reads blocks of 4 KiB of block devices past the page cache, and writes nothing.
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin
end=$(($(date +%s) + $1)) # seconds
device=$2
# brief runs a command for at most $1 seconds.
brief() {
	seconds=$1
	shift
	if command -v timeout >/dev/null 2>&1; then timeout -k 2 "$seconds" "$@"; else "$@"; fi
}
refuse() {
	printf 'refused %s\n' "$1"
	exit 0
}
[ -b "/dev/$device" ] || refuse "/dev/$device is not a block device here"
# blocks prints how many a device has.
blocks() {
	if [ -r "/sys/class/block/$1/size" ]; then
		echo $(($(cat "/sys/class/block/$1/size") / 8))
	else # a container may not show it
		echo $(($(blockdev --getsize64 "/dev/$1" 2>/dev/null || echo 0) / 4096))
	fi
}
# block reads one: DEVICE NUMBER. dd opens what it reads with O_RDONLY.
block() {
	[ -b "/dev/$1" ] || return
	[ "$2" -ge 0 ] && [ "$2" -lt "$(blocks "$1")" ] || return
	[ "$(date +%s)" -lt "$end" ] || return
	said=$(brief 10 dd if="/dev/$1" of=/dev/null bs=4096 count=1 skip="$2" iflag=direct 2>&1 </dev/null)
	printf 'read\t%s\t%s\t%s\t%s\n' "$1" "$2" "$?" "$(printf %s "$said" | tr '\n\t' '  ')"
}
