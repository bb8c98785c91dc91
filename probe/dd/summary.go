package dd

import (
	"bytes"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// A pass that reports more than ten years, or less than the tick of any clock,
// is damaged; in seconds.
const (
	longest  = 10 * 365 * 86400
	shortest = 1e-9
)

// summary is the last line that a dd prints.
type summary struct {
	bytes   int64
	seconds float64
	line    int // from 1
}

const hintCoreutils = "this dd is not GNU dd (busybox?): install coreutils"

// wide maps the punctuation that translations use to ASCII.
var wide = strings.NewReplacer("（", "(", "）", ")", "，", ", ", "、", ", ", "\u00a0", " ", "\u202f", " ")

var (
	parenthesis = lazyregexp.New(`\([^()]*\)`)
	// "1024+0 records in", in any language and with the number anywhere.
	records = lazyregexp.New(`(?:^|[^\d.,+])\d+\+\d+(?:[^\d.,+]|$)`)
	// The count may follow a word: some translations begin with "copied".
	counted = lazyregexp.New(`^[\p{L}\p{M}' :]*?(\d+) ?\p{L}[^\d/]*(?:,|\pL| ) *(\d.*)$`)
	// Every summary ends in a rate: "210 MB/s", "107 MB/秒", "(2124985 bytes/sec)".
	rated = lazyregexp.New(`[\p{L}]/[\p{L}]+\)?\s*$`)
	timed = lazyregexp.New(`^(\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?) ?\p{L}+\.?(?:$|[,; ])`)
)

// parseSummary parses the summary of one dd in a step's output. dd prints it
// again for each SIGUSR1 and with status=progress: the last one counts.
func parseSummary(step assay.Step) (summary, error) {
	found, err := summaryIn(step.Output.Stderr)
	if err == nil && found == nil {
		found, err = summaryIn(step.Output.Stdout) // if both were captured together
	}
	if err != nil {
		return summary{}, err
	}
	if found == nil {
		return summary{}, noSummary(step)
	}
	if found.seconds <= 0 {
		return summary{}, fmt.Errorf("dd copied %d bytes in 0 s: too short to time", found.bytes)
	}
	if found.bytes <= 0 {
		return summary{}, fmt.Errorf("dd copied 0 bytes")
	}
	return *found, nil
}

func noSummary(step assay.Step) error {
	for _, text := range [][]byte{step.Output.Stderr, step.Output.Stdout} {
		if records.Match(text) {
			return assay.WithHint(hintCoreutils, "dd printed its records but neither bytes nor seconds: %w", assay.ErrNoOutput)
		}
	}
	return fmt.Errorf("dd: %w", assay.ErrNoOutput)
}

// summaryIn returns the last summary in text, or nil.
func summaryIn(text []byte) (*summary, error) {
	var last, final *summary // final: the last that followed a line of records
	closed := false
	for i, line := range strings.Split(string(text), "\n") {
		for part := range strings.SplitSeq(line, "\r") {
			if records.MatchString(part) {
				closed = true
				continue
			}
			s, err := summaryOf(part)
			if err != nil {
				return nil, fmt.Errorf("dd's line %d: %w", i+1, err)
			}
			if s == nil {
				continue
			}
			s.line, last = i+1, s
			if !closed {
				continue
			}
			closed = false
			if final != nil && (s.bytes <= final.bytes || s.seconds < final.seconds) {
				return nil, assay.WithHint("paste the output of one dd at a time", "dd's line %d: summaries of several dd commands in one output", i+1)
			}
			final = s
		}
	}
	if final != nil {
		return final, nil
	}
	return last, nil
}

// summaryOf parses a line by the position of its numbers: bytes, then
// (human-readable sizes), then seconds, then a rate. It returns nil if the line
// is something else.
func summaryOf(line string) (*summary, error) {
	line = wide.Replace(line)
	if !rated.MatchString(line) {
		return nil, nil
	}
	line = strings.TrimSpace(parenthesis.ReplaceAllString(line, ""))
	m := counted.FindStringSubmatch(line)
	if m == nil {
		return nil, nil
	}
	t := timed.FindStringSubmatch(m[2])
	if t == nil {
		return nil, nil
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%s bytes: not a number of bytes", m[1])
	}
	seconds, err := strconv.ParseFloat(strings.Replace(t[1], ",", ".", 1), 64)
	if err != nil || math.IsNaN(seconds) || math.Abs(seconds) > longest || seconds != 0 && math.Abs(seconds) < shortest {
		return nil, fmt.Errorf("%s: not a number of seconds", t[1])
	}
	return &summary{bytes: n, seconds: seconds}, nil
}

// failure returns why a step's output cannot be trusted, or nil. Output that
// assay did not run has no exit status, so dd's own messages count as well.
func failure(step assay.Step) error {
	said := complaint(step.Output.Stderr)
	if said == "" {
		said = complaint(untilSummary(step.Output.Stdout))
	}
	if step.Output.Exit == 0 && (said == "" || deviceFilled(step) != "" || readErrors(step) > 0) {
		return nil
	}
	command := strings.Join(step.Argv, " ")
	if command == "" {
		command = "dd"
	}
	if said == "" {
		said = strings.TrimSpace(firstLine(step.Output.Stderr))
	}
	if isFull(said) {
		said = "stopped by a full disk: " + said
	}
	if step.Output.Exit == 0 { // unknown for pasted text
		return assay.WithHint(hintFor(said), "%s: %s", command, said)
	}
	return assay.WithHint(hintFor(said), "%s: exit %d: %s", command, step.Output.Exit, said)
}

// deviceFilled returns the device that dd wrote to its end, "" if there is none: running
// out of space on a device is then no fault, but how dd ends there.
func deviceFilled(step assay.Step) string {
	text := string(untilSummary(step.Output.Stdout))
	if !isFull(complaint([]byte(text))) {
		return ""
	}
	if s, err := summaryIn(step.Output.Stdout); err != nil || s == nil {
		return ""
	}
	if m := filledDevice.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// readErrors returns how many read errors of its input a dd reported that was set to
// continue (conv=noerror): they are not a failure, but part of what was measured. The
// messages are in the user's language, and name the file.
func readErrors(step assay.Step) int {
	words := operands(step.Argv)
	if !has(words["conv"], "noerror") || words["if"] == "" {
		return 0
	}
	n := 0
	for line := range bytes.Lines(append(untilSummary(step.Output.Stdout), step.Output.Stderr...)) {
		if said := complaint(line); said != "" {
			if !strings.Contains(said, words["if"]) {
				return 0
			}
			n++
		}
	}
	return n
}

var filledDevice = lazyregexp.New(`(?m)^(?:\S*/)?dd: (?:[^:\n]*['’‘"»«“”` + "`" + `])?(/dev/[\w/.\-]+)['’»”"]?[^:\n]*: `)

// noSpace is how the C library says that a device has no space left, in the languages
// of most users.
var noSpace = []string{
	"No space left", "kein Speicherplatz", "Aucun espace disponible", "No queda espacio", "Spazio esaurito", "Não há espaço",
	"не осталось свободного места", "Brak miejsca", "Geen ruimte", "没有空间", "空き領域がありません",
}

func isFull(said string) bool {
	return slices.ContainsFunc(noSpace, func(words string) bool { return strings.Contains(said, words) })
}

func hintFor(said string) string {
	switch {
	case strings.Contains(said, "'fdatasync' to 'conv'"):
		return hintCoreutils
	case isFull(said):
		return "free some space, or use a smaller size"
	case strings.Contains(said, "Permission denied"):
		return "use a directory that this user can write to"
	}
	return ""
}

// untilSummary is the text up to its last summary: what follows in other
// people's texts is their own. Without one it is all of the text.
func untilSummary(text []byte) []byte {
	end := 0
	at := 0
	for line := range bytes.Lines(text) {
		at += len(line)
		if s, err := summaryOf(string(line)); err != nil || s != nil {
			end = at
		}
	}
	if end == 0 {
		return text
	}
	return text[:end]
}

// complaint is the first thing that dd said of itself that is not a warning.
func complaint(text []byte) string {
	for line := range strings.SplitSeq(string(text), "\n") {
		// An error may follow a progress line without a line feed of its own.
		line = strings.TrimSpace(line[strings.LastIndexByte(line, '\r')+1:])
		name, said, ok := strings.Cut(line, ": ")
		if !ok || path.Base(name) != "dd" || strings.HasPrefix(said, "warning:") {
			continue
		}
		return said
	}
	return ""
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}
