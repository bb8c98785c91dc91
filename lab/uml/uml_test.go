package uml_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/guest"
	"assay/lab/guest/guesttest"
	"assay/lab/internal/processtest"
	"assay/lab/uml"
)

// TestTwoMachines checks that two machines with a cable between them see the delay set on
// this program's drive, and that nothing of them is left.
func TestTwoMachines(t *testing.T) {
	guesttest.Take(t)
	tools, err := guest.Tools()
	if err := errors.Join(uml.Missing(), err); err != nil {
		t.Skipf("%v: %s", err, assay.Hint(err))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	dir, err := os.MkdirTemp("", "uml") // socket paths must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	drive, err := guest.NewDrive(filepath.Join(dir, "drive"), dir, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = drive.Close() })
	wire, err := guest.NewSwitch(filepath.Join(dir, "wire"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = wire.Close() })
	one := boot(ctx, t, filepath.Join(dir, "one"), uml.Machine{Name: "one", Drives: []*guest.Drive{drive}, Trees: []guest.Disk{tools}, Ports: []*guest.Switch{wire}})
	two := boot(ctx, t, filepath.Join(dir, "two"), uml.Machine{Name: "two", Trees: []guest.Disk{tools}, Ports: []*guest.Switch{wire}})
	run := func(g *uml.Guest, script string) string {
		t.Helper()
		out, err := g.Run(ctx, "sh", "-c", script)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out)
	}
	if name := run(two, "uname -n"); name != "two" {
		t.Errorf("machine two is called %q", name)
	}

	const address = "ip addr add 10.99.1.%/24 dev eth1; ip link set eth1 up"
	run(one, strings.ReplaceAll(address, "%", "1"))
	run(two, strings.ReplaceAll(address, "%", "2"))
	run(one, "ping -c 3 -i 0.2 -w 60 10.99.1.2")

	const late = 20 * time.Millisecond
	if took := shortestFlush(t, run(one, flushes)); took >= late {
		t.Errorf("a flush takes %v, of a drive that answers at once", took)
	}
	drive.Slow(guest.Delays{Flush: late})
	if took := shortestFlush(t, run(one, flushes)); took < late {
		t.Errorf("a flush takes %v, of a drive that waits for %v", took, late)
	}

	for _, g := range []*uml.Guest{one, two} {
		if err := g.Down(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(g.Dir); err == nil {
			t.Errorf("%s is left", g.Dir)
		}
	}
	if strings.Contains(processtest.Arguments(t), dir) {
		t.Error("a process of a machine is left")
	}
}

func boot(ctx context.Context, t *testing.T, dir string, m uml.Machine) *uml.Guest {
	t.Helper()
	g, err := uml.Boot(ctx, dir, m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Down() })
	return g
}

const flushes = "fio --name=flushes --filename=/dev/vda --size=1M --number_ios=20 --rw=write --bs=4k --ioengine=psync --fsync=1 --output-format=json"

// shortestFlush returns the shortest flush in fio's output: on a busy machine
// others are longer.
func shortestFlush(t *testing.T, printed string) time.Duration {
	t.Helper()
	var told struct {
		Jobs []struct {
			Sync struct {
				Latency struct{ Min, N int64 } `json:"lat_ns"`
			}
		}
	}
	if err := json.Unmarshal([]byte(printed), &told); err != nil || len(told.Jobs) != 1 || told.Jobs[0].Sync.Latency.N == 0 {
		t.Fatalf("%v: %s", err, printed)
	}
	return time.Duration(told.Jobs[0].Sync.Latency.Min)
}
