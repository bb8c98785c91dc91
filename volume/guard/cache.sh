# usage: sh -s -- MAJOR:MINOR [on|off]
# Sets the write cache of a drive, where that is given, and prints how it is set now, by
# what the drive says: "cache on" or "cache off"; or "why" and the reason why it cannot be
# told or set. POSIX sh as dash, bash and BusyBox ash have it.
#
# Not used is what changes no more than the kernel's belief, so that it sends no flushes:
# queue/write_cache, and the word "temporary" before a cache_type.
LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
export LC_ALL PATH
want=$2

cannot() {
	printf 'why %s\n' "$(printf '%s' "$*" | tr '\n' ' ')"
	exit 0
}

sys=$(readlink -f "/sys/dev/block/$1") && [ -d "$sys" ] || cannot 'the device is gone'

# SCSI, SATA and USB: the kernel asks the drive, by MODE SENSE and MODE SELECT of its
# caching page, which libata makes SET FEATURES of. Virtio: it asks the hypervisor.
file=
for f in "$sys"/device/scsi_disk/*/cache_type "$sys"/cache_type; do
	[ ! -e "$f" ] || file=$f
done
if [ -n "$file" ]; then
	# The kernel asks again: hdparm and sdparm tell the drive past it.
	[ ! -e "$sys/device/rescan" ] || { echo 1 >"$sys/device/rescan"; } 2>/dev/null
	read -r now <"$file" || cannot "$file cannot be read"
	case $want,$now in
	,*) type= ;;
	on,none | on,*daft*) type='write back, no read (daft)' ;;
	on,*) type='write back' ;;
	off,none | off,*daft*) type=none ;; # reads stay past the cache
	*) type='write through' ;;
	esac
	if [ -n "$type" ]; then
		said=$(printf '%s\n' "$type" | tee "$file" 2>&1 >/dev/null) ||
			cannot "the drive, or the controller, bridge or hypervisor before it, refuses it (${said##*: })"
		read -r now <"$file" || cannot "$file cannot be read"
	fi
	case $now in
	*back*) echo 'cache on' ;;
	*) echo 'cache off' ;;
	esac
	exit 0
fi

case ${sys##*/} in
nvme*) ;;
loop*) cannot 'a loop device has none' ;;
*) cannot 'no way is known for devices of this kind' ;;
esac
# An NVMe controller has one cache for all of its namespaces.
top=$(readlink -f "$sys/device") || cannot 'its controller is not in /sys'
controllers='' count=0 spaces=0
case ${top##*/} in
nvme-subsys*) ;;
*) controllers=${top##*/} count=1 ;;
esac
for f in "$top"/nvme*; do
	case ${f##*/} in
	*c[0-9]*n[0-9]*) ;; # a path
	*n[0-9]*) spaces=$((spaces + 1)) ;;
	nvme*[0-9]) controllers=${f##*/} count=$((count + 1)) ;;
	esac
done
[ "$count" = 1 ] || cannot "it is reached through $count NVMe controllers"
[ "$spaces" -le 1 ] || cannot "its controller has $spaces namespaces, and one cache for all of them"
command -v nvme >/dev/null 2>&1 || cannot 'nvme is not installed (package nvme-cli)'
controller=/dev/$controllers
said=$(nvme id-ctrl "$controller" 2>&1) || cannot "nvme id-ctrl: $said"
vwc=$(printf '%s\n' "$said" | sed -n 's/^vwc *: *\([0-9a-fx]*\).*/\1/p')
[ -n "$vwc" ] || cannot 'nvme id-ctrl does not say whether it has one'
[ $((vwc & 1)) = 1 ] || cannot 'it has no volatile write cache'
# Feature 6 of the NVMe specification, Volatile Write Cache.
case $want in
on | off)
	value=0
	[ "$want" = off ] || value=1
	said=$(nvme set-feature "$controller" --namespace-id=0 --feature-id=6 --value=$value 2>&1) || cannot "the drive refuses it ($said)"
	;;
esac
said=$(nvme get-feature "$controller" --namespace-id=0 --feature-id=6 2>&1) || cannot "nvme get-feature: $said"
now=$(printf '%s\n' "$said" | sed -n 's/.*[Cc]urrent value: *\([0-9a-fx]*\).*/\1/p')
[ -n "$now" ] || cannot "nvme get-feature prints no value: $said"
case $((now & 1)) in
1) echo 'cache on' ;;
*) echo 'cache off' ;;
esac
