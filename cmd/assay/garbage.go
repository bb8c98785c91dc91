package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// collectLate has the first garbage collected at 32 MB rather than at 4: most commands
// end before. From then on it is collected as always, and so it is where GOGC says when.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(800)
	first := new([16]byte) // not so small that it shares its memory
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, usual)
}
