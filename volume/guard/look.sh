# Prints what the host says of the block device $1, a line a fact: KEY VALUE. $2 is
# "held" where whoever asks holds the device.
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
first model "$sys/device/model"
[ ! -e "$sys/partition" ] || echo 'partition yes'
for f in "$sys"/*/partition; do
	[ ! -e "$f" ] || { d=${f%/partition}; say child "${d##*/}"; }
done
for f in "$sys"/holders/*; do
	[ ! -e "$f" ] || say holder "${f##*/}"
done

# serials SYS NUMBER WORD...: every name that somebody could mean by the serial of
# a disk, each after the words.
serials() {
	s=$1 n=$2
	shift 2
	for f in serial device/serial wwid device/wwid device/cid; do first "$*" "$s/$f"; done
	if [ -r "$s/device/vpd_pg80" ]; then
		# Four bytes of a header, then the serial; SCSI Primary Commands, page 80h.
		say "$*" "$(dd if="$s/device/vpd_pg80" bs=1 skip=4 2>/dev/null | tr -cd ' -~')"
	fi
	if d=$(readlink -f "$s/device"); then
		while [ "${#d}" -gt 5 ]; do # the USB device that it is part of
			[ ! -e "$d/idVendor" ] || { first "$*" "$d/serial"; break; }
			d=${d%/*}
		done
	fi
	[ -r "/run/udev/data/b$n" ] || return 0
	while IFS= read -r line; do
		case $line in
		E:ID_SERIAL=* | E:ID_SERIAL_SHORT=* | E:ID_SCSI_SERIAL=* | E:ID_WWN=*) say "$*" "${line#*=}" ;;
		esac
	done <"/run/udev/data/b$n"
}
serials "$sys" "$number" serial
# A disk that tells the kernel its serial itself: behind a USB bridge that is the
# bridge's.
usb=
if d=$(readlink -f "$sys/device"); then
	while [ "${#d}" -gt 5 ] && [ -z "$usb" ]; do
		[ ! -e "$d/idVendor" ] || usb=yes
		d=${d%/*}
	done
fi
own=$(cat "$sys/serial" "$sys/device/serial" "$sys/device/vpd_pg80" 2>/dev/null | tr -cd 0-9A-Za-z)
[ -n "$usb" ] || [ -z "$own" ] || echo 'direct yes'

# The other whole disks of the node, as far as there is something in them. One that
# is hidden is a way to another (a path of NVMe), and what lies inside is a part of
# it (the boot areas of an eMMC).
for disk in /sys/block/*; do
	[ -e "$disk/device" ] && real=$(readlink -f "$disk") || continue
	read -r hidden 2>/dev/null <"$disk/hidden" || hidden=0
	read -r sectors 2>/dev/null <"$disk/size" || sectors=0
	if [ "$hidden" != 0 ] || [ "$sectors" = 0 ]; then continue; fi
	case $real/ in "$sys"/*) continue ;; esac
	case $sys/ in "$real"/*) continue ;; esac
	read -r theirs 2>/dev/null <"$disk/dev" || theirs=
	serials "$disk" "$theirs" other "${disk##*/}"
done

# udev's links to whole disks, where the node's own /dev is: here, or mounted by
# Attach.
for link in /dev/disk/by-id/* /node/*/dev/disk/by-id/*; do
	[ -b "$link" ] && to=$(readlink "$link") || continue
	to=${to##*/}
	[ -e "/sys/block/$to" ] || continue
	if [ "$to" != "$name" ] || [ "$(stat -L -c '0x%t 0x%T' "$link")" = "$numbers" ]; then
		say link "$to $link"
	fi
done
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
	# Under whatever name it was given the device: its number tells.
	for held in "$value" /node/*"$value"; do
		[ -b "$held" ] && [ "$(stat -L -c '0x%t 0x%T' "$held")" = "$numbers" ] || [ "$held" = "/dev/$name" ] || continue
		f=${f#/sys/block/}
		say holder "${f%%/*}"
		break
	done
done

if [ "$2" = held ]; then
	echo 'exclusive yes'
	exit 0
fi
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
