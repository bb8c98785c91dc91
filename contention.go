package assay

// Kernel counters of a host for what has to wait: for a CPU, the drive or memory,
// for a quota's next period, for pages to be swapped in.

// Pressure is /proc/pressure (PSI): how long, since boot, some tasks waited for a
// resource, and how long all non-idle tasks did. In seconds. The kernel defines no
// full value for the CPU of a whole machine.
type Pressure struct {
	CPU        float64  `json:"cpu"`
	IO         float64  `json:"io"`
	IOFull     *float64 `json:"io_full,omitempty"` // nil in a Tick
	Memory     float64  `json:"memory"`
	MemoryFull *float64 `json:"memory_full,omitempty"`
}

// QuotaCounts is the CPU quota data in cpu.stat of the control group that commands
// run in, and of all groups above it.
type QuotaCounts struct {
	Periods   int64   `json:"periods"`   // in which the group had something to run
	Throttled int64   `json:"throttled"` // of these, in which it used up its quota
	Time      float64 `json:"time"`      // s that it was kept waiting for the next, on all CPUs together
}

// LimitCounts is memory.events.local of the control group that commands run in, and
// of all groups above it.
type LimitCounts struct {
	High     int64 `json:"high"` // times that memory.high throttled it
	Max      int64 `json:"max"`  // times that it came to memory.max
	OOMKills int64 `json:"oom_kills"`
}

// SwapCounts is the bytes moved between RAM and swap.
type SwapCounts struct {
	In  int64 `json:"in"`
	Out int64 `json:"out"`
}

// ARCCounts is the counters of the ZFS cache, over all pools, in blocks of data.
type ARCCounts struct {
	Reads int64 `json:"reads"` // that somebody waited for
	Drive int64 `json:"drive"` // that came from drives, read ahead or not
}

// NICCounts is the traffic of one network interface.
type NICCounts struct {
	RxBytes   int64 `json:"rx_bytes"`
	RxPackets int64 `json:"rx_packets"`
	RxErrors  int64 `json:"rx_errors"`
	RxDrops   int64 `json:"rx_drops"`
	TxBytes   int64 `json:"tx_bytes"`
	TxPackets int64 `json:"tx_packets"`
	TxErrors  int64 `json:"tx_errors"`
	TxDrops   int64 `json:"tx_drops"`
	// CarrierChanges is how often the link went up or down since boot; 0 if the kernel
	// does not count it, or the run was stored without it.
	CarrierChanges int64 `json:"carrier_changes,omitempty"`
}

// ProcessTime is the CPU time of all processes with one name.
type ProcessTime struct {
	Name string  `json:"name"` // as the kernel has it, cut off after 15 bytes
	CPU  float64 `json:"cpu"`  // s, user and system
}
