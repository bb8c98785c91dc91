package run

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"assay/store"
)

// Self is this process as the owner of a run: a process id alone is reused.
func Self(runID string) store.Owner {
	pid := os.Getpid()
	start, _ := startTime(pid)
	return store.Owner{PID: pid, Start: start, Boot: bootID(), Run: runID}
}

// Alive says whether the owner's process still runs on this machine.
func Alive(o store.Owner) bool {
	if o.Boot != bootID() {
		return false
	}
	start, err := startTime(o.PID)
	return err == nil && start == o.Start
}

func bootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// startTime is field 22 of /proc/PID/stat: clock ticks since boot. The name in
// field 2 stands in brackets and may hold blanks. A zombie has ended.
func startTime(pid int) (string, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	words := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(words) < 20 || words[0] == "Z" {
		return "", fmt.Errorf("process %d has ended", pid)
	}
	return words[19], nil
}
