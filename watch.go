package assay

// Watch is what the host's kernel counted during one repeat. The tool's own figures
// are checked against it.
type Watch struct {
	Before Snapshot `json:"before"`
	After  Snapshot `json:"after"`
	Ticks  []Tick   `json:"ticks,omitempty"` // about one a second, all through the repeat
	// ToolCPU is the CPU time of the measuring commands themselves, in seconds;
	// negative if unknown.
	ToolCPU float64 `json:"tool_cpu"`
	// Busiest are the processes that used the most CPU time meanwhile, by name, busiest
	// first, among those that existed before or remained: the tool's own are not.
	Busiest []ProcessTime `json:"busiest,omitempty"`
}

// Snapshot is the kernel's counters at one moment.
type Snapshot struct {
	Uptime float64 `json:"uptime"` // s, monotonic
	Clock  float64 `json:"clock"`  // s since 1970, the wall clock
	// Asked and Answered bracket the time at which the host was sampled, by a clock of the
	// asking machine that nobody sets: s since 1970, 0 if the run didn't store it.
	Asked    float64 `json:"asked,omitempty"`
	Answered float64 `json:"answered,omitempty"`
	CPU      CPUTime `json:"cpu"` // all CPUs together
	// Kernel is the CPU time of kernel threads, in seconds; negative if unknown.
	Kernel  float64                 `json:"kernel"`
	Devices map[string]DeviceCounts `json:"devices,omitempty"` // by kernel name: nvme0n1, sda1, dm-0
	// Throttles is the number of thermal throttling events since boot, counted once
	// per core and package; negative if the kernel does not count them.
	Throttles int64 `json:"throttles"`
	// What follows is nil where the kernel does not count it, or did not when the
	// run was stored.
	Pressure *Pressure    `json:"pressure,omitempty"`
	Quota    *QuotaCounts `json:"quota,omitempty"`
	Limits   *LimitCounts `json:"limits,omitempty"`
	Swap     *SwapCounts  `json:"swap,omitempty"`
	ARC      *ARCCounts   `json:"arc,omitempty"`
	// NICs are the interfaces that carried any traffic during the repeat.
	NICs        map[string]NICCounts `json:"nics,omitempty"`
	Retransmits *int64               `json:"retransmits,omitempty"` // TCP segments, of the whole host
	Runnable    int                  `json:"runnable,omitempty"`    // tasks that run or wait for a CPU, the one that looks among them; 0 unknown
}

// CPUTime is /proc/stat's first line, in seconds.
type CPUTime struct {
	User    float64 `json:"user"`
	Nice    float64 `json:"nice"`
	System  float64 `json:"system"`
	Idle    float64 `json:"idle"`
	IOWait  float64 `json:"iowait"`
	IRQ     float64 `json:"irq"`
	SoftIRQ float64 `json:"softirq"`
	Steal   float64 `json:"steal"`
}

// Total returns the sum of all times.
func (c CPUTime) Total() float64 {
	return c.User + c.Nice + c.System + c.Idle + c.IOWait + c.IRQ + c.SoftIRQ + c.Steal
}

// DeviceCounts is /sys/class/block/NAME/stat, completed I/Os and bytes.
type DeviceCounts struct {
	Reads      int64 `json:"reads"`
	ReadBytes  int64 `json:"read_bytes"` // sectors x 512
	Writes     int64 `json:"writes"`
	WriteBytes int64 `json:"write_bytes"`
	Flushes    int64 `json:"flushes"`
	// FlushTime is the total time of its flushes, in seconds; 0 if the kernel counts none.
	FlushTime float64 `json:"flush_time,omitempty"`
	// Busy is how long it had an operation in flight, in seconds. For a drive that
	// works on many at once, only a small value says much.
	Busy float64 `json:"busy,omitempty"`
}

// Tick is one sample of the counters during a repeat.
type Tick struct {
	At       float64                 `json:"t"` // s since Before
	CPU      CPUTime                 `json:"cpu"`
	Devices  map[string]DeviceCounts `json:"devices,omitempty"`
	Temps    map[string]float64      `json:"temps,omitempty"` // °C by sensor key, as in Facts.Sensors
	Clock    float64                 `json:"clock,omitempty"` // mean CPU clock in Hz, 0 unknown
	Pressure *Pressure               `json:"pressure,omitempty"`
	Runnable int                     `json:"runnable,omitempty"` // as in Snapshot
}

// Device returns what one device read and wrote during the repeat; ok is false if the
// device is missing from either snapshot.
func (w *Watch) Device(name string) (d DeviceCounts, ok bool) {
	if w == nil {
		return d, false
	}
	a, okA := w.Before.Devices[name]
	b, okB := w.After.Devices[name]
	if !okA || !okB {
		return d, false
	}
	return DeviceCounts{
		Reads: b.Reads - a.Reads, ReadBytes: b.ReadBytes - a.ReadBytes,
		Writes: b.Writes - a.Writes, WriteBytes: b.WriteBytes - a.WriteBytes,
		Flushes: b.Flushes - a.Flushes, FlushTime: b.FlushTime - a.FlushTime, Busy: b.Busy - a.Busy,
	}, true
}
