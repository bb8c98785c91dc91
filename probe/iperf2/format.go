package iperf2

import (
	"bytes"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Format tells iperf 2's output by its heads and its table.
func (reader) Format() assay.Format {
	return assay.Format{Tool: tool, Commands: []string{"iperf"}, Begins: begins, Splits: splits}
}

// tabled is a row that is iperf 2's: with one decimal or four in its times, or
// with two that are not padded, as iperf3's are.
var tabled = lazyregexp.New(`^\[ *\*?(?:\d+|SUM) ?\] (?: *\d+\.\d- *\d+\.\d| *\d+\.\d{4}-\d+\.\d{4}|\d{1,2}\.\d\d-\d{1,2}\.\d\d) sec {1,2} *\d[\d.]* [KMGTP]?(?:Bytes|bits) `)

var (
	wired = lazyregexp.New(`^\[ *\*?\d+ ?\] local \S+ port \d+ connected with \S+ port \d+`)
	// Where a row with two decimals had its blanks folded, it is taken for
	// iperf3's, whose blanks are more.
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

// near is how much of an excerpt's tail is looked at, so that many heads are
// not quadratic.
const near = 4096

// splits keeps a test in both directions together: its second head, and what a
// server connects back, come amid its own lines. A client's head behind a table
// of a client is another test.
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
	// A server's log: what it connects back to is of the same test.
	return false
}
