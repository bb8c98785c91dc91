// Package ownmounts is for tests that mount. Their mounts are copied into every mount
// namespace that tests of other packages make meanwhile, and stay there after they are
// unmounted here; and paths that they mount over are in the way of those tests.
package ownmounts

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// inside is set in the environment of the process that has a private mount
// namespace.
const inside = "ASSAY_TEST_OWN_MOUNTS"

// Run runs a package's tests in a private mount namespace, if root may make one,
// and returns the program's exit status. own reports whether they are in one.
func Run(tests func(own bool) int) int {
	if os.Getenv(inside) != "" {
		err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
		if err != nil {
			fmt.Fprintf(os.Stderr, "mounts are shared with the tests of other packages: %v\n", err)
		}
		return tests(err == nil)
	}
	if os.Geteuid() != 0 {
		return tests(false)
	}
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...) //nolint:gosec // this test again
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
