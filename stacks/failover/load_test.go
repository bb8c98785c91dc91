package failover

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"assay/internal/shell"
)

// worked returns a load's output for pairs: work per look, and the number of looks of 100
// ms.
func worked(pairs ...int) []byte {
	var b strings.Builder
	at := 1000.
	for i := 0; i+1 < len(pairs); i += 2 {
		for range pairs[i+1] {
			fmt.Fprintf(&b, "%.6f %d\n", at, pairs[i])
			at += .1
		}
	}
	return []byte(b.String())
}

func TestRate(t *testing.T) {
	// A second of nothing, three at 100/s, two at 0/s, one at 20/s, three at 100/s.
	all := ReadLoad(append(worked(0, 10, 10, 30, 0, 20, 2, 10, 10, 30), "what?\n1005.000000 many\n"...))
	if len(all) != 100 {
		t.Fatalf("%d looks", len(all))
	}
	for _, c := range []struct{ from, to, want float64 }{
		{0, 1003.95, 100}, {1003.95, 1005.95, 0}, {1006, 1006.95, 20}, {1007, 2000, 100}, {0, 1000.5, math.NaN()}, {2000, 3000, math.NaN()},
	} {
		if got := Rate(all, c.from, c.to); math.Abs(got-c.want) > .01 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("from %v to %v: %v, want %v", c.from, c.to, got, c.want)
		}
	}
	if got := Rate(nil, 0, 1); !math.IsNaN(got) {
		t.Errorf("of nothing: %v", got)
	}
}

func TestTurns(t *testing.T) {
	got := Turns(ReadLoad(worked(10, 40, 0, 20, 2, 20, 9, 30)), 1003.95)
	want := []Turn{{1003.95, None}, {1006, Slow}, {1008, Full}}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i, turn := range got {
		if turn.To != want[i].To || math.Abs(turn.At-want[i].At) > .6 {
			t.Errorf("%v, want %v", got, want)
		}
	}
	// Chance is no turn: ten a second are judged over three seconds at a time.
	if got := Turns(ReadLoad(worked(1, 60, 0, 5, 2, 5, 0, 7, 1, 20)), 1005.95); len(got) > 0 {
		t.Errorf("%v of a load that went on", got)
	}
	// A flickering load is judged over longer spans until it is clear.
	var flickers []int
	for range 50 {
		flickers = append(flickers, 0, 10, 10, 10)
	}
	if got := Turns(ReadLoad(worked(append([]int{10, 40}, flickers...)...)), 1003.95); len(got) > mostTurns {
		t.Errorf("%d turns", len(got))
	}
	if got := Turns(ReadLoad(worked(0, 40, 10, 40)), 1003.95); len(got) > 0 {
		t.Errorf("%v of a load that did nothing before", got)
	}
}

// loaded returns what a load on this machine prints until it has done enough.
func loaded(t *testing.T, command string, enough int) []Done {
	t.Helper()
	c := Entry{Load: command}.RunLoad()
	n := 0
	c.OnStdout = func(piece []byte) bool {
		for _, d := range ReadLoad(piece) {
			n += d.Times
		}
		return n >= enough
	}
	c.Timeout = bound
	out, err := here(t, "").Run(t.Context(), c)
	if err != nil {
		t.Fatalf("%v: %q", err, out.Stderr)
	}
	return ReadLoad(out.Stdout)
}

// Lines are counted, including those of a command that exits and is restarted, and of
// processes it leaves behind; its stdin is empty, and its stderr does not count.
func TestLoadsAreCounted(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"while :; do echo; sleep 0.01; done",
		"cat; echo a; echo b; echo c >&2",
		"(while :; do echo; sleep 0.02; done) & exit 0",
	} {
		total := 0
		for _, d := range loaded(t, command, 30) {
			total += d.Times
		}
		if total < 30 {
			t.Errorf("%s: %d times", command, total)
		}
	}
}

// A load that does nothing is not restarted without a pause.
func TestALoadThatFails(t *testing.T) {
	t.Parallel()
	file := shell.Quote(t.TempDir() + "/begun")
	done := loaded(t, "echo >>"+file+"; [ $(wc -l <"+file+") -lt 5 ] || echo", 1)
	if least := 3 * LoadEvery.Seconds(); len(done) == 0 || done[len(done)-1].At-done[0].At < least-LoadEvery.Seconds()/2 {
		t.Errorf("five times in %v, want %v s at least", done, least)
	}
}

// Nothing of a load outlives its perl on the host, however that ends.
func TestNothingOutlivesALoad(t *testing.T) {
	t.Parallel()
	command, run := sleepers(t)
	outlived(t, Entry{Load: command}.RunLoad(), run)
}

func FuzzReadLoad(f *testing.F) {
	f.Add(worked(10, 40, 0, 20, 2, 20, 9, 30), 1003.95)
	f.Fuzz(func(t *testing.T, text []byte, since float64) {
		all := ReadLoad(text)
		turns := Turns(all, since)
		if !slices.IsSortedFunc(all, func(a, b Done) int { return int(a.At - b.At) }) {
			return
		}
		if len(turns) > mostTurns {
			t.Errorf("%d turns", len(turns))
		}
	})
}
