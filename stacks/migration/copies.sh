# The files that a guest's disks are copied into: sh copies.sh WHAT ID (TARGET FORMAT BYTES FILE)…
# A file that was made here has a second name, which has the receipt's id. So it is known from
# another that has its first name: they are the same file, or they are not.
set -eu
PATH=$PATH:/usr/sbin:/sbin
what=$1 id=$2
shift 2
umask 077
while [ $# -gt 0 ]; do
	target=$1 format=$2 bytes=$3 file=$4
	shift 4
	dir=${file%/*}
	dir=${dir:-/}
	own=$dir/assay-$id-$target
	case $what in
	look)
		if [ -e "$file" ] || [ -L "$file" ]; then
			echo taken
		elif ! [ -d "$dir" ]; then
			echo missing
		else
			df -P -B 1 -- "$dir" | awk 'NR == 2 { at = $6; for (i = 7; i <= NF; i++) at = at " " $i; print "room", $2, $4, at }'
		fi
		;;
	make)
		command -v qemu-img >/dev/null || exit 127
		qemu-img create -q -f "$format" -- "$own" "$bytes" >&2
		ln -T -- "$own" "$file" # which fails where there is one
		;;
	there)
		if [ -e "$own" ]; then
			echo yes
			exit 0
		fi
		;;
	remove)
		[ -e "$own" ] || continue
		for open in /proc/[0-9]*/fd/*; do
			if [ "$open" -ef "$own" ]; then
				process=${open#/proc/}
				echo "$file, by process ${process%%/*}" >&2
				exit 16
			fi
		done
		if [ "$file" -ef "$own" ]; then
			rm -f -- "$file"
		fi
		rm -f -- "$own"
		;;
	esac
done
if [ "$what" = there ]; then
	echo no
fi
