package audit

import (
	"fmt"
	"strings"

	"assay"
)

var copied = Rule{
	ID: "copied", Number: 112, Applies: "dd", Severities: "I",
	Title:   "A copy mixes reading and writing",
	Formula: "dd's command names a file or device to read from and another to write to",
	Source:  "dd(1): it reads a block and then writes it, so the time is that of both; the kernel's read-ahead and write-back hide a part of it",
	Example: "from a.tar to b.tar",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.storage() {
			const metric = "storage.write.bandwidth"
			if !l.foreign() || l.label("write", "tool") != "dd" || !l.positive(metric) {
				continue
			}
			from, to := operand(l.argv(), "if"), operand(l.argv(), "of")
			if to == "" || !stored(from) || !stored(to) {
				continue
			}
			found = append(found, l.finding("copied", assay.Informs, []string{metric}, fmt.Sprintf("from %s to %s", from, to),
				"dd reads and writes in turn: the time includes reading the source, so the figure describes neither side",
				"measure each side alone: read to /dev/null past the cache (iflag=direct), and write with "+l.again("write", nil)))
		}
		return found
	},
}

// operand returns the value of a word NAME=VALUE, "" if there is none.
func operand(argv []string, name string) string {
	for _, word := range argv {
		if v, ok := strings.CutPrefix(word, name+"="); ok {
			return v
		}
	}
	return ""
}

// stored reports whether a name refers to something that keeps data.
func stored(name string) bool {
	switch name {
	case "", "-", "/dev/zero", "/dev/null", "/dev/urandom", "/dev/random", "/dev/stdin", "/dev/stdout":
		return false
	}
	return !strings.HasPrefix(name, "/dev/shm/") && !strings.HasPrefix(name, "/dev/fd/")
}
