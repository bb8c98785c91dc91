package report

import (
	"fmt"
	"strings"

	"assay/internal/quantity"
)

// health says what is wrong with a drive, where something is.
func health(d Document) []Sentence {
	var out []Sentence
	for _, r := range rowsOf(d, "health") {
		drive := r.Settings
		if d.several() {
			drive = hostOf(r) + "'s " + drive
		}
		for _, f := range r.Figures {
			switch {
			case f.Metric == "smart.passed" && f.Value == 0:
				out = append(out, Sentence{"bad", fmt.Sprintf("%s reports that it is failing: back it up now.", drive)})
			case f.Metric == "smart.media_errors" && f.Value > 0:
				out = append(out, Sentence{"bad", fmt.Sprintf("%s has %s media errors: data it could not correct.", drive, quantity.Of(f.Metric, f.Value))})
			}
		}
	}
	return out
}

// hostOf is the host that a row's subject is on.
func hostOf(r Row) string {
	host, _, _ := strings.Cut(r.Subject, "/")
	return host
}
