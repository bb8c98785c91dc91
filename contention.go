package assay

// What a host's kernel counts of those that have to wait: for a CPU, the drive or
// memory, for the next period of a quota, for pages to come back from swap.

// Pressure is /proc/pressure (PSI): for how long, since boot, some tasks waited for
// a resource, and for how long all that had anything to do did. In seconds. The
// kernel defines no full for the CPU of a whole machine.
type Pressure struct {
	CPU        float64  `json:"cpu"`
	IO         float64  `json:"io"`
	IOFull     *float64 `json:"io_full,omitempty"` // nil in a Tick
	Memory     float64  `json:"memory"`
	MemoryFull *float64 `json:"memory_full,omitempty"`
}

// QuotaCounts is what cpu.stat says of the CPU quotas of the control group that the
// commands run in, and of all groups above it.
type QuotaCounts struct {
	Periods   int64   `json:"periods"`   // in which the group had something to run
	Throttled int64   `json:"throttled"` // of these, in which it used up its quota
	Time      float64 `json:"time"`      // s that it was kept waiting for the next, on all CPUs together
}

// LimitCounts is memory.events.local of the control group that the commands run in,
// and of all groups above it.
type LimitCounts struct {
	High     int64 `json:"high"` // times that memory.high throttled it
	Max      int64 `json:"max"`  // times that it came to memory.max
	OOMKills int64 `json:"oom_kills"`
}

// SwapCounts is what moved between RAM and swap, in bytes.
type SwapCounts struct {
	In  int64 `json:"in"`
	Out int64 `json:"out"`
}

// ARCCounts is what the cache of ZFS counted, of all its pools, in blocks of data.
type ARCCounts struct {
	Reads int64 `json:"reads"` // that somebody waited for
	Drive int64 `json:"drive"` // that came from drives, read ahead or not
}

// NICCounts is what passed through one network interface.
type NICCounts struct {
	RxBytes   int64 `json:"rx_bytes"`
	RxPackets int64 `json:"rx_packets"`
	RxErrors  int64 `json:"rx_errors"`
	RxDrops   int64 `json:"rx_drops"`
	TxBytes   int64 `json:"tx_bytes"`
	TxPackets int64 `json:"tx_packets"`
	TxErrors  int64 `json:"tx_errors"`
	TxDrops   int64 `json:"tx_drops"`
	// CarrierChanges is how often its link went up or down since boot; 0 where the kernel
	// does not count it, or did not when the run was stored.
	CarrierChanges int64 `json:"carrier_changes,omitempty"`
}

// ProcessTime is the CPU time of the processes of one name.
type ProcessTime struct {
	Name string  `json:"name"` // as the kernel has it, cut off after 15 bytes
	CPU  float64 `json:"cpu"`  // s, user and system
}
