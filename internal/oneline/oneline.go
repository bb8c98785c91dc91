// Package oneline makes foreign text safe to print: names, labels, the output of
// tools, the content of a database or a file.
package oneline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes one printable line of any text: control characters, line breaks and runs
// of space become one space, and characters without a width that change how their
// neighbours are drawn (escapes, bidi overrides, joiners, variation selectors) are
// dropped. Invalid UTF-8 becomes U+FFFD. The result is as wide as the sum of its
// runes.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Join(strings.Fields(Keep(s, ' ')), " ")
}

// Keep is Clean for text whose spaces matter, such as a command: each control
// character becomes a space or, if instead is negative, is dropped.
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
		return r // invalid bytes are U+FFFD
	}, s)
}

// isPlain reports whether a text is already clean, as most are: printable ASCII with
// single blanks between words.
func isPlain(s string) bool {
	return isPrintable(s) && !strings.HasPrefix(s, " ") && !strings.HasSuffix(s, " ") && !strings.Contains(s, "  ")
}

// isPrintable reports whether a text is all printable ASCII.
func isPrintable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Lines is Keep for text of several lines, which stay lines. Lines after the first
// begin with indent: if it is not empty, no line of the text can pass for one of
// assay's own.
func Lines(s, indent string) string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n"), "\n")
	for i, l := range lines {
		lines[i] = Keep(l, -1)
	}
	return strings.Join(lines, "\n"+indent)
}

// Raw reports whether a rune must not be printed as is: a terminal obeys it, it
// starts a line, or it changes how its neighbours are drawn.
func Raw(r rune) bool { return breaks(r) || invisible(r) }

func breaks(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

func invisible(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)
}

// briefLimit is how many runes Brief keeps: a line or two, even from a host that
// prints a million.
const briefLimit = 300

// Brief is Clean for a program's error output in a message: it keeps the beginning
// of a long text.
func Brief(text []byte) string {
	// Clean may drop most of what is kept here, but no message needs more.
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
