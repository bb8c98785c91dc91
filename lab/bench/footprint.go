package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// ownEvery is how often a process's peak, which the kernel keeps, is read:
	// only what follows the last reading is missed.
	ownEvery = 20 * time.Millisecond
	// childrenEvery is how often all processes of the machine are searched for
	// its descendants. It costs CPU time that the hosts need too.
	childrenEvery = 500 * time.Millisecond
)

// footprint is the peak memory of a process and its descendants, in bytes.
type footprint struct {
	own      int64 // peak resident set
	children int   // descendants at once
	rss, pss int64 // of all descendants together: resident set, proportional set
}

// watch measures a process until it ends.
//
// The kernel's own ru_maxrss does not help: it starts from that of the process that
// started this one, because execve(2) keeps it. VmHWM is the program's alone.
func (f *footprint) watch(ctx context.Context, pid int) {
	self, err := os.OpenRoot(filepath.Join("/proc", strconv.Itoa(pid))) // never another process of that id
	if err != nil {
		return
	}
	defer self.Close()
	own, children := time.NewTicker(ownEvery), time.NewTicker(childrenEvery)
	defer own.Stop()
	defer children.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-own.C:
			if b, err := self.ReadFile("status"); err == nil {
				f.own = max(f.own, kilobytes(b, "VmHWM:"))
			}
		case <-children.C:
			*f = f.or(familyOf(pid))
		}
	}
}

// or returns the greater of each field.
func (f footprint) or(g footprint) footprint {
	return footprint{max(f.own, g.own), max(f.children, g.children), max(f.rss, g.rss), max(f.pss, g.pss)}
}

// familyOf adds up the descendants of a process, except those that end meanwhile.
func familyOf(pid int) footprint {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return footprint{}
	}
	parents := map[int]int{}
	for _, file := range stats {
		if b, err := os.ReadFile(file); err == nil {
			if child, parent, err := readStat(string(b)); err == nil {
				parents[child] = parent
			}
		}
	}
	var f footprint
	for child := range parents {
		if !descends(parents, child, pid) {
			continue
		}
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", child))
		if err != nil {
			continue
		}
		f.children++
		f.rss += kilobytes(b, "Rss:")
		f.pss += kilobytes(b, "Pss:")
	}
	return f
}

// descends reports whether child descends from pid, through any number of
// others.
func descends(parents map[int]int, child, pid int) bool {
	for range len(parents) { // processes come and go while they are listed: there may be a cycle
		parent, known := parents[child]
		if !known {
			return false
		}
		if parent == pid {
			return true
		}
		child = parent
	}
	return false
}

// readStat parses a process ID and its parent's from /proc/PID/stat, in which
// the name is in parentheses and may contain any (proc(5)).
func readStat(text string) (pid, parent int, err error) {
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return 0, 0, fmt.Errorf("%q is no line of a process", text)
	}
	rest := strings.Fields(text[end+1:])
	if len(rest) < 2 {
		return 0, 0, fmt.Errorf("%q is no line of a process", text)
	}
	if pid, err = strconv.Atoi(strings.TrimSpace(text[:open])); err != nil {
		return 0, 0, err
	}
	parent, err = strconv.Atoi(rest[1])
	return pid, parent, err
}

// kilobytes parses a /proc line such as "VmHWM:   1234 kB" into bytes; 0 if
// there is none.
func kilobytes(b []byte, key string) int64 {
	for line := range strings.Lines(string(b)) {
		words := strings.Fields(line)
		if len(words) == 3 && words[0] == key && words[2] == "kB" {
			n, _ := strconv.ParseInt(words[1], 10, 64)
			return n << 10
		}
	}
	return 0
}
