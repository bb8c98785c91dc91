package local

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// process is one of this machine, told from a later one of the same id by when it
// started.
type process struct {
	pid     int
	started string // in clock ticks since boot
}

// descendants are the processes that pid started, and theirs, whatever their group or
// session: fio gives each of its jobs a session of its own.
func descendants(pid int) []process {
	children := map[int][]process{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is good
	for _, file := range files {
		if one, parent, ok := readProcess(file); ok {
			children[parent] = append(children[parent], one)
		}
	}
	all := children[pid]
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i].pid]...)
	}
	return all
}

// readProcess reads a process and its parent from its stat file; ok is false where it
// has ended.
func readProcess(file string) (p process, parent int, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return p, 0, false
	}
	// The name in parentheses may hold anything. State is the first word after it,
	// the parent the second, the time of the start the 20th.
	words := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(words) < 20 || words[0] == "Z" {
		return p, 0, false
	}
	p.started = words[19]
	p.pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(file)))
	parent, err = strconv.Atoi(words[1])
	return p, parent, err == nil
}

// kill ends the process, if it is still there.
func (p process) kill() {
	if now, _, ok := readProcess(filepath.Join("/proc", strconv.Itoa(p.pid), "stat")); ok && now == p {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
}
