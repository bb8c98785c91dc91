package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestExecute(t *testing.T) {
	out, err := execute(t.Context(), []string{"sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo $i; exit 3"}, 3)
	if err != nil || string(out.stdout) != "100000\n" || out.cpu <= 0 {
		t.Errorf("%q, %v s, %v", out.stdout, out.cpu, err)
	}
	if _, err := execute(t.Context(), []string{"sh", "-c", "echo why >&2; exit 3"}, 5); err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("exit 3 gave %v", err)
	}
}

func TestExecuteEndsTheChildrenToo(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := execute(ctx, []string{"sh", "-c", `sleep 600 & echo $! >"$1.new"; mv "$1.new" "$1"; wait`, "sh", pidFile})
		done <- err
	}()
	pid := 0
	for pid == 0 && t.Context().Err() == nil {
		b, _ := os.ReadFile(pidFile)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(b)))
	}
	cancel(stopped)
	select {
	case err := <-done:
		if !errors.Is(err, stopped) {
			t.Errorf("gave %v", err)
		}
	case <-time.After(10 * time.Minute):
		t.Fatal("was not ended")
	}
	late := time.After(10 * time.Minute)
	for ended := false; !ended; {
		select {
		case <-late:
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d was left", pid)
		default:
			ended = over(pid)
		}
	}
}

// over reports whether a process is gone, or a zombie waiting to be reaped.
func over(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func TestCPUTimeGrowsWithItsChildren(t *testing.T) {
	before := cpuTime()
	out, err := execute(t.Context(), []string{"sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"})
	if err != nil {
		t.Fatal(err)
	}
	if grown := cpuTime() - before; grown < out.cpu {
		t.Errorf("%v s after a child that took %v s", grown, out.cpu)
	}
}
