package main

import (
	"fmt"
	"strings"
)

// table returns the rows as Markdown.
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
