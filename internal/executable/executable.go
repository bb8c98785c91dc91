// Package executable writes programs that tests start at once.
package executable

import (
	"os"
	"syscall"
)

// Write writes a program. A child that another goroutine forks meanwhile would hold the
// file open until it becomes its own program, and who starts this one then is told "text
// file busy": none is forked until the file is closed.
func Write(path, text string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, []byte(text), 0o755) //nolint:gosec // a program, which must be executable
}
