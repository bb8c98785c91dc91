package main

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A narrow terminal is laid out for its own width; 80 columns are for one that has none.
func TestTheWidthOfATerminal(t *testing.T) {
	keyboard, screen := terminalPair(t)
	for columns, want := range map[uint16]int{38: 38, 132: 132, 0: 80} {
		if err := unix.IoctlSetWinsize(int(keyboard.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
			t.Fatal(err)
		}
		if got, is := terminal(screen); got != want || !is {
			t.Errorf("of %d columns: %d, %v", columns, got, is)
		}
	}
}
