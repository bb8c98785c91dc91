// Package oneline makes texts that somebody else wrote safe to print: names, labels,
// the output of tools, the content of a database or a file.
package oneline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes one printable line of any text: control characters, line breaks and runs
// of space become one space, and what has no width of its own but changes how
// neighbours are drawn (escapes, bidi overrides, joiners, variation selectors) goes.
// Invalid UTF-8 becomes U+FFFD. What is left is as wide as the sum of its runes.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Join(strings.Fields(Keep(s, ' ')), " ")
}

// Keep is Clean for text whose spaces count, such as a command: each control character
// becomes a space or, where instead is negative, goes.
func Keep(s string, instead rune) string {
	if isPrintable(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == ' ':
			return ' '
		case breaks(r):
			return instead
		case unicode.IsSpace(r):
			return ' '
		case invisible(r):
			return -1
		}
		return r // of an invalid byte U+FFFD
	}, s)
}

// isPlain reports whether a text is clean already, as most are: printable ASCII with
// single blanks between its words.
func isPlain(s string) bool {
	return isPrintable(s) && !strings.HasPrefix(s, " ") && !strings.HasSuffix(s, " ") && !strings.Contains(s, "  ")
}

// isPrintable reports whether a text has nothing but printable ASCII in it.
func isPrintable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Lines is Keep for text of several lines, which stay lines. A line after the first
// begins with indent: where it is not empty, no line of the text can pass for one of
// assay's own.
func Lines(s, indent string) string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n"), "\n")
	for i, l := range lines {
		lines[i] = Keep(l, -1)
	}
	return strings.Join(lines, "\n"+indent)
}

// Raw reports whether a rune must not be printed as it is: a terminal obeys it, it
// begins a line, or it changes how its neighbours are drawn.
func Raw(r rune) bool { return breaks(r) || invisible(r) }

func breaks(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

func invisible(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)
}

// briefLimit is how many runes Brief leaves: a line or two, and no more than that of a
// host which says a million.
const briefLimit = 300

// Brief is Clean for what a program complained of, in a message: of a long text the
// beginning.
func Brief(text []byte) string {
	// What Clean leaves out may be most of it, but no message needs to know.
	cut := len(text) > 8*briefLimit
	if cut {
		text = text[:8*briefLimit]
		for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
			text = text[:len(text)-1]
		}
		text = text[:max(0, len(text)-1)]
	}
	runes := []rune(Clean(string(text)))
	if len(runes) > briefLimit {
		runes, cut = runes[:briefLimit], true
	}
	if cut {
		return string(runes) + "…"
	}
	return string(runes)
}
