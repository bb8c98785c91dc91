package named

import (
	"slices"
	"strings"

	"assay/internal/lazyregexp"
)

// Tool is a tool whose output is named and not read.
type Tool struct {
	Name string
	// About is what its figure is, in a clause that follows its name and a colon.
	About string
	// Instead is what to do.
	Instead string
	// Log says that its lines come between those of other outputs.
	Log bool

	word string // the first word of the line it begins with
	line *lazyregexp.Regexp
	keys []string // of its JSON: all of them are there
}

// Of returns the tool that prints such a line at the beginning of its output, nil
// where it is none of these. The line comes as a reader of the screen saw it.
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

// firstWord is the letters that a line begins with, or else its first byte.
func firstWord(line string) string {
	n := 0
	for n < len(line) && (line[n]|0x20 >= 'a' && line[n]|0x20 <= 'z') {
		n++
	}
	return line[:max(n, 1)]
}

// OfKeys returns the tool whose JSON document has these keys, nil where it is none
// of these.
func OfKeys(keys []string) *Tool {
	for i := range tools {
		t := &tools[i]
		if len(t.keys) > 0 && !slices.ContainsFunc(t.keys, func(k string) bool { return !slices.Contains(keys, k) }) {
			return t
		}
	}
	return nil
}
