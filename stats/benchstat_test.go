package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The results match benchstat's own output to the last digit: the median, the
// reach of its interval, p and n. If benchmath's interval leans to one side
// (ranks 1 and 7 of 8), ours is the symmetric one and may reach farther; median
// and p are the same.
func TestBenchstatPrintsTheSame(t *testing.T) {
	benchstat := filepath.Join(t.TempDir(), "benchstat")
	if out, err := exec.Command("go", "build", "-o", benchstat, "golang.org/x/perf/cmd/benchstat").CombinedOutput(); err != nil {
		t.Fatalf("build benchstat: %v\n%s", err, out)
	}
	dice := rand.New(rand.NewPCG(11, 12))
	var names []string
	samples := map[string][2][]float64{}
	for _, n := range []int{4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30} {
		for _, step := range []float64{1e-9, 1} { // a step of 1 gives ties
			name := fmt.Sprintf("N%dStep%v", n, step)
			names = append(names, name)
			var sides [2][]float64
			for side := range sides {
				for range n {
					v := 100 * (1 + .03*float64(side)*dice.Float64() + .04*dice.NormFloat64())
					sides[side] = append(sides[side], math.Round(v/step)*step)
				}
			}
			samples[name] = sides
		}
	}
	lines := printed(t, benchstat, names, samples)
	leaning := map[int]bool{8: true}
	for _, name := range names {
		a, b := Summarise(samples[name][0]), Summarise(samples[name][1])
		u, ok := MannWhitney(samples[name][0], samples[name][1])
		if !ok {
			t.Fatalf("%s: no test", name)
		}
		theirs := lines[name] // name, center, reach, center, reach, change, p
		ours := []string{name, number(a.Center), reach(a), number(b.Center), reach(b), theirs[5], fmt.Sprintf("p=%0.3f n=%d", u.P, a.N)}
		if leaning[a.N] {
			ours[2], ours[4] = theirs[2], theirs[4]
		}
		if got, want := strings.Join(ours, " "), strings.Join(theirs, " "); got != want {
			t.Errorf("%s\nbenchstat: %s", got, want)
		}
	}
}

// printed runs benchstat on the two sides and returns its line for each name.
func printed(t *testing.T, benchstat string, names []string, samples map[string][2][]float64) map[string][]string {
	t.Helper()
	var files []string
	for side := range 2 {
		var text strings.Builder
		for _, name := range names {
			for _, v := range samples[name][side] {
				fmt.Fprintf(&text, "Benchmark%s 1 %v x/op\n", name, v)
			}
		}
		file := filepath.Join(t.TempDir(), fmt.Sprint("side", side))
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	out, err := exec.Command(benchstat, append([]string{"-format", "csv"}, files...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		if cells := strings.Split(strings.TrimSpace(line), ","); len(cells) == 7 && cells[0] != "" {
			lines[cells[0]] = cells
		}
	}
	if len(lines) < len(names) {
		t.Fatalf("benchstat printed\n%s", out)
	}
	return lines
}

// number prints a value as benchstat's CSV does.
func number(v float64) string { return fmt.Sprint(v) }

// reach prints the reach of the interval as benchstat does.
func reach(s Summary) string {
	if s.Level == 0 {
		return "∞"
	}
	return fmt.Sprintf("%.0f%%", 100*max(s.High-s.Center, s.Center-s.Low)/s.Center)
}
