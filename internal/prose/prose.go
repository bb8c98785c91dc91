// Package prose provides the small words of sentences: plurals, lists, numbers
// written out.
package prose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// WithVerb counts a noun with its verb: "1 trial has", "3 trials have".
func WithVerb(n int, noun, one, many string) string {
	if n == 1 {
		return "1 " + noun + " " + one
	}
	return Plural(n, noun) + " " + many
}

// Few lists up to six names; of more, the first five and a count.
func Few(names []string) string {
	if len(names) > 6 {
		names = append(slices.Clone(names[:5]), fmt.Sprintf("%d more", len(names)-5))
	}
	return And(names)
}

// And joins names as a sentence does: a, b and c.
func And(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// Or joins alternatives: a, b or c.
func Or(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// Plural counts a noun: "1 host", "3 hosts".
func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// Number spells out a small number.
func Number(n int) string {
	if words := []string{"no", "one", "two", "three", "four", "five", "six"}; n >= 0 && n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

// Enumerate lists the first few names and counts the others.
func Enumerate(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, "; ")
	}
	return fmt.Sprintf("%s; and %d more", strings.Join(names[:most], "; "), len(names)-most)
}

// Sentence makes a title or message the start of a sentence.
func Sentence(s string) string {
	s = strings.TrimSuffix(s, ".")
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
