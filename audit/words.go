package audit

import (
	"fmt"
	"math"

	"assay/internal/quantity"
)

// Findings print numbers with the same digits as limits do.
var (
	grouped = quantity.Full
	figure  = quantity.Figure
	rate    = quantity.Megabytes
	memory  = quantity.Memory
	seconds = quantity.Time
	plain   = quantity.Plain
)

// volume formats bytes in decimal MB, or in GB from ten GB on.
func volume(v float64) string {
	if math.Abs(v) >= 1e10 {
		return figure(v/1e9) + " GB"
	}
	return figure(v/1e6) + " MB"
}

func percent(share float64) string { return figure(100*share) + " %" }

func times(ratio float64) string { return figure(ratio) + " x" }

// inRepeats says in how many of the repeats something was seen.
func inRepeats(k, n int) string {
	if n == 1 {
		return "in the only repeat"
	}
	return fmt.Sprintf("in %d of %d repeats", k, n)
}
