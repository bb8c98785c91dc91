package blame

import (
	"slices"
	"strings"

	"assay/incident"
)

// stalls finds tasks and CPUs that stall where nothing else shows why.
var stalls = Rule{ID: "stalls", Title: "Tasks or CPUs that stall", Check: func(c Case) []Cause {
	hung, cpu := c.of(incident.HungTask), c.of(incident.CPUStall, incident.GuestStall, incident.NotScheduled)
	var found []Cause
	if len(cpu) > 0 {
		base := Cause{Host: cpu[0].Host, How: Possible, Evidence: quote(3, cpu, hung), explains: []incident.Kind{incident.CPUStall, incident.GuestStall, incident.NotScheduled, incident.HungTask, incident.NoTicks, incident.WaitsForDisk}}
		hyper, mem := base, base
		hyper.Layer, hyper.Says, hyper.Why = incident.Hypervisor, "a hypervisor that does not run this guest's CPUs", "A guest whose CPUs are not scheduled sees its own as stuck."
		hyper.Next = []Step{{"check steal time, and how busy the hypervisor is", "vmstat 1 5"}}
		if c.onlyOn(base.Host, []incident.Kind{incident.CPUStall, incident.GuestStall, incident.NotScheduled, incident.HungTask, incident.ClockUnstable, incident.NoTicks, incident.WaitsForDisk}) {
			switch {
			case c.hasOn(base.Host, incident.GuestStall):
				hyper.How, hyper.Says = VeryLikely, "what runs guests on this host"
				hyper.Why = "What the stuck CPU was running is a guest's processor (QEMU, KVM)."
				hyper.Evidence = quote(4, c.of(incident.GuestStall), cpu, hung)
				hyper.Next = []Step{{"check which guest it is, and update the kernel, QEMU and the firmware", "ps -eLo pid,tid,stat,wchan:30,comm | grep -E 'qemu|kvm|CPU'"}}
				return []Cause{hyper}
			case c.hasOn(base.Host, incident.IsGuest), slices.ContainsFunc(cpu, inGuestTool):
				hyper.How, hyper.Why = VeryLikely, "This is a virtual machine, and it logged no error of a device. A guest whose CPUs are not run for seconds sees its own as stuck."
				hyper.Evidence = quote(4, cpu, c.of(incident.IsGuest), hung)
				return []Cause{hyper}
			case c.hasOn(base.Host, incident.NoTicks) && !says(cpu, "LOCKUP"):
				hyper.How = Likely
				hyper.Why = "The stalled CPU got no timer interrupts in all that time, and nothing found it locked up: it was not running. A hypervisor that does not schedule a guest's CPU causes that; on bare metal, firmware or a driver that disables interrupts for seconds."
				hyper.Evidence = quote(4, cpu, c.of(incident.NoTicks), hung)
			}
		}
		mem.Layer, mem.Says, mem.Why = incident.Memory, "CPU, memory or the kernel", "On bare metal a stuck CPU is a kernel bug or failing hardware."
		mem.Next = []Step{{"look for machine checks, and at what the CPU was doing", "journalctl -k -b -1 | grep -A20 -iE 'lockup|stall'"}}
		found = append(found, hyper, mem)
	}
	if len(hung) > 0 && len(cpu) == 0 {
		base := Cause{Host: hung[0].Host, How: Possible, Evidence: quote(3, hung, c.of(incident.WaitsForDisk)), explains: []incident.Kind{incident.HungTask, incident.WaitsForDisk}}
		drive, session := base, base
		drive.Layer, drive.Says, drive.Why = incident.Drive, "local storage that does not answer", "A task waited for over two minutes, mostly for storage."
		drive.Next = []Step{{"check which device has I/O in flight and none completing", "iostat -x 1 5; cat /proc/pressure/io"}}
		session.Layer, session.Says, session.Why = incident.Session, "remote storage that does not answer", "A network file system or volume that hangs looks the same."
		session.Next = []Step{{"check what the task waits for", "echo w > /proc/sysrq-trigger; dmesg | tail -100"}}
		if c.hasOn(base.Host, incident.IsGuest) || slices.ContainsFunc(hung, onVirtualDisk) {
			lent := base
			lent.Layer, lent.Says, lent.Why = incident.Hypervisor, "the hypervisor's storage", "This is a virtual machine: a hypervisor answers for its disks, and does so late or not at all."
			if (slices.ContainsFunc(hung, ownFileSystem) || c.hasOn(base.Host, incident.WaitsForDisk)) && c.onlyOn(base.Host, base.explains) {
				lent.How = Likely
				lent.Why += " The task that hangs waits for a file system on one of those disks."
			}
			lent.Next = []Step{{"on the hypervisor: see how busy the image's storage is, and its log for the same minute", "iostat -x 1 5; journalctl -k --since '1 hour ago'"}}
			found = append(found, lent)
		}
		found = append(found, drive, session)
	}
	return found
}}

// inGuestTool reports whether a CPU was stuck in a program that only guests run.
func inGuestTool(e incident.Event) bool {
	for _, tool := range []string{"[qemu-ga:", "[vmtoolsd:", "[vmhgfs-fuse:", "[VBoxService:", "[hv_kvp_daemon:", "[xe-daemon:", "[waagent:"} {
		if strings.Contains(e.Text, tool) {
			return true
		}
	}
	return false
}

// onVirtualDisk reports whether a hung task belongs to a file system on a virtual
// disk: jbd2/vda1-8.
func onVirtualDisk(e incident.Event) bool {
	return strings.Contains(e.Text, "/vd") || strings.Contains(e.Text, "/xvd")
}

// ownFileSystem reports whether a hung task writes to a file system on a block device of
// its own machine.
func ownFileSystem(e incident.Event) bool {
	for _, remote := range []string{"/rbd", "/drbd", "/nbd"} {
		if strings.Contains(e.Text, remote) {
			return false
		}
	}
	for _, task := range []string{"task jbd2/", "task xfsaild/", "task xfs-sync/", "task btrfs-transacti"} {
		if strings.Contains(e.Text, task) {
			return true
		}
	}
	return false
}
