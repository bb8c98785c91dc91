package interrupts

import (
	"os"
	"os/signal"
)

// Reach makes SIGINT end this program, and whatever it starts from now on, even
// where it was started to ignore it.
func Reach() {
	if !signal.Ignored(os.Interrupt) {
		return
	}
	// A signal that is handled here is no longer ignored in children.
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		os.Exit(1)
	}()
}
