package incidents

import (
	"context"
	"time"

	"assay/incident"
	"assay/internal/sleep"
)

// Kind is a fault that can be planted on host a.
type Kind struct {
	Name string
	Does string // what breaks, for people
	// Layers are the right layers to blame: several if the fault leaves open which;
	// none if nothing is broken.
	Layers []incident.Layer
	plant  func(context.Context, *Bed) error
	needs  need
}

// need is something a kind needs that the guests' image does not have.
type need string

const (
	drbd  need = "DRBD"
	iscsi need = "open-iscsi"
)

// onA returns a function that runs a script on host a.
func onA(script string) func(context.Context, *Bed) error {
	return func(ctx context.Context, bed *Bed) error { return bed.run(ctx, "a", script) }
}

// unreadable reads a disk up to its unreadable sector.
func unreadable(disk string) func(context.Context, *Bed) error {
	return onA("fails dd if=" + disk + " of=/dev/null bs=64k iflag=direct\nawait 'error.*dev (sd|vd|nvme)'")
}

// lent is to blame for a disk that identifies itself as virtual; a guest cannot tell
// whether the fault is in a drive or in what its hypervisor keeps the disk in.
var (
	lent   = []incident.Layer{incident.Hypervisor}
	drives = []incident.Layer{incident.Drive, incident.Hypervisor}
)

// Kinds returns all kinds. The last plants nothing.
func Kinds() []Kind {
	return []Kind{
		{Name: "nvme-medium", Does: "an NVMe disk can't read a sector (QEMU's blkdebug)", Layers: drives, plant: unreadable("$NVME")},
		{Name: "sata-medium", Does: "a SATA disk can't read a sector (blkdebug)", Layers: drives, plant: unreadable("$SATA")},
		{Name: "scsi-medium", Does: "a virtio-scsi disk can't read a sector (blkdebug)", Layers: lent, plant: unreadable("$SCSI")},
		{Name: "virtio-medium", Does: "a virtio disk can't read a sector (blkdebug)", Layers: lent, plant: unreadable("$VIRTIO")},
		{Name: "nvme-timeout", Does: "an NVMe disk stops answering, and is reset", Layers: []incident.Layer{incident.Controller, incident.Drive, incident.Hypervisor}, plant: stopAnswering},
		{Name: "dm-error", Does: "the mapping under a mounted ext4 turns to errors (dm-error): its journal aborts", Layers: []incident.Layer{incident.Volumes}, plant: onA(`
mapped flawed $ONE
formatted /dev/mapper/flawed
dd if=/dev/zero of=$work/before bs=64k count=16 conv=fsync 2>/dev/null
turned flawed "0 200000 error"
fails dd if=/dev/zero of=$work/after bs=64k count=16 conv=fsync
await 'EXT4-fs'`)},
		{Name: "dm-flakey", Does: "the mapping under a mounted ext4 fails now and then (dm-flakey)", Layers: []incident.Layer{incident.Volumes}, plant: onA(`
mapped flawed $ONE
formatted /dev/mapper/flawed
dd if=/dev/zero of=$work/before bs=64k count=16 conv=fsync 2>/dev/null
modprobe dm-flakey
turned flawed "0 200000 flakey $ONE 0 0 600"
fails dd if=/dev/zero of=$work/after bs=64k count=16 conv=fsync
await 'error'`)},
		{Name: "dm-delay", Does: "the mapping under a mounted ext4 delays every request by 200 ms (dm-delay)", Layers: []incident.Layer{incident.Volumes}, plant: onA(`
mapped flawed $ONE
formatted /dev/mapper/flawed
modprobe dm-delay
turned flawed "0 200000 delay $ONE 0 200"
dd if=/dev/zero of=$work/slow bs=4k count=4 conv=fsync 2>/dev/null`)},
		{Name: "dm-suspended", Does: "a mapped device is left suspended: who writes to it hangs", Layers: []incident.Layer{incident.Volumes}, plant: onA(`
mapped flawed $ONE
formatted /dev/mapper/flawed
echo 5 >/proc/sys/kernel/hung_task_timeout_secs
dmsetup suspend flawed
later dd if=/dev/zero of=$work/file bs=4k count=1 conv=fsync
await 'blocked for more than'`)},
		{Name: "thin-full", Does: "a thin pool runs full", Layers: []incident.Layer{incident.Volumes}, plant: onA(`
modprobe dm-thin-pool
dmsetup create meta --table "0 8192 linear $ONE 0"
dmsetup create data --table "0 65536 linear $ONE 8192"
dmsetup create pool --table "0 65536 thin-pool /dev/mapper/meta /dev/mapper/data 128 1024 1 error_if_no_space"
dmsetup message pool 0 'create_thin 0'
dmsetup create thin --table '0 200000 thin /dev/mapper/pool 0'
fails dd if=/dev/zero of=/dev/mapper/thin bs=1M count=90 oflag=direct
await 'out-of-data-space'`)},
		{Name: "md-member", Does: "a member of an md mirror fails (its mapping turns to errors)", Layers: []incident.Layer{incident.Volumes}, plant: onA(`
mapped member $ONE
mdadm --create /dev/md0 --quiet --run --level=1 --raid-devices=2 --metadata=1.2 --assume-clean /dev/mapper/member $TWO
turned member "0 200000 error"
dd if=/dev/zero of=/dev/md0 bs=64k count=4 oflag=direct 2>/dev/null
await 'Disk failure on'`)},
		{Name: "fs-full", Does: "a file system runs full", Layers: []incident.Layer{incident.FileSystem}, plant: onA(`
formatted $ONE
fails dd if=/dev/zero of=$work/all bs=1M conv=fsync`)},
		{Name: "loop-truncated", Does: "the file under a loop device is cut short", Layers: []incident.Layer{incident.FileSystem}, plant: onA(`
modprobe loop
formatted $ONE
truncate -s 64M $work/image
loop=$(losetup -f --show --direct-io=on $work/image) # else what is past the end of the file reads as zeros
mkfs.ext4 -q $loop
mkdir -p $work/inner
mount $loop $work/inner
dd if=/dev/zero of=$work/inner/file bs=1M count=16 conv=fsync 2>/dev/null
truncate -s 1M $work/image
echo 3 >/proc/sys/vm/drop_caches
fails dd if=$work/inner/file of=/dev/null bs=1M
await 'error.*loop'`)},
		{Name: "out-of-memory", Does: "a process reaches the memory limit of its group and is killed", Layers: []incident.Layer{incident.OutOfMemory}, plant: onA(`
echo +memory >/run/groups/cgroup.subtree_control
mkdir -p /run/groups/small
echo 16M >/run/groups/small/memory.max
fails sh -c 'echo $$ >/run/groups/small/cgroup.procs; exec tail /dev/zero'
await 'ut of memory'`)},
		{Name: "link-flaps", Does: "a network port loses its cable again and again", Layers: []incident.Layer{incident.Network}, plant: flap},
		{Name: "nvme-tcp", Does: "an NVMe/TCP target stops serving", Layers: []incident.Layer{incident.Session}, plant: stopServing},
		{Name: "iscsi-cut", Does: "an iSCSI target drops its sessions while ext4 is mounted on its disk", Layers: []incident.Layer{incident.Session}, plant: cutSession, needs: iscsi},
		{Name: "drbd-peer", Does: "DRBD loses its peer: the cable between them is pulled", Layers: []incident.Layer{incident.Network}, plant: parted, needs: drbd},
		{Name: "clock", Does: "a clock is an hour ahead", Layers: []incident.Layer{incident.Clock}, plant: onA(`
touch /run/clock
date -s 'now + 3600 seconds' >/dev/null`)},
		{Name: "usb-pulled", Does: "a USB disk is pulled while it is mounted", Layers: []incident.Layer{incident.Link}, plant: pull},
		{Name: "memory-errors", Does: "the memory controller reports corrected errors (QEMU's mce)", Layers: []incident.Layer{incident.Memory}, plant: memoryErrors},
		{Name: "nothing", Does: "nothing is broken", plant: func(context.Context, *Bed) error { return nil }},
	}
}

// stopAnswering throttles the disk to one request a second, while many readers wait
// with a short timeout.
func stopAnswering(ctx context.Context, bed *Bed) error {
	if err := bed.a.LimitDisk(ctx, slowNVMe, 1); err != nil {
		return err
	}
	return bed.run(ctx, "a", `
name=$(basename "$(readlink -f $SLOW)")
echo 3000 >/sys/block/$name/queue/io_timeout
for at in $(seq 24); do later dd if=$SLOW of=/dev/null bs=4k count=1 skip=$at iflag=direct; done
await 'reset controller'`)
}

func flap(ctx context.Context, bed *Bed) error {
	for range 4 {
		for _, in := range []bool{false, true} {
			if err := bed.a.SetCable(ctx, 0, in); err != nil {
				return err
			}
			// The bond polls ten times a second.
			if err := sleep.For(ctx, time.Second); err != nil {
				return err
			}
		}
	}
	return bed.run(ctx, "a", "await 'definitely down'")
}

func stopServing(ctx context.Context, bed *Bed) error {
	const serve = `
modprobe -a nvmet nvmet-tcp
target=/sys/kernel/config/nvmet
mkdir -p $target/subsystems/assay/namespaces/1 $target/ports/1
echo 1 >$target/subsystems/assay/attr_allow_any_host
readlink -f $ONE >$target/subsystems/assay/namespaces/1/device_path
echo 1 >$target/subsystems/assay/namespaces/1/enable
echo tcp >$target/ports/1/addr_trtype
echo ipv4 >$target/ports/1/addr_adrfam
echo $ADDRESS >$target/ports/1/addr_traddr
echo 4420 >$target/ports/1/addr_trsvcid
ln -s $target/subsystems/assay $target/ports/1/subsystems/assay`
	if err := bed.run(ctx, "b", serve); err != nil {
		return err
	}
	if err := bed.run(ctx, "a", "modprobe nvme-tcp\nnvme connect -t tcp -a $PEER -s 4420 -n assay --reconnect-delay=2 >/dev/null"); err != nil {
		return err
	}
	if err := bed.run(ctx, "b", "rm /sys/kernel/config/nvmet/ports/1/subsystems/assay"); err != nil {
		return err
	}
	return bed.run(ctx, "a", "await 'Failed reconnect attempt|econnecting in'")
}

// cutSession has the kernel of host b serve a disk over iSCSI, which host a mounts, and then
// stop serving.
func cutSession(ctx context.Context, bed *Bed) error {
	const serve = `
modprobe -a target_core_mod target_core_iblock iscsi_target_mod
disk=/sys/kernel/config/target/core/iblock_0/assay
group=/sys/kernel/config/target/iscsi/iqn.2026-11.assay:one/tpgt_1
mkdir -p $disk
echo "udev_path=$(readlink -f $ONE)" >$disk/control
echo 1 >$disk/enable
mkdir -p $group/np/$ADDRESS:3260 $group/lun/lun_0
ln -s $disk $group/lun/lun_0/disk
for word in generate_node_acls cache_dynamic_acls; do echo 1 >$group/attrib/$word; done
for word in authentication demo_mode_write_protect; do echo 0 >$group/attrib/$word; done
echo 1 >$group/enable`
	if err := bed.run(ctx, "b", serve); err != nil {
		return err
	}
	const mounted = `
modprobe iscsi_tcp
mkdir -p /etc/iscsi /run/lock/iscsi
echo InitiatorName=iqn.2026-11.assay:a >/etc/iscsi/initiatorname.iscsi
cat >/etc/iscsi/iscsid.conf <<END
node.startup = manual
node.session.timeo.replacement_timeout = 5
node.conn[0].timeo.noop_out_interval = 5
node.conn[0].timeo.noop_out_timeout = 5
END
iscsid || true # it stays, and does not run twice
node="-m node -T iqn.2026-11.assay:one -p $PEER:3260"
iscsiadm $node -o new >/dev/null
iscsiadm $node --login >/dev/null
for _ in $(seq 100); do
	disk=$(ls -d /sys/class/iscsi_session/session*/device/target*/*/block/* 2>/dev/null | head -n 1)
	[ -z "$disk" ] || break
	sleep 0.2
done
formatted "/dev/$(basename "$disk")"
dd if=/dev/zero of=$work/before bs=64k count=16 conv=fsync 2>/dev/null`
	if err := bed.run(ctx, "a", mounted); err != nil {
		return err
	}
	if err := bed.run(ctx, "b", "echo 0 >/sys/kernel/config/target/iscsi/iqn.2026-11.assay:one/tpgt_1/enable"); err != nil {
		return err
	}
	return bed.run(ctx, "a", "fails dd if=/dev/zero of=$work/after bs=64k count=16 conv=fsync\nawait 'session recovery timed out'")
}

// parted makes both hosts mirror a disk, and pulls the cable between them.
func parted(ctx context.Context, bed *Bed) error {
	const resource = `cat >/etc/drbd.d/r0.res <<END
resource r0 {
	device /dev/drbd0; disk $(readlink -f $ONE); meta-disk internal;
	on a { address 10.77.0.1:7789; }
	on b { address 10.77.0.2:7789; }
}
END
drbdadm create-md --force r0 >/dev/null 2>&1
drbdadm up r0`
	for _, host := range []string{"a", "b"} {
		if err := bed.run(ctx, host, resource); err != nil {
			return err
		}
	}
	if err := bed.run(ctx, "a", `
await 'WFReportParams -> Connected'
drbdsetup new-current-uuid --clear-bitmap 0
drbdadm primary r0
dd if=/dev/zero of=/dev/drbd0 bs=64k count=1 oflag=direct 2>/dev/null`); err != nil {
		return err
	}
	if err := bed.a.SetCable(ctx, 0, false); err != nil {
		return err
	}
	return bed.run(ctx, "a", `
later dd if=/dev/zero of=/dev/drbd0 bs=64k count=1 oflag=direct
await 'PingAck did not arrive|NetworkFailure|-> Timeout'`)
}

func pull(ctx context.Context, bed *Bed) error {
	if err := bed.run(ctx, "a", "formatted $STICK\ndd if=/dev/zero of=$work/before bs=64k count=4 conv=fsync 2>/dev/null"); err != nil {
		return err
	}
	if err := bed.a.Pull(ctx, stick); err != nil {
		return err
	}
	return bed.run(ctx, "a", "await 'USB disconnect'\nfails dd if=/dev/zero of=$work/after bs=64k count=4 conv=fsync")
}

func memoryErrors(ctx context.Context, bed *Bed) error {
	// By default, the kernel checks the banks every five minutes.
	if err := bed.run(ctx, "a", "echo 1 >/sys/devices/system/machinecheck/machinecheck0/check_interval"); err != nil {
		return err
	}
	if err := bed.a.CorrectMemory(ctx); err != nil {
		return err
	}
	return bed.run(ctx, "a", "await 'Hardware Error'")
}
