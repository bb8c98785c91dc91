package laptop

import (
	"os"
	"path/filepath"
	"strings"
)

// Process is a process of this machine, including those inside hosts and pods.
type Process string // /proc/PID

// Processes returns the processes that exist now.
func Processes() []Process {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	all := make([]Process, len(dirs))
	for i, d := range dirs {
		all[i] = Process(d)
	}
	return all
}

// Environ returns the environment that it was started with, each entry followed by
// a zero byte.
func (p Process) Environ() []byte {
	b, _ := os.ReadFile(string(p) + "/environ")
	return b
}

// Argv returns its command line, or nil if it is dead.
func (p Process) Argv() []string {
	b, _ := os.ReadFile(string(p) + "/cmdline")
	if len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}

// Line returns its command line as one string.
func (p Process) Line() string { return strings.Join(p.Argv(), " ") }
