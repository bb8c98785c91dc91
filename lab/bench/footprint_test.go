package main

import (
	"context"
	"testing"
)

func TestReadStat(t *testing.T) {
	pid, parent, err := readStat("4242 (a) S (b) R 17 4242 4242 0 -1 4194304 101\n")
	if err != nil || pid != 4242 || parent != 17 {
		t.Errorf("%d, %d, %v", pid, parent, err)
	}
	for _, text := range []string{"", "12", "12 (sh", ") (", "12 (sh)", "x (sh) S 1", "12 (sh) S x"} {
		if _, _, err := readStat(text); err == nil {
			t.Errorf("took %q", text)
		}
	}
}

func TestKilobytes(t *testing.T) {
	text := []byte("Name:\tVmHWM:\nVmHWMx:\t 9 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 5\n")
	if got := kilobytes(text, "VmHWM:"); got != 1234<<10 {
		t.Error(got)
	}
	if got := kilobytes(text, "VmRSS:"); got != 0 {
		t.Errorf("%d of no unit", got)
	}
}

func TestDescends(t *testing.T) {
	parents := map[int]int{2: 1, 3: 2, 4: 3, 5: 1, 8: 9, 9: 8}
	for child, want := range map[int]bool{3: true, 4: true, 2: false, 5: false, 8: false, 77: false} {
		if got := descends(parents, child, 2); got != want {
			t.Errorf("%d: %v", child, got)
		}
	}
}

// TestFootprint watches a shell that uses 50 MB and keeps two children long
// enough to be seen.
func TestFootprint(t *testing.T) {
	const much = 50 << 20
	var f footprint
	_, err := command{argv: []string{"sh", "-c", `x=$(head -c 52428800 /dev/zero | tr '\0' x); sleep 4 & sleep 4 & wait; : "$x"`}, watch: f.watch}.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f.own < much || f.own > 10*much {
		t.Errorf("%d B of its own", f.own)
	}
	if f.children < 2 || f.rss <= 0 || f.pss <= 0 || f.pss > f.rss {
		t.Errorf("children: %+v", f)
	}
	var none footprint
	none.watch(context.Background(), 1<<30)
	if none != (footprint{}) {
		t.Errorf("a process that is none has %+v", none)
	}
}

// TestFootprintIsNotThatOfTheStarter fails if ru_maxrss is used as the
// footprint.
func TestFootprintIsNotThatOfTheStarter(t *testing.T) {
	ballast := make([]byte, 100<<20)
	for i := range ballast {
		ballast[i] = 1
	}
	var f footprint
	if _, err := (command{argv: []string{"sleep", "3"}, watch: f.watch}).run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f.own == 0 || f.own > int64(len(ballast))/2 {
		t.Errorf("sleep has %d B beside %d B of ours", f.own, len(ballast))
	}
}
