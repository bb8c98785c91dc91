package iperf2

import (
	"bytes"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Format recognises iperf 2's output by its heads and its table.
func (reader) Format() assay.Format {
	return assay.Format{Tool: tool, Commands: []string{"iperf"}, Begins: begins, Splits: splits}
}

// tabled matches a row that only iperf 2 prints: with one or four decimals in
// its times, or with two and no padding, unlike iperf3's.
var tabled = lazyregexp.New(`^\[ *\*?(?:\d+|SUM) ?\] (?: *\d+\.\d- *\d+\.\d| *\d+\.\d{4}-\d+\.\d{4}|\d{1,2}\.\d\d-\d{1,2}\.\d\d) sec {1,2} *\d[\d.]* [KMGTP]?(?:Bytes|bits) `)

var (
	wired = lazyregexp.New(`^\[ *\*?\d+ ?\] local \S+ port \d+ connected with \S+ port \d+`)
	// A row with two decimals and folded blanks counts as iperf3's, which has
	// more blanks.
	folded = lazyregexp.New(`^\[ *\d+ ?\] \d+\.\d\d-\d+\.\d\d sec \d`)
)

// sided reports whether a row ends as only iperf3's do.
func sided(line string) bool {
	line = strings.TrimRight(line, " ")
	return strings.HasSuffix(line, " sender") || strings.HasSuffix(line, " receiver")
}

func begins(line string) bool {
	if len(line) > 400 {
		return false
	}
	if isComma(line) {
		return true
	}
	if strings.HasPrefix(line, "[") {
		return wired.MatchString(line) || tabled.MatchString(line) && !folded.MatchString(line) && !sided(line)
	}
	return head.MatchString(line) && !strings.HasPrefix(strings.TrimLeft(line, " \t"), ">")
}

// near is how much of an excerpt's tail is searched, so that many heads are not
// quadratic.
const near = 4096

// splits keeps a bidirectional test together: its second head, and a server's
// connections back, come between its own lines. A client's head after a
// client's table starts another test.
func splits(sofar []byte, next string) bool {
	if !head.MatchString(next) {
		return false
	}
	tail := sofar[max(0, len(sofar)-near):]
	opened := sofar[:min(near, len(sofar))]
	listens := bytes.Contains(opened, []byte("Server listening on "))
	measured := bytes.Contains(tail, []byte("/sec"))
	if strings.Contains(next, "Server listening on ") {
		return measured || listens
	}
	if !listens {
		return true // a client's second head
	}
	if bytes.Contains(tail, []byte("Client connecting to ")) {
		return measured
	}
	// In a server's log, a connection back belongs to the same test.
	return false
}
