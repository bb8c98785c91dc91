package iperf3

import (
	"bytes"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Format recognises iperf3's output by its opening lines, its table, and the
// three parts of its JSON document.
func (*Probe) Format() assay.Format {
	return assay.Format{
		Tool: tool, Commands: []string{"iperf3"},
		Begins: begins, Splits: splits, Accepts: accepts,
	}
}

// Lines that only iperf3 prints. A title (-T) or a time (--timestamps) may
// precede the first.
var (
	connecting = lazyregexp.New(`^(?:.{1,40}(?:: +|[:\d]\d\d? ))?Connecting to host (\S+), port \d+ *$`)
	listening  = lazyregexp.New(`^Server listening on \d+(?: \(test #\d+\))? *$`)
	accepted   = lazyregexp.New(`^Accepted connection from (\S+), port \d+ *$`)
	versioned  = lazyregexp.New(`^iperf (3\.\d[\w.+-]*)(?: \(cJSON [\d.]+\))? *$`)
	troubled   = lazyregexp.New(`^iperf3: (?:error - |interrupt - |the (?:client|server) has |OUT OF ORDER - )`)
	wired      = lazyregexp.New(`^\[ *\d+ ?\] local \S+ port \d+ connected to \S+ port \d+`)
	// At any width, only iperf3 prints Bitrate; iperf 2 prints Bandwidth.
	renamed = lazyregexp.New(`^\[ ID ?\](?:\[Role\])? +Interval +Transfer +Bitrate\b`)
	header  = lazyregexp.New(`^\[ ID ?\](?:\[Role\])? Interval {11}Transfer {5}(?:Bitrate|Bandwidth)`)
	// A row's times have two decimals and are padded to a fixed width; if
	// blanks were folded on the way, there is one everywhere.
	tabled = lazyregexp.New(`^\[ *(?:\d+|SUM) ?\](?:\[[RT]X-[CS]\])?(?: +\d+\.\d\d- *\d+\.\d\d {2,}sec {2} *| \d+\.\d\d-\d+\.\d\d sec )\d[\d.]* [KMGTP]?Bytes`)
	// The rows at the end name their side, as no other tool's do.
	sided = lazyregexp.New(`^\[ *(?:\d+|SUM) ?\](?:\[[RT]X-[CS]\])? *\d+\.\d\d- *\d+\.\d\d *sec +\d[\d.]* [KMGTP]?Bytes .*(?:sender|receiver) *$`)
	// Versions before 3.1.3 end with this.
	counted = lazyregexp.New(`(?m)^\[ *\d+ ?\] Sent \d+ datagrams *$`)
)

// summing precedes the summary in the first versions.
const summing = "Test Complete. Summary Results:"

func begins(line string) bool {
	if len(line) > 400 {
		return false
	}
	line = strings.TrimLeft(line, " \t") // it may be indented in other text
	switch {
	case strings.HasPrefix(line, "["):
		return tabled.MatchString(line) || wired.MatchString(line) || header.MatchString(line) ||
			renamed.MatchString(line) || sided.MatchString(line)
	case strings.HasPrefix(line, summing):
		return true
	case strings.HasPrefix(line, "iperf"):
		return versioned.MatchString(line) || troubled.MatchString(line)
	case strings.Contains(line, "Connecting to host "):
		return connecting.MatchString(line)
	}
	return listening.MatchString(line) || accepted.MatchString(line)
}

// near is how many bytes at each end of an excerpt are searched: an output
// starts at the head of its own excerpt, and ends at its tail. Without a limit,
// many lines that start nothing would take quadratic time.
const near = 2048

// splits keeps the lines of one test together: a server prints that it listens,
// that it accepted, and whom, before it measures; a client that requested the
// server's output prints a second head in the middle.
func splits(sofar []byte, next string) bool {
	next = strings.TrimLeft(next, " \t")
	head, tail := sofar[:min(near, len(sofar))], sofar[max(0, len(sofar)-near):]
	if strings.HasPrefix(next, "{") {
		const event = `{"event":`
		same := bytes.HasPrefix(bytes.TrimSpace(head), []byte(event)) && strings.HasPrefix(next, event)
		return !same || strings.HasPrefix(next, event+`"start"`)
	}
	done := bytes.Contains(tail[max(0, len(tail)-200):], []byte("iperf Done."))
	if i := bytes.LastIndex(tail, []byte("Server output:")); i >= 0 && !bytes.Contains(tail[i:], []byte("iperf Done.")) {
		return false
	}
	switch {
	case listening.MatchString(next), versioned.MatchString(next):
		return done || hasBegun(head) || bytes.Contains(head, []byte("Server listening on "))
	case accepted.MatchString(next), connecting.MatchString(next):
		return done || hasBegun(head)
	case header.MatchString(next), strings.HasPrefix(next, summing):
		return done || counted.Match(tail)
	}
	return done
}

// hasBegun reports whether a client or a server has met its peer.
func hasBegun(head []byte) bool {
	for _, sign := range []string{"Connecting to host ", "Accepted connection from ", " sec  ", " connected to "} {
		if bytes.Contains(head, []byte(sign)) {
			return true
		}
	}
	return false
}

// accepts reports whether keys are those of a document, or of an event in a
// stream.
func accepts(keys []string) bool {
	has := func(key string) bool { return slices.Contains(keys, key) }
	return has("start") && has("intervals") && has("end") ||
		len(keys) == 2 && has("event") && has("data")
}
