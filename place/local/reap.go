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

// reapTime is how long what was killed may take to be gone: one that waits for a
// slow device ends when that answers.
const reapTime = 5 * time.Second

// Reap kills every process on this machine that was started by a place with
// that mark and says how many there were. It is for what a killed assay left:
// the children of its commands, which no signal reached. It looks until none is
// there: one may fork meanwhile, and until it is gone it keeps what it has open,
// so that removing that frees nothing. A process that is ending has no environment any
// more but still its files, so whatever is ending is waited for.
func (p *Place) Reap(ctx context.Context, mark string) (int, error) {
	if mark == "" {
		return 0, nil
	}
	if err := procmark.Check(mark); err != nil {
		return 0, err
	}
	killed, ending := map[int]bool{}, ending()
	for deadline := time.Now().Add(reapTime); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
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

// marked are the processes that a place with that mark started, but this one.
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
		// Unreadable: it is another user's, and so none of ours.
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
