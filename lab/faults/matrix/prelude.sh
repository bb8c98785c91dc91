# What the scripts of kinds are made of. They get
#
#   HOST ADDRESS    the culprit, and its address on the storage network
#   PEER THIRD      addresses there: of the other host of the fault, and of a third
#   OTHERS          addresses there of all but the culprit
#   NIC DISK        its interface on that network, and its disk in /sys/block
#   GROUP           the name of a control group of its own
#   DEV             for sends and receives: the interface at that end
set -eu

# shape MBIT bounds what DEV sends.
shape() { tc qdisc replace dev "$DEV" root tbf rate "$1mbit" burst 131072 latency 10ms; }

# lose RULE drops what arrives at DEV and matches.
lose() {
	nft add table netdev fault
	nft add chain netdev fault arriving "{ type filter hook ingress device \"$DEV\" priority 0; }"
	# shellcheck disable=SC2086 # a rule is words
	nft add rule netdev fault arriving $1 drop
}

# plant TEXT FILE puts a made-up fact in the place of the kernel's.
plant() {
	planted=$(mktemp /run/lab/planted.XXXXXX)
	chmod 644 "$planted"
	echo "$1" >"$planted"
	mount --bind "$planted" "$2"
}

# show FACT VALUE is what the interface says of itself.
show() { plant "$2" "/sys/class/net/$NIC/$1"; }

# behind COMMAND runs it for as long as the host lives.
behind() { { setsid sh -c "$1" & } </dev/null >/dev/null 2>&1; }

# disk BOUND VALUE bounds the disk.
disk() { echo "$(cat "/sys/class/block/$DISK/dev") $2" >"/sys/fs/cgroup/blkio/blkio.throttle.$1_device"; }

# enter CONTROLLER moves all of the host into its group.
enter() {
	for p in /proc/[0-9]*; do
		echo "${p#/proc/}" >"/sys/fs/cgroup/$1/$GROUP/cgroup.procs" || :
	done 2>/dev/null
}

# quota PERCENT of one CPU is what the host gets.
quota() {
	mkdir -p "/sys/fs/cgroup/cpu/$GROUP"
	echo "$(($1 * 1000))" >"/sys/fs/cgroup/cpu/$GROUP/cpu.cfs_quota_us"
	enter cpu
}

# wrap PROGRAM SCRIPT puts a script before it, which finds the program as $REAL.
wrap() {
	at=$(command -v "$1")
	mv "$at" "$at.real"
	printf '#!/bin/sh\nREAL=%s.real\n%s\n' "$at" "$2" >"$at"
	chmod 755 "$at"
}

# dimms CHANNELS SPEED is what dmidecode says of four modules.
dimms() {
	{
		printf '#!/bin/sh\ncat <<EOF\n# dmidecode 3.4\nGetting SMBIOS data from sysfs.\nSMBIOS 3.2.0 present.\n'
		for slot in 1 2 3 4; do
			channel=A
			if [ "$1" = 2 ] && [ "$slot" -gt 2 ]; then channel=B; fi
			printf '\nHandle 0x110%s, DMI type 17, 92 bytes\nMemory Device\n\tTotal Width: 64 bits\n\tData Width: 64 bits\n' "$slot"
			printf '\tSize: 8 GB\n\tForm Factor: DIMM\n\tLocator: DIMM_%s%s\n\tBank Locator: P0 CHANNEL %s\n' "$channel" "$slot" "$channel"
			printf '\tType: DDR4\n\tSpeed: %s MT/s\n\tManufacturer: (fake)\n\tPart Number: (fake)\n\tConfigured Memory Speed: %s MT/s\n' "$2" "$2"
		done
		echo EOF
	} >/run/lab/dmidecode
	rm -f /usr/sbin/dmidecode
	cp /run/lab/dmidecode /usr/sbin/dmidecode
	chmod 755 /usr/sbin/dmidecode
}

# faketime OFFSET is the clock of what runs over SSH, also by sudo.
faketime() {
	lib=$(ls /usr/lib/*/faketime/libfaketime.so.1)
	printf 'LD_PRELOAD=%s\nFAKETIME="%s"\n' "$lib" "$1" >/etc/lab_clock
	sed -i "1i SetEnv LD_PRELOAD=$lib \"FAKETIME=$1\"" /etc/ssh/lab_sshd_config
	echo 'Defaults env_file=/etc/lab_clock' >/etc/sudoers.d/lab_clock
	chmod 440 /etc/sudoers.d/lab_clock
	read -r p </run/sshd.pid
	kill "$p"
	while kill -0 "$p" 2>/dev/null; do sleep 0.02; done
	/usr/sbin/sshd -f /etc/ssh/lab_sshd_config
}
