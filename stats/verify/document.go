package main

import (
	"fmt"
	"os"
	"strings"
)

// The marks in a document between which the table stands.
const (
	markBegin = "<!-- verify-stats: begin -->\n"
	markEnd   = "<!-- verify-stats: end -->\n"
)

// table is the rows as Markdown.
func table(rows []row, w wish) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d series a row, seed %d, first look at %d samples:\n\n", w.trials, w.seed, w.first)
	b.WriteString("| φ | precision | coverage | samples, median | samples, p95 | given up | samples taken for independent |\n")
	b.WriteString("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %v | ± %v %% | %.2f %% | %d | %d | %.2f %% | %.2f %% |\n",
			r.phi, 100*r.precision, 100*r.coverage, r.median, r.p95, 100*r.given, 100*r.naive)
	}
	return b.String()
}

// writeInto replaces what stands between the marks of a document.
func writeInto(path, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(old), markBegin)
	_, after, ends := strings.Cut(rest, markEnd)
	if !begins || !ends {
		return fmt.Errorf("%s: the marks %q and %q are not there", path, strings.TrimSpace(markBegin), strings.TrimSpace(markEnd))
	}
	return os.WriteFile(path, []byte(before+markBegin+text+markEnd+after), 0o644) //nolint:gosec // a document is for everybody
}
