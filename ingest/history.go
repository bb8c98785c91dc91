package ingest

import (
	"strings"

	"assay"
)

// history follows what was done in a terminal, as far as it bears on where a
// read came from: files that were read or written, and caches that were dropped.
type history struct {
	dropped bool
	cached  map[string]bool // host and file: touched through the page cache since
}

func newHistory() *history { return &history{cached: map[string]bool{}} }

// mostFiles bounds what is remembered of a long log.
const mostFiles = 10_000

// typed takes a command.
func (h *history) typed(c command) {
	if strings.Contains(c.text, "drop_caches") {
		h.dropped = true
		clear(h.cached)
	}
}

// result says of buffered reads what came before them: "cold" where the caches
// were dropped since the file was touched last, "not dropped" where they were
// not. Where nothing is known the label is absent.
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

// fileOf is the file that was read or written, "" where nothing says it.
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
