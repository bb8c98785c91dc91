package laptop

import (
	"os/exec"
	"runtime"
	"testing"
)

// What the test itself holds is not what a program that it starts holds.
func TestPeakIsTheProgramsOwn(t *testing.T) {
	const held = 256 << 20
	mine := make([]byte, held)
	for i := 0; i < len(mine); i += 4096 {
		mine[i] = 1
	}
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	close(over)
	peak := peakUntil(over, cmd.Process.Pid)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	runtime.KeepAlive(mine)
	if peak <= 0 || peak >= held/2 {
		t.Errorf("sleep held %d MiB", peak>>20)
	}
}

func TestHighWater(t *testing.T) {
	for text, want := range map[string]int64{
		"Name:\tassay\nVmPeak:\t 1260 kB\nVmHWM:\t   52340 kB\nVmRSS:\t 100 kB\n": 52340 << 10,
		"Name:\tassay\nState:\tZ (zombie)\n":                                      0,
		"":                                                                        0,
	} {
		if got := highWater([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
