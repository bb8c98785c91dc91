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
	u := unitOf(step.Argv)
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
		total, err := size(words[1], u)
		bare := !u.named && !strings.ContainsAny(words[1], suffixes)
		if err != nil || total < least || bare && (total < likely || total%page != 0) {
			return assay.WithHint("include free's command line: free -m prints MiB", "free, line %d: a total of %s in an unknown unit", i+1, words[1])
		}
		f.Memory.Total, f.Memory.Available, found = total, 0, true
		for c, name := range columns {
			if name != "available" || c+1 >= len(words) {
				continue
			}
			if available, err := size(words[c+1], u); err == nil && available <= total {
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

// decimal and binary are free's long options, each with the power of its base.
var (
	decimal = map[string]int{"--kilo": 1, "--mega": 2, "--giga": 3, "--tera": 4, "--peta": 5}
	binary  = map[string]int{"--bytes": 0, "--kibi": 1, "--mebi": 2, "--gibi": 3, "--tebi": 4, "--pebi": 5}
)

// unit is what free's numbers count.
type unit struct {
	base  float64 // 1024, or 1000 for --si and decimal units
	power int     // of a number without a suffix
	named bool    // options say so
}

func (u unit) bytes(power int) float64 { return math.Pow(u.base, float64(power)) }

// unitOf returns the unit that free's options choose. --si turns binary units into decimal
// ones, also the default and what -h prints (procps 4.0).
func unitOf(argv []string) unit {
	u := unit{base: 1024, power: 1}
	for _, word := range argv {
		if power, is := binary[word]; is {
			u.power, u.named = power, true
		}
		if power, is := decimal[word]; is {
			u = unit{1000, power, true}
		}
		if word == "--si" {
			u.base, u.named = 1000, true
		}
		if !strings.HasPrefix(word, "-") || strings.HasPrefix(word, "--") {
			continue
		}
		for _, letter := range word { // -m, -mt, -wm
			if i := strings.IndexRune("bkmg", letter); i >= 0 {
				u.power, u.named = i, true
			}
		}
	}
	return u
}

// suffixes are what free -h prints after a number.
const suffixes = "BKMGTPi"

// size reads a number, or one with the suffix that free -h prints: 31Gi, 2.0G.
func size(word string, u unit) (int64, error) {
	digits := strings.TrimRight(word, suffixes)
	power := u.power
	for i, prefix := range []string{"B", "K", "M", "G", "T", "P"} {
		if strings.HasPrefix(word[len(digits):], prefix) {
			power = i
		}
	}
	v, err := strconv.ParseFloat(strings.Replace(digits, ",", ".", 1), 64)
	if err != nil || !(v >= 0) || v*u.bytes(power) > 1<<60 {
		return 0, fmt.Errorf("%q is not a size", word)
	}
	return int64(v * u.bytes(power)), nil
}
