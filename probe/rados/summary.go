package rados

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// word is one line of the summary.
type word int

const (
	totalTime word = iota
	opsMade
	opSize
	objectSize
	bandwidth
	bandwidthStddev
	bandwidthMax
	bandwidthMin
	iops
	iopsStddev
	iopsMax
	iopsMin
	latency
	latencyStddev
	latencyMax
	latencyMin
	words // how many there are
)

// spellings are the printed forms of the words in all versions: "(s)" came with
// Jewel, and the colon after "Average IOPS" of reads with Luminous.
var spellings = []struct {
	text string
	word word
	op   string // that prints it, "" for both
}{
	{"Total time run", totalTime, ""},
	{"Total writes made", opsMade, "write"}, {"Total reads made", opsMade, "read"},
	{"Write size", opSize, "write"}, {"Read size", opSize, "read"},
	{"Object size", objectSize, ""},
	{"Bandwidth (MB/sec)", bandwidth, ""},
	{"Stddev Bandwidth", bandwidthStddev, "write"},
	{"Max bandwidth (MB/sec)", bandwidthMax, "write"}, {"Min bandwidth (MB/sec)", bandwidthMin, "write"},
	{"Average IOPS", iops, ""}, {"Stddev IOPS", iopsStddev, ""}, {"Max IOPS", iopsMax, ""}, {"Min IOPS", iopsMin, ""},
	{"Average Latency", latency, ""}, {"Stddev Latency", latencyStddev, "write"},
	{"Max latency", latencyMax, ""}, {"Min latency", latencyMin, ""},
}

// summary is one line of the summary, with one value per column.
type summary struct {
	word   word
	op     string
	text   string
	values []string
}

// summaryOf reads a bare line. The words must be followed by numbers only:
// prose about the average IOPS is not a figure.
func summaryOf(line string) (summary, bool) {
	for _, s := range spellings {
		rest, ok := cutFold(line, s.text)
		if !ok {
			continue
		}
		rest = strings.TrimPrefix(rest, "(s)")
		rest = strings.TrimPrefix(rest, ":")
		if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return summary{}, false
		}
		values := strings.Fields(rest)
		for _, v := range values {
			if !numeric.MatchString(v) {
				return summary{}, false
			}
		}
		return summary{s.word, s.op, s.text, values}, true
	}
	return summary{}, false
}

// cutFold is strings.CutPrefix ignoring case: tables are retyped.
func cutFold(line, prefix string) (rest string, ok bool) {
	if len(line) < len(prefix) || !strings.EqualFold(line[:len(prefix)], prefix) {
		return "", false
	}
	return line[len(prefix):], true
}

// numeric matches a number as C++ prints it, or as a table groups it. Words
// that stand for a number match too, to be rejected with their line.
var numeric = lazyregexp.New(`^-?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d*)?|nan|inf)$`)

// mostPrinted is more than any measured value. rados bench prints the largest
// possible number, 1.8e308 or 2147483647, for a run without a whole second.
const mostPrinted = 1e18

// noSecond reports whether a minimum still has its initial value from before the
// first second.
func noSecond(w word, v float64) bool {
	return w == bandwidthMin && v > mostPrinted || w == iopsMin && v == math.MaxInt32
}

// number reads one value of the word.
func number(w word, text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if noSecond(w, v) {
		return v, nil
	}
	if err != nil || math.IsNaN(v) || v < 0 || v > mostPrinted {
		return 0, fmt.Errorf("%.40s, which is impossible", text)
	}
	return v, nil
}

var clientTitle = lazyregexp.New(`(?i)(\w+) clients?`)

var counts = map[string]string{
	"single": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
	"nine": "9", "ten": "10",
}

// title is the heading of a column: "Two Clients".
type title struct{ name, clients string }

// longestTitles is more than the head of a table takes, in bytes.
const longestTitles = 1000

// titles reads the head of a table of summaries: nothing but two or more numbers
// of clients.
func titles(line string) []title {
	if len(line) > longestTitles || !strings.Contains(line, "lient") && !strings.Contains(line, "LIENT") {
		return nil
	}
	found := clientTitle.FindAllStringSubmatchIndex(line, -1)
	if len(found) < 2 {
		return nil
	}
	var all []title
	at := 0
	for _, m := range found {
		if strings.TrimSpace(line[at:m[0]]) != "" {
			return nil
		}
		at = m[1]
		name, number := line[m[0]:m[1]], strings.ToLower(line[m[2]:m[3]])
		clients := counts[number]
		if n, err := strconv.Atoi(number); err == nil && n > 0 {
			clients = strconv.Itoa(n)
		}
		if clients == "" {
			return nil
		}
		all = append(all, title{name, clients})
	}
	if strings.TrimSpace(line[at:]) != "" {
		return nil
	}
	return all
}
