package ingest

import (
	"bytes"
	"html"
	"strings"

	"assay/internal/lazyregexp"
)

// clean returns a line as it appeared on screen: without terminal escapes and
// overwritten text, and without log and quotation prefixes.
func clean(raw []byte) string {
	if bytes.IndexByte(raw, 0x1b) >= 0 {
		raw = withoutEscapes(raw)
	}
	if bytes.IndexByte(raw, '\r') >= 0 {
		raw = lastWritten(raw)
	}
	if bytes.IndexByte(raw, '\b') >= 0 {
		raw = withoutErased(raw)
	}
	line := string(raw)
	if !isASCII(raw) {
		line = blanks.Replace(strings.ToValidUTF8(line, "\ufffd"))
	}
	if strings.IndexByte(line, '&') >= 0 {
		line = html.UnescapeString(line)
	}
	if strings.Contains(line, "**") {
		line = withoutEmphasis(line)
	}
	if strings.Contains(line, "</") {
		line = markup.ReplaceAllString(line, "")
	}
	return withoutLogPrefix(withoutTags(withoutBackquotes(withoutQuote(line))))
}

// withoutBackquotes strips the backquotes in which authors put a line, or begin and
// end several, as Markdown's code.
func withoutBackquotes(line string) string {
	text := strings.TrimSpace(line)
	if strings.HasPrefix(text, "* `") || strings.HasPrefix(text, "- `") {
		text = text[2:] // of a list
	}
	opens, closes := strings.HasPrefix(text, "`"), strings.HasSuffix(text, "`")
	switch n := strings.Count(text, "`"); {
	case n == 2 && opens && closes:
		return text[1 : len(text)-1]
	case n == 1 && opens:
		return text[1:]
	case n == 1 && closes:
		return strings.TrimSuffix(strings.TrimRight(line, " \t"), "`")
	}
	return line
}

// markup matches HTML tags that make part of a line bold or coloured. Any line with
// one also has its closing tag.
var markup = lazyregexp.New(`(?i)</?(?:b|i|em|strong|span|font|mark|code)(?: [^<>]{0,80})?>`)

// forumTag matches what forums put around output: [code] before its first line,
// [/code] after its last.
var forumTag = lazyregexp.New(`(?i)^\[(?:code|quote|html|pre|spoiler)\]|\[/(?:code|quote|html|pre|spoiler)\]$`)

// withoutTags strips forum tags.
func withoutTags(line string) string {
	opens := len(line) > 1 && line[0] == '[' && line[1]|0x20 >= 'a' && line[1]|0x20 <= 'z'
	if opens || strings.HasSuffix(line, "]") && strings.Contains(line, "[/") {
		return forumTag.ReplaceAllString(line, "")
	}
	return line
}

// withoutEmphasis strips the asterisks that authors put around what matters.
func withoutEmphasis(line string) string {
	if strings.Count(line, "**")%2 != 0 || strings.Count(line, "***")%2 != 0 {
		return line // unpaired: a pattern, or a power
	}
	return strings.ReplaceAll(strings.ReplaceAll(line, "***", ""), "**", "")
}

// cleanJSON cleans a line inside a JSON document, leaving strings as they are.
func cleanJSON(raw []byte) []byte {
	if bytes.IndexByte(raw, 0x1b) >= 0 {
		raw = withoutEscapes(raw)
	}
	raw = bytes.TrimSuffix(raw, []byte("\r"))
	if len(raw) > 20 && raw[10] == 'T' && raw[4] == '-' {
		raw = []byte(withoutLogPrefix(string(raw)))
	}
	return raw
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// blanks replaces characters that editors and web pages use instead of a space,
// and removes zero-width ones.
var blanks = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2007", " ", "\u200b", "", "\ufeff", "", "\u00ad", "")

// withoutEscapes removes terminal escape sequences: CSI, OSC and the short ones
// (ECMA-48).
func withoutEscapes(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != 0x1b {
			out = append(out, b[i])
			continue
		}
		if i++; i >= len(b) {
			break
		}
		switch b[i] {
		case '[':
			for i++; i < len(b) && (b[i] < 0x40 || b[i] > 0x7e); i++ {
			}
		case ']':
			for i++; i < len(b) && b[i] != 7; i++ {
				if b[i] == 0x1b {
					i++
					break
				}
			}
		case '(', ')', '#', '%':
			i++
		}
	}
	return out
}

// lastWritten returns what remains of a line after carriage returns: the last
// piece that is not blank.
func lastWritten(b []byte) []byte {
	for {
		b = bytes.TrimRight(b, "\r")
		i := bytes.LastIndexByte(b, '\r')
		if i < 0 {
			return b
		}
		if rest := b[i+1:]; len(bytes.TrimSpace(rest)) > 0 {
			return rest
		}
		b = b[:i]
	}
}

func withoutErased(b []byte) []byte {
	var out []byte
	for _, c := range b {
		switch {
		case c != '\b':
			out = append(out, c)
		case len(out) > 0:
			out = out[:len(out)-1]
		}
	}
	return out
}

// withoutQuote strips the quote markers of Markdown and mail.
func withoutQuote(line string) string {
	for {
		rest := strings.TrimLeft(line, ">") // >>> is text quoted three times
		if rest == line || !strings.HasPrefix(rest, " ") {
			return line
		}
		line = rest[1:]
	}
}

var (
	// Nov 14 20:20:26 host fio[311]: — the journal
	journalPrefix = lazyregexp.New(`^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ (?:fio|dd|sysbench|smartctl|sensors|iperf3?|rados)\[\d+\]: `)
	// 12:10:43 DEBUG| [stdout] — the log of a test runner
	runnerPrefix = lazyregexp.New(`^\d\d:\d\d:\d\d [A-Z]+ *\| \[std(?:out|err)\] `)
)

// withoutLogPrefix strips the timestamp that container runtimes put before a
// line ("2025-11-14T20:20:26.123456789Z stdout F "), and the prefixes of the
// journal and test runners. Other times with a blank in them belong to the
// tool.
func withoutLogPrefix(line string) string {
	if len(line) > 12 && line[2] == ':' && line[5] == ':' && strings.Contains(line, "| [std") {
		return line[len(runnerPrefix.FindString(line)):]
	}
	if len(line) > 20 && line[9] == ':' && line[12] == ':' && strings.Contains(line, "]: ") {
		return line[len(journalPrefix.FindString(line)):]
	}
	if len(line) < 21 || line[0] < '1' || line[0] > '2' || line[4] != '-' || line[10] != 'T' || line[13] != ':' {
		return line
	}
	stamp, rest, ok := strings.Cut(line, " ")
	if !ok || len(stamp) > 36 || !strings.HasSuffix(stamp, "Z") && strings.LastIndexAny(stamp, "+-") <= 15 {
		return line
	}
	for _, stream := range []string{"stdout ", "stderr "} {
		if after, ok := strings.CutPrefix(rest, stream); ok && len(after) > 1 && after[1] == ' ' {
			return after[2:]
		}
	}
	return rest
}

// isFence reports whether a line opens or closes a Markdown code block.
func isFence(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// besideFence returns what an author put on the line of a fence; a single word is the
// language of the block.
func besideFence(line string) string {
	rest := strings.TrimSpace(strings.TrimLeft(line, " \t`~"))
	if !strings.Contains(rest, " ") {
		return ""
	}
	return rest
}

// isHeading reports whether a line is a heading of Markdown, of the second level or
// below: what one # begins may be a comment, or a prompt.
func isHeading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	return len(line)-len(rest) >= 2 && len(line)-len(rest) <= 6 && strings.HasPrefix(rest, " ")
}
