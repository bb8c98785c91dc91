package assay

// Watch is what the host's own kernel counted around one repeat: the tool's
// claim is held against it.
type Watch struct {
	Before Snapshot `json:"before"`
	After  Snapshot `json:"after"`
	Ticks  []Tick   `json:"ticks,omitempty"` // about one a second, all through the repeat
	// ToolCPU is the CPU time of the measuring commands themselves, in seconds;
	// negative where the place could not tell.
	ToolCPU float64 `json:"tool_cpu"`
}

// Snapshot is the kernel's counters at one moment.
type Snapshot struct {
	Uptime float64 `json:"uptime"` // s, monotonic
	Clock  float64 `json:"clock"`  // s since 1970, the wall clock
	CPU    CPUTime `json:"cpu"`    // all CPUs together
	// Kernel is the CPU time of kernel threads, in seconds; negative if unknown.
	Kernel  float64                 `json:"kernel"`
	Devices map[string]DeviceCounts `json:"devices,omitempty"` // by kernel name: nvme0n1, sda1, dm-0
	// Throttles counts the thermal throttling events since boot, of each core and
	// each package once;
	// negative where the kernel does not count them.
	Throttles int64 `json:"throttles"`
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

// Total is all the time there was.
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
}

// Tick is one look during a repeat.
type Tick struct {
	At      float64                 `json:"t"` // s since Before
	CPU     CPUTime                 `json:"cpu"`
	Devices map[string]DeviceCounts `json:"devices,omitempty"`
	Temps   map[string]float64      `json:"temps,omitempty"` // °C by sensor key, as in Facts.Sensors
	Clock   float64                 `json:"clock,omitempty"` // mean CPU clock in Hz, 0 unknown
}

// Device gives what one device read and wrote over the repeat; ok is false where the
// device was not seen both times.
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
		Flushes: b.Flushes - a.Flushes,
	}, true
}
