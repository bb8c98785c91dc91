package local

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

const markName = "ASSAY_MARK"

// Reap kills every process on this machine that was started by a place with
// that mark and says how many there were. It is for what a killed assay left:
// the children of its commands, which no signal reached.
func (p *Place) Reap(_ context.Context, mark string) (int, error) {
	if mark == "" {
		return 0, nil
	}
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, err
	}
	want := []byte(markName + "=" + mark)
	killed := 0
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
		for _, word := range bytes.Split(env, []byte{0}) {
			if bytes.Equal(word, want) && syscall.Kill(pid, syscall.SIGKILL) == nil {
				killed++
				break
			}
		}
	}
	return killed, nil
}
