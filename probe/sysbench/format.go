package sysbench

import (
	"bytes"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// marks are lines that an output contains in this order. Any of them opens an
// output whose head is missing.
var marks = []*lazyregexp.Regexp{
	lazyregexp.New(`^sysbench \d+\.\d[\w.\-]*(?:: +multi-threaded system| \(using )`),
	lazyregexp.New(`^Running the test with following options:$`),
	lazyregexp.New(`^Extra file open flags: `),
	lazyregexp.New(`^(?:Running memory speed test with the following options:|Doing (?:CPU performance benchmark|memory operations speed test|OLTP test\.?|.* subsystem performance test|random .* test|sequential .* test))$`),
	lazyregexp.New(`^(?:Prime numbers limit: \d+|Maximum prime number checked in CPU test: \d+)$`),
	lazyregexp.New(`^(?:CPU speed:|File operations:|read: +IOPS=\d+\.\d+ \d+\.\d+ MiB/s \(\d+\.\d+ MB/s\)|Operations performed: +\d+ [Rr]eads?, \d+ [Ww]rites?, .*|Total operations: \d+ \( *[\d.]+ per second\)|Operations performed: \d+ \( *[\d.]+ ops/sec\)|(?:OLTP test|SQL) statistics:)$`),
	lazyregexp.New(`^(?:events per second: +\d+\.\d+|\d+\.\d+ Mi?B transferred \( *\d+\.\d+ Mi?B/sec\))$`),
	lazyregexp.New(`^Test execution summary:$`),
}

// Format recognises sysbench's output by its headings.
func (probe) Format() assay.Format {
	return assay.Format{Tool: "sysbench", Commands: []string{"sysbench"}, Begins: begins, Splits: splits}
}

func begins(line string) bool { return mark(line) >= 0 }

// mark returns a line's index among the marks, or -1.
func mark(line string) int {
	line = strings.TrimSpace(line)
	// Most lines of a long log are skipped without matching a pattern.
	if line == "" || strings.IndexByte("sRESFDPMCTOer0123456789", line[0]) < 0 || strings.IndexByte("0123456789", line[0]) >= 0 && !strings.Contains(line, "transferred") {
		return -1
	}
	return slices.IndexFunc(marks, func(r *lazyregexp.Regexp) bool { return r.MatchString(line) })
}

// splits reports whether next begins another run: a mark that belongs at or
// before one already seen.
func splits(sofar []byte, next string) bool {
	at := mark(next)
	if at < 0 {
		return true
	}
	for line := range bytes.Lines(sofar) {
		if mark(string(line)) >= at {
			return true
		}
	}
	return false
}
