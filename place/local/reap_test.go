package local

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"assay/internal/procmark"
)

// A killed process with much memory closes its files a while later, when its
// environment is already gone: Reap returns once they are closed, whoever killed it.
func TestReapWaitsForFilesToBeClosed(t *testing.T) {
	for name, kill := range map[string]bool{"killed by Reap": false, "killed before": true} {
		mark := "test-" + t.Name()
		cmd := exec.Command("dd", "if=/dev/zero", "of=/dev/null", "bs=768M")
		cmd.Env = append(os.Environ(), procmark.Name+"="+mark)
		if err := cmd.Start(); err != nil {
			t.Skipf("needs dd: %v", err)
		}
		pid := cmd.Process.Pid
		own, _, _ := readProcess(statFile(pid))
		for deadline := time.Now().Add(30 * time.Second); resident(t, pid) < 512<<20 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if kill {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Error(err)
			}
		}
		_, err := reap(context.Background(), mark, time.Minute) // freeing the memory takes long on a busy machine
		if !own.gone() || err != nil {
			t.Errorf("%s: Reap returned while it was ending: %v", name, err)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// resident returns a process's memory in bytes.
func resident(t *testing.T, pid int) int64 {
	t.Helper()
	words := readStat(statFile(pid))
	if words == nil {
		t.Fatal("dd has ended")
	}
	pages, err := strconv.ParseInt(words[21], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
