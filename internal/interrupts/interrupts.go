package interrupts

import (
	"os"
	"os/signal"
)

// Reach makes SIGINT end this program, and whatever it starts from now on, even
// if it was started to ignore it.
func Reach() {
	if !signal.Ignored(os.Interrupt) {
		return
	}
	// Children do not ignore a signal that is handled here.
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		os.Exit(1)
	}()
}
