# Has the NVMe drive of the namespace $1 erase all user data, and keeps its format: blocks,
# metadata and protection are as they were. A drive may erase all its namespaces at
# once, so one that has others is left alone, whether or not this host sees them.
set -eu
LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
export LC_ALL PATH
fail() {
	echo "$1" >&2
	exit 1
}
device=$(readlink -f "$1")
name=${device##*/}
case $name in
nvme*n*p*) fail "$device is a partition" ;;
nvme*n*) ;;
*) fail "$device is no NVMe namespace" ;;
esac
command -v nvme >/dev/null || fail 'nvme is not installed (package nvme-cli)'
seen=$(find "/sys/class/block/$name/device/" -maxdepth 1 -name 'nvme*n*' | wc -l)
[ "$seen" -le 1 ] || fail "its controller has $seen namespaces, and may erase them all"
known=$(nvme list-ns --all "$device" 2>/dev/null || nvme list-ns "$device")
known=$(echo "$known" | grep -c ':0x' || :)
[ "$known" = 1 ] || fail "its controller lists $known namespaces, and may erase them all"
facts=$(nvme id-ns "$device")
field() {
	value=$(echo "$facts" | sed -n "s/^$1 *: *\(0x\)\{0,1\}\([0-9a-fA-F]\{1,\}\).*/\2/p")
	[ -n "$value" ] || fail "nvme id-ns does not tell $1"
	echo $((0x$value))
}
flbas=$(field flbas) dps=$(field dps)
force=
case $(nvme format --help 2>&1) in *--force*) force=--force ;; esac
# Of more than 16 formats the upper bits of the number stand apart.
nvme format "$device" $force --ses=1 --lbaf=$(((flbas & 15) | ((flbas >> 5 & 3) << 4))) \
	--ms=$((flbas >> 4 & 1)) --pi=$((dps & 7)) --pil=$((dps >> 3 & 1)) --timeout=850000 >/dev/null
