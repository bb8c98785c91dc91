# Prints the SMART report of a device, without waking it, and writes nothing.
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin
if ! [ -b "/dev/$1" ]; then
	echo "absent failed: /dev/$1 is not a block device here"
elif command -v smartctl >/dev/null 2>&1; then
	said=$(timeout -k 2 14 smartctl -n standby -A -H -l error "/dev/$1" 2>&1 </dev/null | head -c 60000)
	case $said in
	*STANDBY*) echo 'absent no data: the drive sleeps' ;;
	*) printf 'smartctl -A /dev/%s\n%s\n' "$1" "$said" ;;
	esac
elif command -v nvme >/dev/null 2>&1; then
	timeout -k 2 14 nvme smart-log "/dev/$1" 2>&1 </dev/null | head -c 20000
else
	echo 'absent not supported: neither smartctl nor nvme is installed'
fi
exit 0
