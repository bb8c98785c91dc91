package anonymise

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"assay/internal/lazyregexp"
)

// wordsOfTools are the lower-case words of tools' input and output: those of captures used
// by three tests or more, and of the texts in the code of probes. A test writes them.
//
//go:embed words.txt
var wordsOfTools string

var toolWords = sync.OnceValue(func() map[string]bool { return wordSet(wordsOfTools) })

// wordsOfAssay are the lower-case words of the texts in assay's code. A test writes
// them.
//
//go:embed prose.txt
var wordsOfAssay string

var assayWords = sync.OnceValue(func() map[string]bool { return wordSet(wordsOfAssay) })

// kindWord is a word of a transcript that no tool uses.
var kindWord = &kind{name: numbered("word%d")}

// Tool output is free text, in which names cannot be distinguished from words. So
// only numbers, units and words of tools stay in a transcript.

// plainToken matches words with digits that identify nobody.
var plainToken = lazyregexp.New(`^(?:[0-9]+|[a-z]|[0-9]+e[0-9]*|p[0-9]{2,4}|0x[0-9a-f]{1,4}|[0-9]{1,3}x[0-9]{1,3}|` +
	`(?:sd[a-z]{1,2}|vd[a-z]|xvd[a-z]|hd[a-z]|md|dm|loop|zram|nbd|rbd|drbd|zd|mmcblk[0-9]+p?|nvme[0-9]+n?[0-9]*p?)[0-9]*)$`)

var numbered2 = lazyregexp.New(`^([0-9]*)(\pL+?)([0-9]*)$`)

// plain reports whether a word of a transcript identifies nobody.
func plain(word string) bool {
	lower := strings.ToLower(word)
	if toolWords()[lower] || plainToken.MatchString(lower) {
		return true
	}
	m := numbered2.FindStringSubmatch(lower) // 64k, 4KiB, cpu0
	return m != nil && (m[1] == "" || m[3] == "") && (toolWords()[m[2]] || m[1] != "" && len(m[2]) == 1) && (m[1] != "" || len(m[2]) > 1)
}

// said reports whether a word of assay's own text identifies nobody.
func (n *Names) said(word string) bool {
	lower := strings.ToLower(word)
	return assayWords()[lower] || n.products[lower] || plain(word)
}

// ours reports whether a word of a name occurs in assay's suites, cases and texts.
func ours(word string) bool {
	lower := strings.ToLower(word)
	if assayWords()[lower] || plain(word) {
		return true
	}
	m := numbered2.FindStringSubmatch(lower) // qd32
	return m != nil && (m[1] == "" || m[3] == "") && assayWords()[m[2]]
}

// learnProduct registers the words of a maker.
func (n *Names) learnProduct(s string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		n.products[w] = true
	}
}

// strange finds the words of a text that may identify somebody. Invalid UTF-8 counts as
// letters.
func (n *Names) strange(s string, known func(word string) bool) (spans []span) {
	of := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == utf8.RuneError || unicode.IsMark(r)
	}
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		if r == '\\' && at+1 < len(s) { // JSON escape: what follows is no letter
			at += 2
			continue
		}
		if !of(r) {
			at += size
			continue
		}
		end := at
		for end < len(s) {
			r, size := utf8.DecodeRuneInString(s[end:])
			if !of(r) {
				break
			}
			end += size
		}
		if !known(s[at:end]) {
			spans = append(spans, span{at, end, func(was string) string { return n.pseudonym(kindWord, was) }})
		}
		at = end
	}
	return spans
}
