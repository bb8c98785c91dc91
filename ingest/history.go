package ingest

import (
	"strings"

	"assay"
	"assay/internal/lazyregexp"
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
	if strings.Contains(c.text, dropCaches) && dropping.MatchString(c.text) {
		h.dropped = true
		clear(h.cached)
	}
}

const dropCaches = "drop_caches"

var (
	// dropping matches commands that empty the page cache. A number without its
	// lowest bit frees only dentries and inodes.
	dropping = lazyregexp.New(`\b(?:echo|printf) +(?:-\w+ +)?["']?[1357](?:\\n)?["']? +>>? *"?/proc/sys/vm/drop_caches\b` +
		`|\b(?:echo|printf) +(?:-\w+ +)?["']?[1357](?:\\n)?["']? *\| *(?:sudo +)?tee +(?:-a +)?/proc/sys/vm/drop_caches\b` +
		`|\btee +(?:-a +)?/proc/sys/vm/drop_caches *<<< *["']?[1357]\b` +
		`|\bsysctl +(?:-\w+ +)*["']?vm.drop_caches *= *["']?[1357]\b`)
	// aloneBefore and aloneAfter match what may stand around such a command on a line
	// that is nothing but a command line, unlike prose that quotes one.
	aloneBefore = lazyregexp.New(`^\s*(?:\S{0,60} ?[#$%>] ?)?(?:[\w/]*/)?(?:sync|echo|printf|sudo|doas|su|sh|bash|tee|sysctl|free|swapoff|umount|mount|time|cd|sleep|rm|date|clear)\b`)
	aloneAfter  = lazyregexp.New(`^["']* *(?:[;&|#<>].*|[12]>.*)?$`)
)

// dropsCaches reports whether a line, with or without a prompt, is a command
// line that empties the page cache.
func dropsCaches(line string) bool {
	if !strings.Contains(line, dropCaches) {
		return false
	}
	at := dropping.FindStringIndex(line)
	return at != nil && aloneBefore.MatchString(line) && aloneAfter.MatchString(line[at[1]:])
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
