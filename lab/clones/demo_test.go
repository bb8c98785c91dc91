package clones

import (
	"fmt"
	"testing"

	"assay/lab/internal/laptop"
)

// TestDemo measures a disk of two guests with and without the host's cache.
func TestDemo(t *testing.T) {
	laptop.Demo(t)
	b := newBed(t)
	b.sit(fmt.Sprintf(`  deb: {clone: {domain: %s, count: 2, on: kvm1}}
tiers:
  none: {hosts: [deb], vmdisk: {storage: images}}
  writeback: {hosts: [deb], vmdisk: {storage: images, cache: writeback}}
`, template))
	b.laptop.Show("vms-cache", "run", "-i", b.laptop.File, "--suite", "tiers", "--only", "randread-4k,syncwrite-4k",
		"--size", "64M", "--precision", "off", "--length", "10s", "--repeats", "2", "--time-budget", "20m")
	b.expectNothingLeft(t)
}
