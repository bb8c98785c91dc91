package exposition

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/oneline"
)

// Benchstat writes the repeats of a run in the Go benchmark format, one per line, for
// benchstat. The name of a line says what it measures, in sub-names KEY=VALUE.
//
// Figures that the audit rejected are left out, since the format cannot mark them; left is
// their number.
func Benchstat(w io.Writer, run assay.Run) (left int, err error) {
	out := bufio.NewWriter(w)
	write(out, "suite: ", benchValue(run.Suite), "\nrun: ", benchValue(run.ID), "\nstarted: ", run.Started.UTC().Format(time.RFC3339), "\n")
	var figures []Figure
	for _, f := range FiguresOf(run) {
		if f.Rejected {
			left++
			continue
		}
		figures = append(figures, f)
	}
	write(out, units(figures))
	for _, lines := range benchLines(run.Suite, figures) {
		write(out, lines)
	}
	return left, out.Flush()
}

// units returns the lines that say which way is better; benchstat defaults to
// less.
func units(figures []Figure) string {
	all := map[string]string{}
	for _, f := range figures {
		m, _ := assay.Describe(f.Metric)
		if word := map[assay.Better]string{assay.Higher: "higher", assay.Lower: "lower"}[m.Better]; word != "" {
			all[benchUnit(m)] = "Unit " + benchUnit(m) + " better=" + word + "\n"
		}
	}
	return strings.Join(slices.Sorted(maps.Values(all)), "")
}

// benchLines returns the lines of the repeats: figures with the same name and repeat
// share a line.
func benchLines(suite string, figures []Figure) (all []string) {
	at := map[string]int{} // by name and repeat
	for _, f := range figures {
		m, _ := assay.Describe(f.Metric)
		name := benchName(f.identity(suite))
		for i, v := range f.Values {
			key := name + "\x00" + strconv.Itoa(i)
			line, known := at[key]
			if !known {
				line = len(all)
				at[key] = line
				all = append(all, name+" 1")
			}
			all[line] += " " + number(v) + " " + benchUnit(m)
		}
	}
	for i := range all {
		all[i] += "\n"
	}
	return all
}

// benchUnit returns the metric's name, ending with its unit, from which benchstat
// chooses prefixes.
func benchUnit(m assay.Metric) string {
	switch m.Unit {
	case assay.Seconds:
		return m.Name + "-sec"
	case assay.Bytes:
		return m.Name + "-bytes"
	case assay.BytesPerSecond:
		return m.Name + "-B/s"
	}
	return m.Name
}

// benchName returns the name of a benchmark: the case, with everything else as
// sub-names.
func benchName(labels []pair) string {
	name := ""
	for _, p := range labels {
		switch p.name {
		case "case":
			name = benchWord(strings.ReplaceAll(p.value, "/", ".")) + name
		case "suite": // stands above
		default:
			name += "/" + p.name + "=" + benchWord(p.value)
		}
	}
	if endsInNumber.MatchString(name) {
		name += "-1" // or benchstat would read the number as a CPU count
	}
	return "Benchmark" + strings.ToUpper(name[:1]) + name[1:]
}

var endsInNumber = lazyregexp.New(`-\d+$`)

// benchWord replaces characters that would end a name or sub-name.
func benchWord(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) || oneline.Raw(r) {
			return '_'
		}
		if r == '/' {
			return ':'
		}
		return r
	}, text)
}

func benchValue(text string) string { return strings.TrimSpace(benchWord(text)) }
