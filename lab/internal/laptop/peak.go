package laptop

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// peakUntil returns the peak memory of a process in bytes, as last seen before over is
// closed. The rusage of a process that has ended is no measure: on Linux it begins with
// the peak of the process that started it.
func peakUntil(over <-chan struct{}, pid int) int64 {
	var peak int64
	for {
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			peak = max(peak, highWater(text))
		}
		select {
		case <-over:
			return peak
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// highWater returns the VmHWM of a /proc/PID/status in bytes, or 0: a zombie has none.
func highWater(status []byte) int64 {
	_, rest, _ := bytes.Cut(status, []byte("\nVmHWM:"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	kib, _ := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(line, []byte("kB")))), 10, 64)
	return kib << 10
}
