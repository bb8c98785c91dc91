package read

import "assay/incident"

// noMemorySignatures match compilers, runtimes and databases that got no more memory or had
// processes killed by the kernel, and container managers' messages about them.
var noMemorySignatures = []signature{
	{has: "Killed signal terminated program", kind: incident.AppNoMemory, device: nothing},
	{has: "nternal compiler error: Killed", kind: incident.AppNoMemory, device: nothing},
	{has: "insufficient memory for the Java Runtime Environment", kind: incident.AppNoMemory, device: nothing},
	{has: "Native memory allocation (", kind: incident.AppNoMemory, device: nothing, and: "failed"},
	{has: "memory allocation of ", kind: incident.AppNoMemory, device: nothing, and: " bytes failed"}, // Rust
	{has: "llowed memory size of ", kind: incident.AppNoMemory, device: nothing, and: "exhausted"},    // PHP
	{has: "annot allocate memory for the buffer pool", kind: incident.AppNoMemory, device: nothing},
	{has: "MemoryError", kind: incident.AppNoMemory, device: nothing, or: []string{"numpy", "MemoryError: Unable to allocate", "MemoryError: "}},
	{has: "Failed on request of size ", kind: incident.AppNoMemory, device: nothing}, // PostgreSQL
	{has: "TaskOOM", kind: incident.OOMCgroup, device: nothing},
	{has: "was OOM killed", kind: incident.OOMCgroup, device: nothing},
	{has: "oom-killed", kind: incident.OOMCgroup, device: nothing},
	{has: "oom-kill event(s)", kind: incident.OOMCgroup, device: nothing},        // Slurm
	{has: "Out of memory (Needed ", kind: incident.AppNoMemory, device: nothing}, // MySQL
	{has: "os::commit_memory(", kind: incident.AppNoMemory, device: nothing, and: "errno=12"},
}
