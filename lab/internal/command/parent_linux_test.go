package command_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/lab/internal/command"
	"assay/lab/internal/processtest"
	"assay/lab/internal/wait"
)

// TestWhatAKilledProgramRanEnds kills a program while it waits for another.
func TestWhatAKilledProgramRanEnds(t *testing.T) {
	const asked = "COMMAND_TEST_FILE"
	if file := os.Getenv(asked); file != "" {
		_, err := command.Output(t.Context(), "", "sh", "-c", `echo $$ >"$1.new" && mv "$1.new" "$1" && exec sleep 1000`, "sh", file)
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	file := filepath.Join(t.TempDir(), "pid")
	c := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestWhatAKilledProgramRanEnds$")
	c.Env = append(os.Environ(), asked+"="+file)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if last, err := wait.Until(ctx, 10*time.Millisecond, func() error {
		b, err := os.ReadFile(file)
		if err == nil {
			pid, err = strconv.Atoi(strings.TrimSpace(string(b)))
		}
		return err
	}); err != nil {
		t.Fatal(last)
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	if last, err := wait.Until(ctx, 10*time.Millisecond, func() error {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // empty if dead
		if err == nil && len(b) > 0 {
			return fmt.Errorf("process %d is left", pid)
		}
		return nil
	}); err != nil {
		t.Error(last)
	}
}

// TestWhatAWholeProgramStartedEnds checks that a child that left its group and lost its
// parent ends with the first process.
func TestWhatAWholeProgramStartedEnds(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	given, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer given.Close()
	marker := fmt.Sprintf("1%d", time.Now().UnixNano())
	p, err := command.StartWhole(log, []*os.File{given}, "sh", "-c", `(setsid sleep "$1" &); readlink /dev/fd/3; exec sleep "$1"`, "sh", marker)
	if errors.Is(err, os.ErrPermission) {
		t.Skip(err) // not everybody may use namespaces
	}
	if err != nil {
		t.Fatal(err)
	}
	asleep := func() int { return strings.Count(processtest.Arguments(t), "sleep\x00"+marker) }
	if last, err := wait.Until(t.Context(), 10*time.Millisecond, func() error {
		if n := asleep(); n != 2 {
			return fmt.Errorf("%d processes sleep", n)
		}
		return nil
	}); err != nil {
		t.Fatal(last)
	}
	p.Kill()
	if n := asleep(); n != 0 {
		t.Errorf("%d processes are left", n)
	}
	if b, err := os.ReadFile(log); err != nil || strings.TrimSpace(string(b)) != os.DevNull {
		t.Errorf("its third file is %q, %v", b, err)
	}
}
