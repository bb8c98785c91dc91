package laptop

import (
	"os"
	"path/filepath"
	"strings"
)

// Process is one of this machine's, those inside of hosts and pods among them.
type Process string // /proc/PID

// Processes are those that there are now.
func Processes() []Process {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	all := make([]Process, len(dirs))
	for i, d := range dirs {
		all[i] = Process(d)
	}
	return all
}

// Environ is the environment that it was started with, each entry with a zero byte
// behind it.
func (p Process) Environ() []byte {
	b, _ := os.ReadFile(string(p) + "/environ")
	return b
}

// Argv is its command line; nil where it is dead.
func (p Process) Argv() []string {
	b, _ := os.ReadFile(string(p) + "/cmdline")
	if len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}

// Line is its command line as one text.
func (p Process) Line() string { return strings.Join(p.Argv(), " ") }
