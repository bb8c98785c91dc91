package inventory

import (
	"strconv"
	"strings"
	"time"
)

const dmi = "/sys/class/dmi/id/"

// system reads what the machine is and what this user may do on it.
func (r *reader) system() {
	f := &r.facts
	if at, _, ok := r.date("date"); ok {
		f.Taken = at.Truncate(time.Second)
	}
	f.Synchronised = r.synchronised()
	f.Root = r.runs["id"].text() == "0"
	f.DropCaches = f.Root && r.seen["writable:/proc/sys/vm/drop_caches"]

	o := &f.OS
	o.Hostname = r.word("/proc/sys/kernel/hostname")
	o.Kernel = r.word("/proc/sys/kernel/osrelease")
	o.BootID = r.word("/proc/sys/kernel/random/boot_id")
	if r.runs["uname"].exit == 0 {
		o.Arch = r.runs["uname"].text()
	}
	o.Distribution = r.distribution()
	o.Container = r.container()
	o.Machine = r.machine()
	o.BIOS = join(r.dmi("bios_vendor"), r.dmi("bios_version"), r.dmi("bios_date"))
	if o.Kernel == "" {
		r.missing("kernel", "cannot read /proc/sys/kernel/osrelease", "")
	}
	if o.BootID == "" {
		r.missing("boot id", "cannot read /proc/sys/kernel/random/boot_id", "")
	}
	if o.Machine == "" {
		r.missing("machine", "found neither /sys/class/dmi/id nor /proc/device-tree/model", "")
	}
	if !r.seen["/proc/pressure/cpu"] {
		r.missing("pressure", "the kernel has no /proc/pressure", "Linux 4.20 or later has it, booted with psi=1")
	}
	r.virtualisation()
	r.ioUring()
}

func (r *reader) distribution() string {
	for _, p := range []string{"/etc/os-release", "/usr/lib/os-release"} {
		release := r.fields(p, "=")
		for _, key := range []string{"PRETTY_NAME", "NAME", "ID"} {
			if name := strings.Trim(release[key], `"'`); name != "" {
				return name
			}
		}
	}
	return ""
}

// dmi returns a field of the firmware's table, or "" if the vendor left a
// placeholder.
func (r *reader) dmi(field string) string {
	switch v := r.word(dmi + field); strings.ToLower(v) {
	case "to be filled by o.e.m.", "default string", "system product name", "system manufacturer",
		"not specified", "none", "o.e.m.", "system version", "not applicable", "unknown":
		return ""
	default:
		return v
	}
}

// machine returns the vendor and product. Lenovo puts the familiar name in the
// version and a type number in the product.
func (r *reader) machine() string {
	vendor, product := r.dmi("sys_vendor"), r.dmi("product_name")
	if strings.EqualFold(vendor, "lenovo") {
		product = join(r.dmi("product_version"), product)
	}
	if product == "" {
		vendor, product = r.dmi("board_vendor"), r.dmi("board_name")
	}
	if name := join(vendor, product); name != "" {
		return name
	}
	return r.word("/proc/device-tree/model")
}

// container returns the kind of container, or "".
func (r *reader) container() string {
	if run, ok := r.runs["container"]; ok {
		if kind := run.text(); run.exit == 0 && kind != "" && kind != "none" {
			return kind
		}
	}
	if kind := r.word("/run/systemd/container"); kind != "" {
		return kind
	}
	switch {
	case r.seen["/run/.containerenv"]:
		return "podman"
	case r.seen["/.dockerenv"]:
		return "docker"
	}
	for _, line := range r.files["/proc/1/cgroup"] {
		for _, kind := range []string{"docker", "kubepods", "libpod", "lxc"} {
			if strings.Contains(line, "/"+kind) {
				return kind
			}
		}
	}
	return ""
}

// virtualisation determines whether this system runs under a hypervisor, and
// which.
func (r *reader) virtualisation() {
	c := &r.facts.CPU
	run, asked := r.runs["virt"]
	switch name := run.text(); {
	case asked && name == "none": // also Xen's dom0, whose CPU has the flag
		c.Virtual = truth(false)
		return
	case asked && run.exit == 0 && name != "":
		c.Virtual, c.Virtualisation = truth(true), name
		return
	}
	if xen := r.word("/sys/hypervisor/type"); xen != "" {
		c.Virtual, c.Virtualisation = truth(true), xen
		return
	}
	vendor := r.hypervisor()
	flags, x86 := r.cpuFlags()
	model := r.word("/proc/device-tree/model")
	switch {
	case x86 && flags["hypervisor"]:
		if vendor == "" {
			vendor = "hypervisor"
		}
		c.Virtual, c.Virtualisation = truth(true), vendor
	case x86:
		c.Virtual = truth(false)
	case vendor != "" || r.seen["/proc/device-tree/hypervisor"] || model == "linux,dummy-virt":
		c.Virtual, c.Virtualisation = truth(true), vendor
	case model != "":
		c.Virtual = truth(false)
	default:
		r.missing("virtualisation", "reported neither by the CPU nor by the firmware",
			"install systemd, or run systemd-detect-virt on a similar system")
	}
}

// hypervisor identifies the hypervisor by the firmware's vendor.
func (r *reader) hypervisor() string {
	text := r.word(dmi+"sys_vendor") + " " + r.word(dmi+"product_name") + " " + r.word(dmi+"bios_vendor")
	for _, known := range [][2]string{
		{"QEMU", "qemu"}, {"VMware", "vmware"}, {"innotek", "oracle"}, {"VirtualBox", "oracle"},
		{"Virtual Machine", "microsoft"}, {"Xen", "xen"}, {"KVM", "kvm"}, {"Parallels", "parallels"},
		{"BHYVE", "bhyve"}, {"Bochs", "bochs"},
	} {
		if strings.Contains(text, known[0]) {
			return known[1]
		}
	}
	return ""
}

// ioUring determines whether this user may use io_uring: kernel.io_uring_disabled
// is 0 for all, 1 for CAP_SYS_ADMIN and one group, 2 for nobody; kernels before
// 6.6 do not have it, and those before 5.1 have no io_uring. A container's
// seccomp filter may still forbid it, which cannot be read.
func (r *reader) ioUring() {
	f := &r.facts
	const file = "/proc/sys/kernel/io_uring_disabled"
	var may *bool
	switch r.word(file) {
	case "0":
		may = truth(true)
	case "1":
		may = truth(f.Root || r.inGroup(r.word("/proc/sys/kernel/io_uring_group")))
	case "2":
		may = truth(false)
	case "":
		major, minor, ok := kernelVersion(f.OS.Kernel)
		if ok {
			may = truth(major > 5 || major == 5 && minor >= 1)
		}
	}
	switch {
	case may == nil:
		r.missing("io_uring", "neither "+file+" nor the kernel's version can be read", "")
	case *may && f.OS.Container != "":
		r.missing("io_uring", "a container ("+f.OS.Container+") may block what the kernel allows",
			"try a short job with fio --ioengine=io_uring")
		return
	}
	f.IOUring = may
}

func (r *reader) inGroup(gid string) bool {
	if gid == "" || gid == "-1" {
		return false
	}
	for _, g := range strings.Fields(r.runs["groups"].text()) {
		if g == gid {
			return true
		}
	}
	return false
}

// kernelVersion parses "6.8.12-4-pve" as 6, 8.
func kernelVersion(release string) (major, minor int, ok bool) {
	a, rest, _ := strings.Cut(release, ".")
	major, err := strconv.Atoi(a)
	if err != nil || major <= 0 {
		return 0, 0, false
	}
	minor, err = strconv.Atoi(digits(rest))
	return major, minor, err == nil
}

// join joins the non-empty words.
func join(words ...string) string {
	var out []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}
