package main

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay"
	"assay/internal/marked"
	quick "assay/lab/internal/turns"
	"assay/place/local"
	"assay/probe/fio"
)

// Intervals of proportions, from textbook tables.
func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{0, 10, 0, .3085}, {10, 10, .6915, 1}, {5, 10, .1871, .8129}, {1, 20, .0013, .2487}, {0, 200, 0, .0183}, {5, 100, .0164, .1128}, {95, 100, .8872, .9836},
	} {
		low, high := clopperPearson(c.k, c.n)
		if math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.k, c.n, low, high, c.low, c.high)
		}
	}
}

func TestEverySideHasItsRepeats(t *testing.T) {
	all := shuffled(3, 2, 7)
	count := map[turn]int{}
	for _, one := range all {
		count[one]++
	}
	if len(count) != 6 || len(all) != 6*gateRepeats {
		t.Fatalf("%d turns of %d kinds", len(all), len(count))
	}
	for kind, n := range count {
		if n != gateRepeats {
			t.Errorf("%v: %d repeats", kind, n)
		}
	}
	if !slices.Equal(all, shuffled(3, 2, 7)) || slices.Equal(all, shuffled(3, 2, 8)) {
		t.Error("the order does not follow from its number")
	}
}

func TestAtOnce(t *testing.T) {
	var n, most atomic.Int64
	work := func(_ context.Context, worker, _ int) error {
		most.Store(max(most.Load(), int64(worker)))
		n.Add(1)
		return nil
	}
	if err := atOnce(t.Context(), amount{50, time.Hour}, 3, work); err != nil || n.Load() != 50 || most.Load() > 2 {
		t.Errorf("%d pieces, workers up to %d, %v", n.Load(), most.Load(), err)
	}
	n.Store(0)
	if err := atOnce(t.Context(), amount{50, 0}, 3, work); err != nil || n.Load() != 3 {
		t.Errorf("without time: %d pieces, %v", n.Load(), err)
	}
	broken := errors.New("broken")
	err := atOnce(t.Context(), amount{1000, time.Hour}, 2, func(_ context.Context, _, i int) error {
		if n.Add(1); i == 4 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || n.Load() > 500 {
		t.Errorf("%v after %d", err, n.Load())
	}
}

func TestTheTableOfGates(t *testing.T) {
	text := gateMarkdown([]tried{{what: "10 % slower", limit: .05, gates: 100, closed: 98, figures: 100, open: 2, scatter: []float64{.01, .02, .03}}}, 90*time.Second)
	if want := "| 10 % slower | 2.0 % | 5 % | 100 | 98 | 98.0 % | 93.0–99.8 % | 2 of 100 |\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	document, err := os.ReadFile("../../doc/statistics.md")
	if err != nil {
		t.Fatal(err)
	}
	if stands, ok := marked.Between(string(document), "bench gate"); !ok || !strings.Contains(stands, "| 10 % slower |") {
		t.Errorf("doc/statistics.md has no table of gates: %q", stands)
	}
}

// A real gate with equal sides; the test only requires that every figure was
// tested, as verdicts need many gates.
func TestARealGateOfEqualSides(t *testing.T) {
	quick.NotQuick(t, "a real gate")
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("there is no fio here")
	}
	works := gateWorks{place: local.New("here", ""), probe: fio.New()}
	dir := t.TempDir()
	found, err := works.alike(t.Context(), dir, amount{1, 0}, func(string) {})
	if err != nil || len(found) != 2 || found[0].gates != 1 || found[0].figures != alikeFigures {
		t.Fatalf("%+v, %v", found, err)
	}
}

func TestABoundIsFelt(t *testing.T) {
	quick.NotQuick(t, "what needs throttled disks")
	works := gateWorks{place: local.New("here", ""), probe: fio.New()}
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("there is no fio here")
	}
	devices, err := newThrottle(t.Context(), t.TempDir(), 1)
	var missing *cannotThrottle
	if errors.As(err, &missing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	trial := gateTrial("device-randread-4k", assay.Subject{ID: "here/device/x", Kind: assay.KindDevice, Host: "here", Name: devices.devices[0].path}, map[string]string{"rw": "randread", "bs": "4k"})
	trial.Risk = assay.Reads
	runs, err := works.interleaved(t.Context(), []assay.Trial{trial}, assay.Scratch{}, 2, 1, func(side int) error {
		return devices.bound(devices.devices[0], []int{1000, 50}[side]) // far apart, so that a busy machine does not blur it
	})
	gone := devices.remove()
	if err != nil || gone != nil {
		t.Fatal(err, gone)
	}
	if _, err := os.Stat(devices.group); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", devices.group, err)
	}
	g, err := gateOf(runs[0], runs[1], .3, 1)
	if err != nil || g.Count("regressed") != 1 {
		t.Errorf("a twentieth of the speed: %+v, %v", g.Figures, err)
	}
	if g, err = gateOf(runs[1], runs[0], 0, 1); err != nil || g.Count("passed") != 1 {
		t.Errorf("twenty times the speed: %+v, %v", g.Figures, err)
	}
}
