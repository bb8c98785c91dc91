package local

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"assay/internal/procmark"
)

// reapTime is how long killed processes may take to disappear: one that waits
// for a slow device ends only when the device answers.
const reapTime = 5 * time.Second

// Reap kills every process on this machine that a place with that mark started, and
// returns how many there were. It cleans up after a killed assay: children of its
// commands that no signal reached. It searches until none is left: a process may fork
// meanwhile, and keeps its files open until it is gone, so removing them frees
// nothing. An exiting process has lost its environment but not yet its files, so Reap
// waits for every exiting process, 5 seconds at most in all.
func (p *Place) Reap(ctx context.Context, mark string) (int, error) {
	return reap(ctx, mark, reapTime)
}

func reap(ctx context.Context, mark string, within time.Duration) (int, error) {
	if mark == "" {
		return 0, nil
	}
	if err := procmark.Check(mark); err != nil {
		return 0, err
	}
	killed, ending := map[int]bool{}, ending()
	for deadline := time.Now().Add(within); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		found, err := marked(mark)
		ending = slices.DeleteFunc(ending, process.gone)
		if err != nil || len(found)+len(ending) == 0 {
			return len(killed), err
		}
		for _, pid := range found {
			one, _, alive := readProcess(statFile(pid))
			if alive && syscall.Kill(pid, syscall.SIGKILL) == nil && !killed[pid] {
				killed[pid] = true
				ending = append(ending, one)
			}
		}
	}
	return len(killed), ctx.Err()
}

// marked returns the processes that a place with that mark started, except this
// one.
func marked(mark string) ([]int, error) {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil, err
	}
	want := []byte(procmark.Name + "=" + mark)
	var found []int
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil || pid == os.Getpid() {
			continue
		}
		// Unreadable: another user's process, so not ours.
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil {
			continue
		}
		if slices.ContainsFunc(bytes.Split(env, []byte{0}), func(word []byte) bool { return bytes.Equal(word, want) }) {
			found = append(found, pid)
		}
	}
	return found, nil
}
