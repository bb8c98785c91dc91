package migration

import (
	"context"
	"os"
	"testing"

	"assay"
)

// files answers cat with the file of that name, if it is there.
type files map[string]string

func (files) Host() assay.Host { return assay.Host{Name: "pve2"} }
func (files) Close() error     { return nil }

func (f files) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	text, there := f[c.Argv[1]]
	if !there {
		return assay.Output{Exit: 1, Stderr: []byte("cat: " + c.Argv[1] + ": No such file or directory\n")}, nil
	}
	return assay.Output{Stdout: []byte(text)}, nil
}

// The ARC gives way to a guest, and Linux counts it as used.
func TestTheARCGivesMemoryBack(t *testing.T) {
	small, err := os.ReadFile("../zfs/testdata/arcstats-2.1.11.txt") // below its minimum
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		arcstats string
		want     int64
	}{
		"no ZFS":         {"", 5 << 30},
		"an ARC":         {"13 1 0x01 147 39984 1 2\nname type data\nc_min 4 1073741824\nc_max 4 17179869184\nsize 4 17179869184\n", 20 << 30},
		"a small ARC":    {string(small), 5 << 30},
		"something else": {"name type data\n", 5 << 30},
	} {
		host := files{"/proc/meminfo": "MemTotal: 33554432 kB\nMemAvailable:    5242880 kB\n"}
		if c.arcstats != "" {
			host["/proc/spl/kstat/zfs/arcstats"] = c.arcstats
		}
		if got, err := Room(t.Context(), host); err != nil || got != c.want {
			t.Errorf("%s: %d, %v; want %d", name, got, err, c.want)
		}
	}
	if got, err := Room(t.Context(), files{"/proc/meminfo": "MemTotal: 1 kB\n"}); err == nil {
		t.Errorf("a host that does not tell has %d", got)
	}
}
