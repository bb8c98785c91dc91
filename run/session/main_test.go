package session_test

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"assay/lab/ownmounts"
)

// TestMain gives the tests their own /run if possible: a run holds the machine by a
// lock there, and so do the tests of other packages.
func TestMain(m *testing.M) {
	os.Exit(ownmounts.Run(func(own bool) int {
		if own {
			if err := unix.Mount("tmpfs", "/run", "tmpfs", 0, ""); err != nil {
				fmt.Fprintf(os.Stderr, "/run is shared with the tests of other packages: %v\n", err)
			}
		}
		// The key of the journal must not be the user's.
		state, err := os.MkdirTemp("", "assay-state-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(state)
		os.Setenv("XDG_STATE_HOME", state)
		return m.Run()
	}))
}
