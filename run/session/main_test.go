package session_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// inside is set in the environment of the tests that have /run to themselves.
const inside = "ASSAY_TEST_OWN_RUN"

// TestMain gives the tests a /run of their own where it may: a run holds the machine
// by a lock there, and the tests of other packages hold it as well.
func TestMain(m *testing.M) {
	if os.Getenv(inside) == "" && os.Geteuid() == 0 {
		os.Exit(again())
	}
	if os.Getenv(inside) != "" {
		err := errors.Join(
			unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""),
			unix.Mount("tmpfs", "/run", "tmpfs", 0, ""))
		if err != nil {
			fmt.Fprintf(os.Stderr, "/run is shared with the tests of other packages: %v\n", err)
		}
	}
	// The key of the journal is not to be the user's.
	state, err := os.MkdirTemp("", "assay-state-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("XDG_STATE_HOME", state)
	status := m.Run()
	os.RemoveAll(state)
	os.Exit(status)
}

// again runs the tests again in a mount namespace.
func again() int {
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), inside+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}
