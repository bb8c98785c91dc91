package drain_test

import (
	"bytes"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/place/drain"
)

// late is a writer that a busy machine gives no time until well after the
// command has ended.
type late struct {
	bytes.Buffer
	ended func() bool
	delay time.Duration
}

func (l *late) Write(b []byte) (int, error) {
	if l.Len() == 0 {
		for !l.ended() {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(l.delay) // the fault under test; the test holds however long it lasts
	}
	return l.Buffer.Write(b)
}

func TestAllOfItIsRead(t *testing.T) {
	t.Parallel()
	const patience = 10 * time.Millisecond
	// Its last words are in the pipe when patience has passed; the background process keeps
	// the pipe open, so that there is no end of it.
	cmd := exec.Command("sh", "-c", `sleep 100 & printf first; i=0; while [ $i -lt 300 ]; do echo "line $i"; i=$((i+1)); done; printf last`)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	ended := func() bool { return syscall.Kill(cmd.Process.Pid, 0) == syscall.ESRCH }
	stdout, stderr := &late{ended: ended, delay: 5 * patience}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	wait, err := drain.Start(cmd, patience)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }()
	if err := wait(); err != nil {
		t.Error(err)
	}
	if got := stdout.String(); !strings.HasPrefix(got, "firstline 0\n") || !strings.HasSuffix(got, "line 299\nlast") {
		t.Errorf("of the output, only %d bytes: %.20q … %q", len(got), got, got[max(0, len(got)-20):])
	}
}
