// Package executable writes programs that tests run immediately.
package executable

import (
	"os"
	"syscall"
)

// Write writes a program. A child forked meanwhile by another goroutine would hold the
// file open until it execs, and running the program would fail with "text file busy":
// nothing forks until the file is closed.
func Write(path, text string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, []byte(text), 0o755) //nolint:gosec // a program, which must be executable
}
