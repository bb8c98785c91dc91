# usage: sh -c SCRIPT sh look FILE | lend FILE BYTES [CACHE] | release FILE [CACHE]
set -e
file=$2 property=${2%/*}/cache-mode
case $1 in
look) cat "$property" ;;
lend)
	set -C # an existing file is somebody's
	: >"$file"
	set +C
	truncate -s "$3" "$file"
	[ -z "$4" ] || echo "$4" >"$property"
	losetup --find --show "$file"
	;;
release)
	losetup --associated "$file" --noheadings --output NAME | while read -r device; do losetup --detach "$device"; done
	rm -f "$file"
	[ -z "$3" ] || echo "$3" >"$property"
	[ ! -e "$file" ]
	;;
esac
