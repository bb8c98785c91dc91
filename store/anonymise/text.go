package anonymise

import (
	"slices"
	"strings"

	"assay/internal/lazyregexp"
	"assay/internal/order"
)

// span is a part of a text with its replacement.
type span struct {
	from, to int
	with     func(was string) string
}

// text replaces everything in a text that is known or has a recognisable form.
func (n *Names) text(s string) string {
	if len(s) < 2 {
		return s
	}
	return replaced(s, n.spans(s))
}

// transcript is like text, but also replaces every word that is not a tool's.
func (n *Names) transcript(s string) string {
	return replaced(s, append(n.spans(s), n.strange(s, plain)...))
}

// prose is like text, but also replaces every word that is not assay's, a tool's or a
// maker's.
func (n *Names) prose(s string) string {
	return replaced(s, append(n.spans(s), n.strange(s, n.said)...))
}

// spans finds everything that is known or has a recognisable form.
func (n *Names) spans(s string) []span {
	return slices.Concat(n.known(s), n.formed(s), n.homes(s))
}

// replaced returns a text with its spans replaced.
func replaced(s string, spans []span) string {
	if len(spans) == 0 {
		return s
	}
	// From the left; at the same start the longest first, and at equal length
	// what was learnt.
	order.Stable(spans, func(a, b span) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	var out strings.Builder
	at := 0
	for _, sp := range spans {
		if sp.from < at {
			continue
		}
		out.WriteString(s[at:sp.from])
		out.WriteString(sp.with(s[sp.from:sp.to]))
		at = sp.to
	}
	out.WriteString(s[at:])
	return out.String()
}

// formed finds everything with a recognisable form.
func (n *Names) formed(s string) (spans []span) {
	for _, k := range withForms {
		for _, form := range k.forms {
			for _, at := range form.FindAllStringSubmatchIndex(s, -1) {
				from, to := at[len(at)-2], at[len(at)-1]
				if k == kindIPv6 && within(s, from, to) || k.is != nil && !k.is(s[from:to]) {
					continue
				}
				spans = append(spans, span{from, to, func(was string) string { return n.pseudonym(k, was) }})
			}
		}
	}
	return spans
}

// within reports whether a letter, digit or colon is adjacent to a part of a text.
func within(s string, from, to int) bool {
	beside := func(c byte) bool { return isWord(c) || c == ':' }
	return from > 0 && beside(s[from-1]) || to < len(s) && beside(s[to])
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// homePath matches a path below a home, as far as it goes without quoting.
var homePath = lazyregexp.New(`/(?:home|Users)/[^\s"'<>|:;,()\[\]{}\\]+`)

func (n *Names) homes(s string) (spans []span) {
	for _, at := range homePath.FindAllStringIndex(s, -1) {
		spans = append(spans, span{at[0], at[1], n.home})
	}
	return spans
}

// home replaces all names in a path below /home: those of the user, directories
// and files.
func (n *Names) home(path string) string {
	words := strings.Split(path, "/")
	below := 0 // words after home
	for i, w := range words {
		switch {
		case below == 0:
			if w == "home" || w == "Users" {
				below++
			}
			continue
		case w == "" || w == "." || w == "..":
			continue
		case below == 1:
			words[i] = n.pseudonym(kindUser, w)
		default:
			words[i] = n.pseudonym(kindDirectory, w)
		}
		below++
	}
	return strings.Join(words, "/")
}

// known finds everything that was learnt.
func (n *Names) known(s string) (spans []span) {
	for i := range len(s) {
		for _, needed := range n.needles[lowerByte(s[i])] {
			end := i + len(needed.lower)
			if end > len(s) || !equalFold(s[i:end], needed.lower) {
				continue
			}
			if needed.alone && (i > 0 && isWord(s[i-1]) || end < len(s) && isWord(s[end])) || toolsOwn(s, i, end) {
				continue
			}
			spans = append(spans, n.found(s, i, end, needed.kind))
			break
		}
	}
	return spans
}

// toolsOwn reports whether s[from:to] is a tool's own word there, whoever else is called
// that: a part of a longer word or of one with _, a key of JSON or before =, or a usual
// first directory of a path.
func toolsOwn(s string, from, to int) bool {
	a, b := from, to
	for a > 0 && isWord(s[a-1]) {
		a--
	}
	for b < len(s) && isWord(s[b]) {
		b++
	}
	word, rest := strings.ToLower(s[a:b]), s[b:]
	switch {
	case !toolWords()[word]:
		return false
	case b-a > to-from:
		return true
	case a > 0 && s[a-1] == '_' || strings.HasPrefix(rest, "_") || strings.HasPrefix(rest, "="):
		return true
	case a > 0 && s[a-1] == '"' && jsonKey.MatchString(rest):
		return true
	}
	before, is := strings.CutSuffix(s[:a], "/")
	before, double := strings.CutSuffix(before, "/") // as in a subject's id: host/directory//srv
	inID := before != "" && isWord(before[len(before)-1])
	return is && directories[word] && inID == double
}

// jsonKey matches what follows a key, also in JSON within a string.
var jsonKey = lazyregexp.New(`^\\?"[ \t]*:`)

// found returns the replacement of a needle at s[from:to].
func (n *Names) found(s string, from, to int, k *kind) span {
	switch k {
	case nil:
		return span{from, to, func(was string) string { return n.ids[strings.ToLower(was)] }}
	case kindHost:
		return span{from, to + len(domain.FindString(s[to:])), n.host}
	case kindHomePath:
		return span{from, to + len(pathRest.FindString(s[to:])), n.home}
	}
	return span{from, to, func(was string) string { return n.pseudonym(k, was) }}
}

var (
	// domain matches the rest of a host's full name.
	domain = lazyregexp.New(`^(?:\.[a-z][a-z0-9-]*)+`)
	// pathRest matches what makes a directory a longer path.
	pathRest = lazyregexp.New(`^/[^\s"'<>|:;,()\[\]{}\\]*`)
)

// kindHomePath is a whole path below a home, from a field: it may contain blanks.
var kindHomePath = &kind{}

func equalFold(s, lower string) bool {
	for i := range len(s) {
		if lowerByte(s[i]) != lower[i] {
			return false
		}
	}
	return true
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
