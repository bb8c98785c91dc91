package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// collectLate delays the first garbage collection until 32 MB instead of 4: most
// commands end before. Later collections run as usual, as they all do if GOGC is set.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(800)
	first := new([16]byte) // large enough not to share its memory
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, usual)
}
