package inventory

import (
	"slices"
	"strings"
)

// environment reads the kernel's configuration.
func (r *reader) environment() {
	o := &r.facts.OS
	if line, read := r.files["/proc/cmdline"]; read && len(line) > 0 {
		o.CommandLine = telling(line[0])
	}
	for _, name := range Sysctls {
		if v := strings.Join(strings.Fields(r.word("/proc/sys/"+strings.ReplaceAll(name, ".", "/"))), " "); v != "" {
			if o.Sysctls == nil {
				o.Sysctls = map[string]string{}
			}
			o.Sysctls[name] = v
		}
	}
	if units, listed := r.lists["/sys/class/iommu"]; listed {
		slices.Sort(units)
		if o.IOMMU = strings.Join(units, ", "); o.IOMMU == "" {
			o.IOMMU = "off"
		}
	}
	_, after, _ := strings.Cut(r.word("/sys/kernel/mm/transparent_hugepage/enabled"), "[")
	o.HugePages, _, _ = strings.Cut(after, "]")
	r.facts.CPU.IdleStates = r.idleStates()
}

// Sysctls are the kernel settings that storage and network figures depend on.
// facts.sh reads the same ones.
var Sysctls = []string{
	"vm.swappiness", "vm.dirty_ratio", "vm.dirty_background_ratio", "vm.zone_reclaim_mode", "kernel.numa_balancing", "fs.aio-max-nr",
	"net.core.rmem_max", "net.core.wmem_max", "net.core.netdev_max_backlog", "net.core.default_qdisc",
	"net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem", "net.ipv4.tcp_congestion_control", "net.ipv4.tcp_timestamps",
}

// telling returns the words of a kernel command line that affect a machine's speed, in
// order. The rest names disks and consoles, and may contain secrets.
func telling(line string) string {
	var kept []string
	for word := range strings.FieldsSeq(line) {
		name, _, _ := strings.Cut(word, "=")
		module, _, ofModule := strings.Cut(name, ".")
		if slices.Contains(tellingWords, name) || ofModule && slices.Contains(tellingModules, module) {
			kept = append(kept, word)
		}
	}
	if len(kept) == 0 {
		return "nothing that changes speed"
	}
	return strings.Join(kept, " ")
}

var (
	tellingWords = []string{
		"mitigations", "nopti", "pti", "spectre_v2", "spectre_v2_user", "spec_store_bypass_disable", "l1tf", "mds", "tsx", "tsx_async_abort", "retbleed", "nospectre_v1", "nospectre_v2", "mmio_stale_data",
		"iommu", "intel_iommu", "amd_iommu", "iommu.passthrough", "iommu.strict", "pcie_aspm", "pci",
		"idle", "max_cstate", "nohz", "nohz_full", "rcu_nocbs", "isolcpus", "irqaffinity", "nosmt", "maxcpus", "nr_cpus",
		"intel_pstate", "amd_pstate", "tsc", "clocksource", "preempt", "threadirqs", "skew_tick", "nmi_watchdog", "nowatchdog", "audit",
		"hugepages", "hugepagesz", "default_hugepagesz", "transparent_hugepage", "numa", "numa_balancing", "mem", "swapaccount", "zswap.enabled", "psi", "elevator", "init_on_alloc", "init_on_free",
	}
	tellingModules = []string{"intel_idle", "processor", "cpufreq", "cpuidle", "nvme", "nvme_core", "scsi_mod", "libata", "workqueue", "rcutree", "kvm", "kvm_intel", "kvm_amd", "zfs", "zswap"}
)

// idleStates returns the C-states that the first CPU may enter, by their kernel
// names.
func (r *reader) idleStates() string {
	dir := cpuDir + "/cpu0/cpuidle"
	var names []string
	for _, state := range r.under(dir) {
		if name := r.word(dir + "/" + state + "/name"); name != "" && r.word(dir+"/"+state+"/disable") != "1" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
