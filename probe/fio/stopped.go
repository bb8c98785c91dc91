package fio

import (
	"strings"

	"assay/internal/lazyregexp"
)

// stopping is fio's message when a signal ends it early.
const stopping = "fio: terminating on signal "

// signalIn returns the signal that ended fio: "signal 2".
func signalIn(text string) string {
	number, _, _ := strings.Cut(strings.TrimPrefix(text, stopping), " ")
	if len(number) > 3 || strings.Trim(number, "0123456789") != "" {
		number = ""
	}
	return strings.TrimSpace("terminated on signal " + number)
}

// progress matches the part of fio's progress line with the share done; a
// terminal may have overwritten the start of the line: Jobs: 1 (f=1):
// [W(1)][37.2%].
var progress = lazyregexp.New(`\(f=\d+\): \[[^\]]*\]\s*\[(\d{1,3}\.\d)%`)

func isProgress(text string) bool {
	return strings.Contains(text, "(f=") && strings.Contains(text, "%")
}

// progressIn returns the last share on a line, in percent, or "".
func progressIn(text string) string {
	all := progress.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

// readStop looks for it in the lines around fio's JSON.
func (d *document) readStop(lines []line) {
	for _, l := range lines {
		switch {
		case strings.HasPrefix(l.text, stopping):
			d.stopped = signalIn(l.text)
		case d.stopped == "" && isProgress(l.text):
			d.done = progressIn(l.text)
		}
	}
}
