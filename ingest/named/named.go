package named

import (
	"slices"
	"strings"

	"assay/internal/lazyregexp"
)

// Tool is a tool whose output is named but not read.
type Tool struct {
	Name string
	// About says what its figure is, as a clause after its name and a colon.
	About string
	// Instead is what to do.
	Instead string
	// Log is set if its lines are interleaved with other outputs.
	Log bool

	word string // first word of its first line
	line *lazyregexp.Regexp
	keys []string // in its JSON, all required
}

// Of returns the tool whose output begins with line, or nil. line is as it
// appeared on the screen.
func Of(line string) *Tool {
	line = strings.TrimSpace(line)
	if line == "" {
		return nil
	}
	for _, t := range byWord()[firstWord(line)] {
		if t.line.MatchString(line) {
			return t
		}
	}
	return nil
}

// firstWord returns the letters that a line begins with, or else its first
// byte.
func firstWord(line string) string {
	n := 0
	for n < len(line) && (line[n]|0x20 >= 'a' && line[n]|0x20 <= 'z') {
		n++
	}
	return line[:max(n, 1)]
}

// OfKeys returns the tool whose JSON document has these keys, or nil.
func OfKeys(keys []string) *Tool {
	for i := range tools {
		t := &tools[i]
		if len(t.keys) > 0 && !slices.ContainsFunc(t.keys, func(k string) bool { return !slices.Contains(keys, k) }) {
			return t
		}
	}
	return nil
}
