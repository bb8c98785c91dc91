package ingest

import (
	"strings"

	"assay"
)

// history tracks what was done in a terminal that affects where a read came
// from: files read or written, and dropped caches.
type history struct {
	dropped bool
	cached  map[string]bool // host and file: buffered I/O since the last drop
}

func newHistory() *history { return &history{cached: map[string]bool{}} }

// mostFiles bounds the files remembered from a long log.
const mostFiles = 10_000

// typed records a command.
func (h *history) typed(c command) {
	if strings.Contains(c.text, "drop_caches") {
		h.dropped = true
		clear(h.cached)
	}
}

// result labels buffered reads with the cache state before them: "cold" if the
// caches were dropped since the file was last touched, "not dropped" if they
// were not. If nothing is known the label is absent.
func (h *history) result(host string, it Item) {
	rep := it.Repeats[0]
	for _, dir := range []string{"read", "write"} {
		stem := "storage." + dir + "."
		m := rep.Measurement(stem + "bandwidth")
		if m == nil {
			m = rep.Measurement(stem + "iops")
		}
		if m == nil || m.Labels["cache"] == "warm" || strings.HasPrefix(m.Labels["cache"], "cold") {
			continue
		}
		file := fileOf(dir, *m, rep.Transcript)
		key := host + "\x00" + file
		if dir == "read" {
			label(rep.Measurements, stem, "cache", h.stateOf(file, key))
		}
		if m.Labels["direct"] != "1" && file != "" && len(h.cached) < mostFiles {
			h.cached[key] = true
		}
	}
}

func (h *history) stateOf(file, key string) string {
	switch {
	case file == "":
		return ""
	case h.cached[key]:
		return "not dropped"
	case h.dropped:
		return "cold"
	}
	return ""
}

// fileOf returns the file that was read or written, "" if unknown.
func fileOf(dir string, m assay.Measurement, tr assay.Transcript) string {
	if f := m.Labels["file"]; f != "" {
		return f
	}
	operand := map[string]string{"read": "if=", "write": "of="}[dir]
	for _, step := range tr.Steps {
		for _, word := range step.Argv {
			for _, prefix := range []string{operand, "--filename="} {
				if f, ok := strings.CutPrefix(word, prefix); ok {
					return f
				}
			}
		}
	}
	return ""
}
