# The life of one host, from the first process of its own namespaces. It gets
#
#   LAB_AT     a directory for it, seen by nobody else
#   LAB_IMAGE  its disk
#   LAB_KEY    its host key
#   LAB_USER   the ordinary user
#   LAB_BENCH  where the disk is mounted
#   LAB_PUBLIC the public key that may log in
#   LAB_SUDO   yes, or no
#   LAB_RISE   how many mK its sensor rises under full load
#   LAB_HOSTS  the lines of /etc/hosts
#   LAB_BOOT   the id of this boot
#
# and says "ready" on file descriptor 3 when it can be wired up. The machine's
# files show through an overlay: what a host changes stays in its own memory.
set -eu
LC_ALL=C PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export LC_ALL PATH

mount --make-rprivate /
hostname "$ASSAY_LAB_HOST"
mount -t tmpfs -o mode=755,size=1g lab "$LAB_AT"
cd "$LAB_AT"
mkdir upper work root class
mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work lab root

# The disk, before the machine's /dev is out of sight.
mkdir -p "root$LAB_BENCH"
mount -t ext4 -o loop "$LAB_IMAGE" "root$LAB_BENCH"
loop=$(losetup -n -O NAME -j "$LAB_IMAGE")
loop=${loop##*/}
numbers=$(cat "/sys/class/block/$loop/dev")
mkdir -p root/etc/ssh
cp "$LAB_KEY" root/etc/ssh/lab_host_key
chmod 600 root/etc/ssh/lab_host_key

mount -t proc proc root/proc
mount -t sysfs sysfs root/sys
# Only devices that a host may have: the machine's disks are not among them.
mount -t tmpfs -o mode=755 lab root/dev
for d in 'null 1 3' 'zero 1 5' 'full 1 7' 'random 1 8' 'urandom 1 9' 'tty 5 0'; do
	# shellcheck disable=SC2086 # three words
	set -- $d
	mknod -m 666 "root/dev/$1" c "$2" "$3"
done
mknod -m 660 "root/dev/$loop" b "${numbers%:*}" "${numbers#*:}"
mkdir root/dev/pts root/dev/shm
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts root/dev/pts
mount -t tmpfs -o mode=1777 lab root/dev/shm
ln -s pts/ptmx root/dev/ptmx
ln -s /proc/self/fd root/dev/fd
ln -s fd/0 root/dev/stdin
ln -s fd/1 root/dev/stdout
ln -s fd/2 root/dev/stderr
# A class cannot be added to sysfs: so the classes are put together anew.
mount -t tmpfs -o mode=755 lab class
for d in root/sys/class/*/; do
	d=${d%/}
	mkdir "class/${d##*/}"
	case $d in */hwmon | */block) continue ;; esac
	mount --bind "$d" "class/${d##*/}"
done
ln -s "../../devices/virtual/block/$loop" "class/block/$loop"
mount --move class root/sys/class
mount -t tmpfs -o mode=755 lab root/sys/block
ln -s "../devices/virtual/block/$loop" "root/sys/block/$loop"
for d in tmp run root home; do
	mkdir -p "root/$d"
	mount -t tmpfs -o mode=755 lab "root/$d"
done
chmod 1777 root/tmp
chmod 700 root/root
mkdir root/run/old root/run/sshd root/run/lab

cd root
pivot_root . run/old
cd /
exec </dev/null
umount -l /run/old
rmdir /run/old

# Who it is.
echo "$ASSAY_LAB_HOST" >/etc/hostname
printf '127.0.0.1 localhost\n%s\n' "$LAB_HOSTS" >/etc/hosts
printf 'passwd: files\ngroup: files\nshadow: files\nhosts: files\n' >/etc/nsswitch.conf
rm -f /etc/resolv.conf
: >/etc/resolv.conf
tr -d - </proc/sys/kernel/random/uuid >/etc/machine-id
echo "$LAB_BOOT" >/run/lab/boot_id
mount --bind /run/lab/boot_id /proc/sys/kernel/random/boot_id
echo 0 >/proc/sys/net/ipv4/conf/all/rp_filter
echo 0 >/proc/sys/net/ipv4/conf/default/rp_filter
echo 1 >/proc/sys/net/ipv4/ip_forward
for f in all default; do
	f=/proc/sys/net/ipv6/conf/$f/disable_ipv6
	if [ -e "$f" ]; then echo 1 >"$f"; fi
done

# Its users. PAM's own stack may ask for services that a host has not.
for f in passwd shadow group gshadow subuid subgid; do
	if [ -e "/etc/$f" ]; then sed -i "/^$LAB_USER:/d" "/etc/$f"; fi
done
id=4242
while grep -q "^[^:]*:[^:]*:$id:" /etc/passwd /etc/group; do id=$((id + 1)); done
echo "$LAB_USER:x:$id:$id::/home/$LAB_USER:/bin/sh" >>/etc/passwd
echo "$LAB_USER:*:19000:0:99999:7:::" >>/etc/shadow
echo "$LAB_USER:x:$id:" >>/etc/group
mkdir -p "/home/$LAB_USER/.ssh" /root/.ssh
echo "$LAB_PUBLIC" | tee /root/.ssh/authorized_keys >"/home/$LAB_USER/.ssh/authorized_keys"
chmod 700 "/home/$LAB_USER" "/home/$LAB_USER/.ssh" /root/.ssh
chown -R "$id:$id" "/home/$LAB_USER"
chown "$id:$id" "$LAB_BENCH"
mkdir -p /etc/pam.d
rm -rf /etc/sudoers /etc/sudoers.d
mkdir -p -m 750 /etc/sudoers.d
{
	echo 'root ALL=(ALL:ALL) ALL'
	echo '@includedir /etc/sudoers.d'
	case $LAB_SUDO in yes) echo "$LAB_USER ALL=(ALL:ALL) NOPASSWD: ALL" ;; esac
} >/etc/sudoers
chmod 440 /etc/sudoers
cat >/etc/pam.d/sudo <<'EOF'
auth required pam_unix.so
account required pam_permit.so
session required pam_permit.so
EOF
# All hosts and who asks them share the CPUs of one machine: the post-quantum key
# exchange, a few milliseconds on a host of its own, would be most of what is seen.
cat >/etc/ssh/lab_sshd_config <<'EOF'
Port 22
KexAlgorithms curve25519-sha256
HostKey /etc/ssh/lab_host_key
PidFile /run/sshd.pid
AuthorizedKeysFile .ssh/authorized_keys
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
UseDNS no
PrintMotd no
MaxStartups 200
MaxSessions 200
Subsystem sftp internal-sftp
EOF

# Its sensor. The chip's name is one that people look for; the label says that
# it is made up.
chip=/sys/class/hwmon/hwmon0
mkdir -p "$chip"
echo coretemp >"$chip/name"
echo 'Package id 0 (fake)' >"$chip/temp1_label"
cpus=$(grep -c '^processor' /proc/cpuinfo)
rest=38000
temperature=$rest
echo "$temperature" >"$chip/temp1_input"

# busy counts the threads of this host that run or want to.
busy() {
	running=0
	for s in /proc/[0-9]*/task/[0-9]*/stat; do
		case $s in /proc/1/*) continue ;; esac
		read -r line <"$s" || continue
		case ${line##*) } in R*) running=$((running + 1)) ;; esac
	done 2>/dev/null
	if [ "$running" -gt "$cpus" ]; then running=$cpus; fi
}

/usr/sbin/sshd -f /etc/ssh/lab_sshd_config

# Once a second the sensor goes a quarter of the way to where the load would
# bring it; five digits are written over five, so that no reader sees less.
# Waiting for sleep also buries the dead that were left to this process.
echo ready >&3
exec 3>&-
while :; do
	sleep 1
	busy
	temperature=$((temperature + (rest + LAB_RISE * running / cpus - temperature) / 4))
	echo "$temperature" 1<>"$chip/temp1_input"
done
