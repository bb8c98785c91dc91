# Prints what the node says of the block device $1, a line a fact: KEY VALUE.
# POSIX sh as dash, bash and BusyBox ash have it. It reads only.
LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
export LC_ALL PATH

say() { [ -z "$2" ] || printf '%s %s\n' "$1" "$2"; }
first() { # the first line of a small file
	value=
	[ -r "$2" ] && read -r value <"$2" 2>/dev/null
	say "$1" "$value"
}

[ -e "$1" ] || { echo 'kind absent'; exit 0; }
[ -b "$1" ] || { echo 'kind other'; exit 0; }
echo 'kind block'
# stat prints the device number in hexadecimal.
numbers=$(stat -L -c '0x%t 0x%T' "$1") || exit
number=$((${numbers% *})):$((${numbers#* }))
sys=$(readlink -f "/sys/dev/block/$number") && [ -d "$sys" ] || exit
name=${sys##*/}
say number "$number"
say name "$name"
first sectors "$sys/size"
first readonly "$sys/ro"
[ ! -e "$sys/partition" ] || echo 'partition yes'
for f in "$sys"/*/partition; do
	[ ! -e "$f" ] || { d=${f%/partition}; say child "${d##*/}"; }
done
for f in "$sys"/holders/*; do
	[ ! -e "$f" ] || say holder "${f##*/}"
done

# Every name that somebody could mean by its serial.
for f in serial device/serial wwid device/wwid device/cid; do first serial "$sys/$f"; done
if [ -r "$sys/device/vpd_pg80" ]; then
	# Four bytes of a header, then the serial; SCSI Primary Commands, page 80h.
	say serial "$(dd if="$sys/device/vpd_pg80" bs=1 skip=4 2>/dev/null | tr -cd '[:print:]')"
fi
if d=$(readlink -f "$sys/device"); then
	while [ "${#d}" -gt 5 ]; do # the USB device that it is part of
		[ ! -e "$d/idVendor" ] || { first serial "$d/serial"; break; }
		d=${d%/*}
	done
fi
if [ -r "/run/udev/data/b$number" ]; then
	while IFS= read -r line; do
		case $line in
		E:ID_SERIAL=* | E:ID_SERIAL_SHORT=* | E:ID_SCSI_SERIAL=* | E:ID_WWN=*) say serial "${line#*=}" ;;
		esac
	done <"/run/udev/data/b$number"
fi
first backing "$sys/loop/backing_file"

while read -r path _; do
	[ "$path" != "/dev/$name" ] || echo 'swap yes'
done </proc/swaps
for f in /proc/self/mountinfo /proc/1/mountinfo; do
	[ -r "$f" ] || continue
	while read -r _ _ n _ at _; do
		[ "$n" != "$number" ] || say mount "$at"
	done <"$f"
done
for f in /sys/block/loop*/loop/backing_file; do
	value=
	[ -r "$f" ] && read -r value <"$f" 2>/dev/null
	if [ "$value" = "/dev/$name" ] || [ "$value" = "$1" ]; then
		f=${f#/sys/block/}
		say holder "${f%%/*}"
	fi
done

# Opened for this process alone: see the package. What wipefs prints beside is the
# signatures that it knows.
if command -v wipefs >/dev/null 2>&1 && wipefs --version 2>/dev/null | grep -q util-linux; then
	said=$(wipefs --all --no-act "$1" 2>&1)
elif command -v perl >/dev/null 2>&1; then
	said=$(perl -e 'use Fcntl; sysopen(F, $ARGV[0], O_RDWR | O_EXCL) or die "$!\n"' "$1" 2>&1)
else
	echo 'exclusive unknown'
	exit 0
fi
case $? in
0)
	echo 'exclusive yes'
	printf '%s\n' "$said" | sed -n 's/^.* bytes\{0,1\} were erased at offset [^(]*(\([^)]*\)).*/signature \1/p'
	;;
*)
	case $said in
	*'esource busy'*) echo 'exclusive no' ;;
	*) say failed "$(printf '%s' "$said" | tr '\n' ' ')" ;;
	esac
	;;
esac
exit 0
