package iperf3

import (
	"bytes"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Format tells iperf3's output by its opening lines, its table, and the three
// parts of its JSON document.
func (*Probe) Format() assay.Format {
	return assay.Format{
		Tool: tool, Commands: []string{"iperf3"},
		Begins: begins, Splits: splits, Accepts: accepts,
	}
}

// The lines that only iperf3 prints. A title (-T) or a time (--timestamps) may
// stand before the first.
var (
	connecting = lazyregexp.New(`^(?:.{1,40}(?:: +|[:\d]\d\d? ))?Connecting to host (\S+), port \d+ *$`)
	listening  = lazyregexp.New(`^Server listening on \d+(?: \(test #\d+\))? *$`)
	accepted   = lazyregexp.New(`^Accepted connection from (\S+), port \d+ *$`)
	versioned  = lazyregexp.New(`^iperf (3\.\d[\w.+-]*)(?: \(cJSON [\d.]+\))? *$`)
	troubled   = lazyregexp.New(`^iperf3: (?:error - |interrupt - |the (?:client|server) has |OUT OF ORDER - )`)
	wired      = lazyregexp.New(`^\[ *\d+ ?\] local \S+ port \d+ connected to \S+ port \d+`)
	// However wide, Bitrate is iperf3's word alone; iperf 2 says Bandwidth.
	renamed = lazyregexp.New(`^\[ ID ?\](?:\[Role\])? +Interval +Transfer +Bitrate\b`)
	header  = lazyregexp.New(`^\[ ID ?\](?:\[Role\])? Interval {11}Transfer {5}(?:Bitrate|Bandwidth)`)
	// A row has two decimals in its times and pads them to a fixed width; where
	// blanks were folded on the way, one is everywhere.
	tabled = lazyregexp.New(`^\[ *(?:\d+|SUM) ?\](?:\[[RT]X-[CS]\])?(?: +\d+\.\d\d- *\d+\.\d\d {2,}sec {2} *| \d+\.\d\d-\d+\.\d\d sec )\d[\d.]* [KMGTP]?Bytes`)
	// The rows at the end say whose they are, as those of no other tool do.
	sided = lazyregexp.New(`^\[ *(?:\d+|SUM) ?\](?:\[[RT]X-[CS]\])? *\d+\.\d\d- *\d+\.\d\d *sec +\d[\d.]* [KMGTP]?Bytes .*(?:sender|receiver) *$`)
	// Versions before 3.1.3 end so.
	counted = lazyregexp.New(`(?m)^\[ *\d+ ?\] Sent \d+ datagrams *$`)
)

// summing stood before the summary of the first versions.
const summing = "Test Complete. Summary Results:"

func begins(line string) bool {
	if len(line) > 400 {
		return false
	}
	line = strings.TrimLeft(line, " \t") // somebody set it into a text of his own
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

// near is how much of an excerpt's ends is looked at: an output opens at the
// head of its own excerpt, and ends at the tail of it. Without a bound, many
// lines that open nothing would make this quadratic.
const near = 2048

// splits keeps the lines of one test together: a server says that it listens,
// that it accepted, and whom, before it measures; a client that asked for the
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

// accepts takes a whole document, and one event of a stream of them.
func accepts(keys []string) bool {
	has := func(key string) bool { return slices.Contains(keys, key) }
	return has("start") && has("intervals") && has("end") ||
		len(keys) == 2 && has("event") && has("data")
}
