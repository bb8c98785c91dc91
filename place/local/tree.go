package local

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// process identifies a process of this machine: its start time tells it from a
// later one of the same id.
type process struct {
	pid     int
	started string // in clock ticks since boot
}

// descendants returns all processes below pid, whatever their group or session: fio
// gives each of its jobs its own session.
func descendants(pid int) []process {
	children := map[int][]process{}
	for _, file := range statFiles() {
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

// Process flags (linux/sched.h).
const (
	isEnding       = 0x4
	isKernelThread = 0x200000
)

// ending returns the processes of this machine that are exiting: they lose their
// memory first, and their environment with it, and their files after that.
func ending() []process {
	var found []process
	for _, file := range statFiles() {
		words := readStat(file)
		if words == nil {
			continue
		}
		flags, err := strconv.ParseUint(words[6], 10, 64)
		if one, _, ok := readProcess(file); ok && err == nil && flags&isEnding != 0 && flags&isKernelThread == 0 {
			found = append(found, one)
		}
	}
	return found
}

func statFiles() []string {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // a valid pattern
	return files
}

func statFile(pid int) string { return filepath.Join("/proc", strconv.Itoa(pid), "stat") }

// readProcess reads a process and its parent from its stat file; ok is false if it
// has ended.
func readProcess(file string) (p process, parent int, ok bool) {
	words := readStat(file)
	if words == nil {
		return p, 0, false
	}
	p.started = words[19]
	p.pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(file)))
	parent, err := strconv.Atoi(words[1])
	return p, parent, err == nil
}

// readStat reads the fields after the name, which is in parentheses and may contain
// anything: the state, the parent, the flags as the 7th, the start time as the 20th.
// It returns nil if the process has ended.
func readStat(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	words := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(words) < 20 || words[0] == "Z" {
		return nil
	}
	return words
}

// gone reports whether the process has ended and closed its files.
func (p process) gone() bool {
	now, _, ok := readProcess(statFile(p.pid))
	return !ok || now != p
}

// kill kills the process, if it is still there.
func (p process) kill() {
	if !p.gone() {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
}
