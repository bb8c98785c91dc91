package term

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"assay/internal/oneline"
)

// cells measures runes. It ignores the user's locale: the same report has the
// same lines everywhere.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// clean is oneline.Clean: clean text is as wide as the sum of its runes.
func clean(s string) string { return oneline.Clean(s) }

// width returns how many columns a clean text takes.
func width(s string) int {
	n := 0
	for _, r := range s {
		if r >= ' ' && r <= '~' {
			n++ // most are ASCII and need no table
			continue
		}
		n += cells.RuneWidth(r)
	}
	return n
}

// pad fills s with spaces up to n columns.
func pad(s string, n int, right bool) string {
	gap := strings.Repeat(" ", max(n-width(s), 0))
	if right {
		return gap + s
	}
	return s + gap
}

// shorten cuts s to n columns, with an ellipsis where something is lost.
func shorten(s string, n int) string {
	if width(s) <= n {
		return s
	}
	head, _ := cut(s, n-1)
	return strings.TrimRight(head, " ") + "…"
}

// wrap breaks a clean text into lines of at most room columns; none for "".
func wrap(s string, room int) []string {
	room = max(room, 2) // the widest rune
	var lines []string
	line := ""
	for _, word := range bound(strings.Fields(s), room) {
		switch {
		case line == "":
			line = word
		case width(line)+1+width(word) <= room:
			line += " " + word
			continue
		default:
			lines, line = append(lines, line), word
		}
		for width(line) > room {
			var head string
			head, line = cut(line, room)
			lines = append(lines, head)
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// units are the words that stay with the number before them.
var units = map[string]bool{
	"%": true, "s": true, "ms": true, "µs": true, "ns": true, "min": true, "h": true, "°C": true, "B": true,
	"B/s": true, "kB/s": true, "MB/s": true, "GB/s": true, "TB/s": true, "GT/s": true, "KiB": true, "MiB": true, "GiB": true, "TiB": true,
	"Hz": true, "MHz": true, "GHz": true, "IOPS": true, "events/s": true, "/s": true, "MT/s": true, "lanes": true,
	"bit/s": true, "kbit/s": true, "Mbit/s": true, "Gbit/s": true, "Gb/s": true, "Mb/s": true,
}

// bound joins each number with the unit after it, and a separating dot with the
// word before it.
func bound(words []string, room int) []string {
	var out []string
	for _, w := range words {
		if n := len(out); n > 0 && width(out[n-1])+1+width(w) <= room {
			last := out[n-1]
			end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(last, "kMGTP"))
			count := strings.HasPrefix(last, "n=") && (w == "×" || strings.HasSuffix(last, "×"))
			if count || w == "·" || last == "±" || last == "✗" || unicode.IsDigit(end) && units[strings.TrimRight(w, ".,:;)]")] {
				out[n-1] = last + " " + w
				continue
			}
		}
		out = append(out, w)
	}
	return out
}

// cut parts s after at most n columns, but always after at least one rune.
func cut(s string, n int) (head, rest string) {
	taken := 0
	for i, r := range s {
		w := cells.RuneWidth(r)
		if i > 0 && taken+w > n {
			return s[:i], s[i:]
		}
		taken += w
	}
	return s, ""
}

// join joins the non-empty words with sep.
func join(sep string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), sep)
}

// Wrap breaks a text into lines of at most that many columns.
func Wrap(s string, columns int) []string { return wrap(clean(s), columns) }
