# What all hosts of a bed have: control groups that they see, as machines do, and
# facts that this machine lacks, all made up and alike.
mount -t tmpfs -o mode=755 lab /sys/fs/cgroup
for controller in cpu cpuset memory blkio; do
	mkdir "/sys/fs/cgroup/$controller"
	mount -t cgroup -o "$controller" "$controller" "/sys/fs/cgroup/$controller"
done
mount -t tmpfs -o mode=755 lab /sys/devices/system/cpu/cpufreq
for policy in 0 1; do
	mkdir "/sys/devices/system/cpu/cpufreq/policy$policy"
	cd "/sys/devices/system/cpu/cpufreq/policy$policy"
	echo performance >scaling_governor
	echo acpi-cpufreq >scaling_driver
	echo 1500000 >cpuinfo_min_freq
	echo 3500000 >cpuinfo_max_freq
done
echo 1 >/sys/devices/system/cpu/cpufreq/boost
# They are metal, whatever this machine is, until a kind makes one a container: what a
# virtual machine says of its memory is not believed.
cat >/run/lab/virt <<'EOF'
#!/bin/sh
if [ "$1" = -c ] && [ -e /run/.containerenv ]; then
	echo podman
	exit 0
fi
echo none
exit 1
EOF
rm -f /usr/bin/systemd-detect-virt
cp /run/lab/virt /usr/bin/systemd-detect-virt
chmod 755 /usr/bin/systemd-detect-virt
mkdir -p /sys/class/dmi/id
cd /sys/class/dmi/id
echo 'ACME (fake)' | tee sys_vendor board_vendor bios_vendor >/dev/null
echo 'Minibox 1' | tee product_name board_name >/dev/null
echo 1.10 >bios_version
echo 05/11/2025 >bios_date
mkdir -p /run/systemd/timesync
: >/run/systemd/timesync/synchronized
dimms 2 3200
