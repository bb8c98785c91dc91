package inventory

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The report may show only those words of a command line that affect speed: those of
// the paper, and none that names or unlocks a disk.
func TestTelling(t *testing.T) {
	for line, want := range map[string]string{
		"BOOT_IMAGE=/boot/vmlinuz-5.4 root=/dev/mapper/pve-root ro quiet pcie_aspm=off amd_iommu=on iommu=pt mitigations=off": "pcie_aspm=off amd_iommu=on iommu=pt mitigations=off",
		"root=UUID=1 rd.luks.key=secret ip=10.0.0.1 processor.max_cstate=1 intel_idle.max_cstate=0":                           "processor.max_cstate=1 intel_idle.max_cstate=0",
		"ro quiet": "nothing that changes speed",
	} {
		if got := telling(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// The sysctls read are those that the script prints.
func TestScriptReadsTheSysctls(t *testing.T) {
	script, err := os.ReadFile("facts.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Sysctls {
		if path := strings.ReplaceAll(name, ".", "/"); !slices.Contains(strings.Fields(string(script)), path) {
			t.Errorf("facts.sh does not read %s", path)
		}
	}
}

func TestEnvironment(t *testing.T) {
	raw := "@@ assay-facts 1\n" +
		"@@ file /proc/cmdline\n quiet iommu=pt\n" +
		"@@ files /proc/sys\nvm/swappiness:10\nnet/ipv4/tcp_rmem:4096\t131072\t6291456\n" +
		"@@ list /sys/class/iommu\n dmar1\n dmar0\n" +
		"@@ files /sys/kernel/mm/transparent_hugepage\nenabled:always [madvise] never\n" +
		"@@ files /sys/devices/system/cpu\ncpu0/cpuidle/state0/name:POLL\ncpu0/cpuidle/state0/disable:0\ncpu0/cpuidle/state1/name:C1\ncpu0/cpuidle/state1/disable:0\ncpu0/cpuidle/state2/name:C6\ncpu0/cpuidle/state2/disable:1\n" +
		"@@ end\n"
	c, err := readCapture([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{capture: c}
	r.environment()
	o := r.facts.OS
	if o.CommandLine != "iommu=pt" || o.Sysctls["vm.swappiness"] != "10" || o.Sysctls["net.ipv4.tcp_rmem"] != "4096 131072 6291456" || o.IOMMU != "dmar0, dmar1" || o.HugePages != "madvise" {
		t.Errorf("%+v", o)
	}
	if got := r.facts.CPU.IdleStates; got != "POLL, C1" {
		t.Errorf("idle states %q", got)
	}
}
