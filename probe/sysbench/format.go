package sysbench

import (
	"bytes"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// marks are the lines that stand in an output in this order. Any of them opens
// one whose head was lost.
var marks = []*lazyregexp.Regexp{
	lazyregexp.New(`^sysbench \d+\.\d[\w.\-]*(?:: +multi-threaded system| \(using )`),
	lazyregexp.New(`^Running the test with following options:$`),
	lazyregexp.New(`^Extra file open flags: `),
	lazyregexp.New(`^(?:Running memory speed test with the following options:|Doing (?:CPU performance benchmark|memory operations speed test|OLTP test\.?|.* subsystem performance test|random .* test|sequential .* test))$`),
	lazyregexp.New(`^(?:Prime numbers limit: \d+|Maximum prime number checked in CPU test: \d+)$`),
	lazyregexp.New(`^(?:CPU speed:|File operations:|Operations performed: +\d+ [Rr]eads?, \d+ [Ww]rites?, .*|Total operations: \d+ \( *[\d.]+ per second\)|Operations performed: \d+ \( *[\d.]+ ops/sec\)|(?:OLTP test|SQL) statistics:)$`),
	lazyregexp.New(`^(?:events per second: +\d+\.\d+|\d+\.\d+ Mi?B transferred \( *\d+\.\d+ Mi?B/sec\))$`),
	lazyregexp.New(`^Test execution summary:$`),
}

// Format tells sysbench's output by its headings.
func (probe) Format() assay.Format {
	return assay.Format{Tool: "sysbench", Commands: []string{"sysbench"}, Begins: begins, Splits: splits}
}

func begins(line string) bool { return mark(line) >= 0 }

// mark is the place of a line among the marks, -1 where it is none of them.
func mark(line string) int {
	line = strings.TrimSpace(line)
	// Most lines of a long log are passed over without a pattern.
	if line == "" || strings.IndexByte("sRESFDPMCTOe0123456789", line[0]) < 0 || strings.IndexByte("0123456789", line[0]) >= 0 && !strings.Contains(line, "transferred") {
		return -1
	}
	return slices.IndexFunc(marks, func(r *lazyregexp.Regexp) bool { return r.MatchString(line) })
}

// splits finds the next run: a mark that does not come after all that were seen.
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
