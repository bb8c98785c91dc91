package free

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
)

type learner struct{}

// New returns the learner.
func New() assay.Learner { return learner{} }

// Format recognises free from procps and from busybox by its header.
func (learner) Format() assay.Format {
	return assay.Format{Tool: "free", Commands: []string{"free"}, Begins: isHeader, Splits: func([]byte, string) bool { return false }}
}

func isHeader(line string) bool {
	if !strings.Contains(line, "total") {
		return false
	}
	words := strings.Fields(line)
	return len(words) >= 4 && words[0] == "total" && words[1] == "used" && words[2] == "free"
}

// least is less memory than any machine has today, in B. A total below likely was
// hardly printed in free's default unit: 64215 MiB would be 63 MiB.
const (
	least  = 32 << 20
	likely = 256 << 20
)

// Learn sets total and available memory, in bytes. Of several outputs the last
// wins.
func (learner) Learn(tr assay.Transcript, f *assay.Facts) error {
	step := tr.Step("measure")
	if step == nil {
		return fmt.Errorf("free: %w", assay.ErrNoOutput)
	}
	unit, named := unitOf(step.Argv)
	var columns []string
	found := false
	for i, line := range bytes.Split(step.Output.Stdout, []byte("\n")) {
		words := strings.Fields(string(line))
		if isHeader(string(line)) {
			columns = words
			continue
		}
		if len(words) < 2 || words[0] != "Mem:" || columns == nil {
			continue
		}
		total, err := size(words[1], unit)
		bare := !named && !strings.ContainsAny(words[1], suffixes)
		if err != nil || total < least || bare && (total < likely || total%page != 0) {
			return assay.WithHint("include free's command line: free -m prints MiB", "free, line %d: a total of %s in an unknown unit", i+1, words[1])
		}
		f.Memory.Total, f.Memory.Available, found = total, 0, true
		for c, name := range columns {
			if name != "available" || c+1 >= len(words) {
				continue
			}
			if available, err := size(words[c+1], unit); err == nil && available <= total {
				f.Memory.Available = available
			}
		}
	}
	if !found {
		return fmt.Errorf("free: no line begins with Mem: %w", assay.ErrNoOutput)
	}
	return nil
}

// page is what memory is counted in: no total in KiB is a fraction of it.
const page = 4096

// units are the units, in B, of free's long options.
var units = map[string]float64{
	"--bytes": 1,
	"--kilo":  1e3, "--mega": 1e6, "--giga": 1e9, "--tera": 1e12, "--peta": 1e15,
	"--kibi": 1 << 10, "--mebi": 1 << 20, "--gibi": 1 << 30, "--tebi": 1 << 40, "--pebi": 1 << 50,
}

// unitOf returns the unit, in B, that free's options give to a bare number, and whether
// they name one.
func unitOf(argv []string) (unit float64, named bool) {
	unit = 1024
	for _, word := range argv {
		if v, is := units[word]; is {
			unit, named = v, true
		}
		if !strings.HasPrefix(word, "-") || strings.HasPrefix(word, "--") {
			continue
		}
		for _, letter := range word { // -m, -mt, -wm
			if i := strings.IndexRune("bkmg", letter); i >= 0 {
				unit, named = math.Pow(1024, float64(i)), true
			}
		}
	}
	return unit, named
}

// suffixes are what free -h prints after a number.
const suffixes = "BKMGTPi"

// size reads a number, or one with the suffix that free -h prints: 31Gi, 2.0G.
func size(word string, unit float64) (int64, error) {
	digits := strings.TrimRight(word, suffixes)
	for i, prefix := range []string{"B", "K", "M", "G", "T", "P"} {
		if strings.HasPrefix(word[len(digits):], prefix) {
			unit = math.Pow(1024, float64(i))
		}
	}
	v, err := strconv.ParseFloat(strings.Replace(digits, ",", ".", 1), 64)
	if err != nil || !(v >= 0) || v*unit > 1<<60 {
		return 0, fmt.Errorf("%q is not a size", word)
	}
	return int64(v * unit), nil
}
