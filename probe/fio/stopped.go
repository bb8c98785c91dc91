package fio

import (
	"strings"

	"assay/internal/lazyregexp"
)

// stopping is what fio says where a signal ends it before its time.
const stopping = "fio: terminating on signal "

// signalIn is the signal that ended fio: "signal 2".
func signalIn(text string) string {
	number, _, _ := strings.Cut(strings.TrimPrefix(text, stopping), " ")
	if len(number) > 3 || strings.Trim(number, "0123456789") != "" {
		number = ""
	}
	return strings.TrimSpace("terminated on signal " + number)
}

// progress is the part of fio's line of progress with the share that is done, of
// which a terminal may have overwritten the head: Jobs: 1 (f=1): [W(1)][37.2%].
var progress = lazyregexp.New(`\(f=\d+\): \[[^\]]*\]\s*\[(\d{1,3}\.\d)%`)

func isProgress(text string) bool {
	return strings.Contains(text, "(f=") && strings.Contains(text, "%")
}

// progressIn is the last share that a line names, in percent, "" for none.
func progressIn(text string) string {
	all := progress.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

// readStop finds it among the lines around fio's JSON.
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
