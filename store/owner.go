package store

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Owner is the process that stands behind a claim or a receipt. A process id
// alone is used again by the kernel; with the start time and the boot it is
// unique on a machine.
type Owner struct {
	PID   int    `json:"pid"`
	Start string `json:"start"` // clock ticks between boot and start, /proc/PID/stat field 22
	Boot  string `json:"boot"`  // /proc/sys/kernel/random/boot_id
	Run   string `json:"run"`   // the run's id
}

// Self is this process as the owner of what a run holds.
func Self(run string) (Owner, error) {
	o := Owner{PID: os.Getpid(), Run: run}
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return o, fmt.Errorf("cannot tell this process from later ones: %w", err)
	}
	if _, o.Start, err = parseStat(stat); err != nil {
		return o, fmt.Errorf("/proc/self/stat: %w", err)
	}
	if o.Boot, err = bootID(); err != nil {
		return o, fmt.Errorf("cannot tell this boot from later ones: %w", err)
	}
	return o, nil
}

// Alive says whether the owner's process still runs on this machine. It errs
// on the side of life where the kernel does not say.
func Alive(o Owner) bool {
	boot, err := bootID()
	if err != nil {
		return true
	}
	if boot != o.Boot {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(o.PID) + "/stat")
	if err != nil {
		return false
	}
	state, start, err := parseStat(stat)
	if err != nil {
		return true
	}
	dead := state == "Z" || state == "X" // ended, and only not yet waited for
	return start == o.Start && !dead
}

func bootID() (string, error) {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(b)), err
}

// parseStat reads /proc/PID/stat, see proc_pid_stat(5). The second field is the
// program's name in parentheses, which may hold spaces and parentheses itself.
func parseStat(stat []byte) (state, start string, err error) {
	const fieldAfterName, fieldStart = 3, 22
	end := bytes.LastIndexByte(stat, ')')
	if end < 0 {
		return "", "", fmt.Errorf("no program name in %.40q", stat)
	}
	fields := strings.Fields(string(stat[end+1:]))
	if len(fields) <= fieldStart-fieldAfterName {
		return "", "", fmt.Errorf("no start time in %.40q", stat)
	}
	return fields[0], fields[fieldStart-fieldAfterName], nil
}
