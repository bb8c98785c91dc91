package guests

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/faults/matrix"
	"assay/lab/guest/guesttest"
)

// TestBed plants kinds of each sort on machines in QEMU, and checks what their kernels
// report then and after the undo.
func TestBed(t *testing.T) {
	guesttest.Take(t)
	if err := Missing(); err != nil {
		t.Skipf("%v: %s", err, assay.Hint(err))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	b, err := Up(ctx, filepath.Join(t.TempDir(), "bed"), kinds(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Down(); err != nil {
			t.Error(err)
		}
	})
	looks := []struct{ host, command, planted, undone string }{
		{"host1", "tc qdisc show dev eth1; tc qdisc show dev ifb0 2>/dev/null || :", "loss 3%", "rate 40Mbit"},
		{"host1", "dmsetup table bench", "delay", "linear"},
		{"host2", "tc qdisc show dev eth1", "delay 30ms", "rate 40Mbit"},
		{"host2", "busybox adjtimex | grep tick", "9000", "10000"},
		{"host2", "dmsetup table bench", "error", "linear"},
		{"host3", "cat /sys/class/net/eth1/speed", "10\n", "100\n"},
		{"host3", "for p in $(cat /run/behind 2>/dev/null); do kill -0 $p && echo $p; done | grep -c .", "4", "0"},
		{"host3", "ping -c 1 -W 20 10.77.0.1 | grep -c ' 0% packet loss'", "1", "1"},
	}
	if err := b.Plant(ctx, matrix.Case{Faults: []matrix.Placed{
		{Kind: "netem-loss", Host: "host1", Way: matrix.In},
		{Kind: "disk-delay-reads", Host: "host1"},
		{Kind: "netem-delay", Host: "host2", Way: matrix.Out},
		{Kind: "clock-slow", Host: "host2"},
		{Kind: "disk-errors", Host: "host2"},
		{Kind: "link-10m", Host: "host3", Way: matrix.Both},
		{Kind: "cpu-neighbour-inside", Host: "host3"},
		{Kind: "disk-hypervisor-limit", Host: "host3"},
	}}); err != nil {
		t.Fatal(err)
	}
	see := func(when string, want func(i int) string) {
		for i, l := range looks {
			out, _ := b.guests[l.host].Run(ctx, "sh", "-c", l.command)
			if !strings.Contains(out, want(i)) {
				t.Errorf("%s: %s: %s: %q, want %q", when, l.host, l.command, out, want(i))
			}
		}
	}
	see("planted", func(i int) string { return looks[i].planted })
	// Data written to the failing disk is not read back.
	if out, err := b.guests["host2"].Run(ctx, "sh", "-c", "dd if=/dev/zero of=/srv/bench/file bs=1M count=40 oflag=direct"); err == nil {
		t.Errorf("host2 writes all over a disk that fails: %s", out)
	}
	if err := b.Undo(ctx); err != nil {
		t.Fatal(err)
	}
	see("undone", func(i int) string { return looks[i].undone })
	if _, err := b.guests["host2"].Run(ctx, "sh", "-c", "dd if=/dev/zero of=/srv/bench/file bs=1M count=40 oflag=direct"); err != nil {
		t.Error(err)
	}
}
