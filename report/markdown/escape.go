package markdown

import (
	"strings"
	"unicode"
)

// escape turns one line of text into inline Markdown that renders as itself: no
// emphasis, no link, no HTML, no end of a table cell.
func escape(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		switch r {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '_':
			// Inside a word an underscore is literal: io_uring stays readable.
			if i == 0 || i == len(runes)-1 || !isWord(runes[i-1]) || !isWord(runes[i+1]) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		case '[', ']':
			// Brackets are a link only with something after them, and a checkbox
			// only at the start: [1] stays readable.
			opens := r == ']' && i+1 < len(runes) && strings.ContainsRune("([:", runes[i+1])
			if i == 0 || opens {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		case '\\', '`', '*', '|', '~', '#', '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// paragraph is escape for text at the start of a block, where a dash, a plus, an
// equals sign or a number would open something else.
func paragraph(s string) string {
	s = escape(s)
	if s == "" {
		return ""
	}
	switch first := rune(s[0]); {
	case strings.ContainsRune("-+=", first):
		return `\` + s
	case unicode.IsDigit(first):
		end := strings.TrimLeft(s, "0123456789")
		if strings.HasPrefix(end+" ", ". ") || strings.HasPrefix(end+" ", ") ") {
			return s[:len(s)-len(end)] + `\` + end
		}
	}
	return s
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
