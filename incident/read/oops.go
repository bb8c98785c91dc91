package read

import (
	"strings"

	"assay/incident"
)

// oopsSignatures match parts of the kernel that find themselves in a state they consider
// impossible.
var oopsSignatures = []signature{
	{has: "ASSERTION ", kind: incident.KernelBug, device: module("drbd"), and: "FAILED in ", or: []string{"drbd"}},
	{has: "ASSERT( ", kind: incident.KernelBug, device: module("drbd"), or: []string{"drbd"}},
	{has: "kernel BUG at fs/", kind: incident.KernelBug, device: sourceDirectory("kernel BUG at fs/")},
	{has: "kernel BUG at drivers/md/", kind: incident.KernelBug, device: module("md_mod")},
	{has: "kernel BUG at drivers/block/drbd/", kind: incident.KernelBug, device: module("drbd")},
	{has: "Kernel panic - not syncing: ", kind: incident.KernelPanic, device: nothing, or: []string{"Fatal exception", "Attempted to kill the idle task", "corrupted stack end", "stack-protector"}},
	{has: "Fatal exception in interrupt", kind: incident.KernelPanic, device: nothing},
	{has: "KERNEL PANIC! Please reboot your computer", kind: incident.KernelPanic, device: nothing}, // drm_panic
	{has: "kernel BUG at net/ceph/", kind: incident.KernelBug, device: module("libceph")},
}

// module returns a function that always returns name.
func module(name string) func(string) string { return func(string) string { return name } }

// sourceDirectory returns a function for the directory of a source file below
// another: btrfs in "kernel BUG at fs/btrfs/ctree.c:123!"
func sourceDirectory(below string) func(string) string {
	return func(text string) string {
		_, path, _ := strings.Cut(text, below)
		name, _, is := strings.Cut(path, "/")
		if !is || len(name) > 32 {
			return ""
		}
		return name
	}
}

// oopsLines is the number of lines within which a kernel report gives its
// location.
const oopsLines = 20

// oopsBegins notes the first line of such a report. Mere warnings begin differently.
func (r *Reader) oopsBegins(_ string, n int) { r.oops = n }

// oopsAt parses "RIP: 0010:txg_sync_thread+0x2c/0x30 [zfs]", which names the module that
// the kernel was in.
func (r *Reader) oopsAt(text string, n int) {
	if r.oops == 0 || n-r.oops > oopsLines {
		return
	}
	_, rest, _ := strings.Cut(text, "+0x")
	_, in, is := strings.Cut(rest, " [")
	name, _, closed := strings.Cut(in, "]")
	name, _, _ = strings.Cut(name, "(") // its taints
	if !is || !closed || name == "" || len(name) > 32 || strings.ContainsAny(name, " :") {
		return
	}
	r.event(incident.KernelBug, name, 0, r.line, n)
	r.oops = 0
}
