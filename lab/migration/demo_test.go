package migration

import (
	"testing"

	"assay/lab/internal/laptop"
)

// TestDemo migrates a guest there and back, idle and while it changes its
// memory.
func TestDemo(t *testing.T) {
	laptop.Demo(t)
	b := newBed(t)
	b.laptop.Show("vms-migration", "run", "-i", b.laptop.File, "--suite", "migration", "--repeats", "1", "--time-budget", "10m")
	b.expectAtHome()
}
