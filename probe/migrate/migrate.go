package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"assay"
)

const stepMeasure = "measure"

type reader struct{}

// New returns the reader of migration logs.
func New() assay.Measurer { return reader{} }

func (reader) Format() assay.Format {
	return assay.Format{Tool: "migrate", Commands: []string{"qm", "pct"}, Begins: begins, Splits: splits}
}

// Parse reads the log of a migration, or of several. A log that breaks off
// gives the figures that are whole, and an error that says so; one of a
// migration that failed gives the error that it names.
func (reader) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil, fmt.Errorf("migrate: %w: the transcript has no step %q", assay.ErrNoOutput, stepMeasure)
	}
	var found []assay.Measurement
	var failed []error
	for _, l := range read(string(step.Output.Stdout)) {
		figures, err := l.figures()
		found = append(found, figures...)
		if err != nil {
			failed = append(failed, err)
		}
	}
	if len(found) == 0 && len(failed) == 0 {
		return nil, fmt.Errorf("migrate: %w: no line of a migration log", assay.ErrNoOutput)
	}
	return found, errors.Join(failed...)
}

// begins knows a log by its first lines, and by those out of its middle that
// nobody else writes.
func begins(line string) bool {
	if !strings.Contains(line, "igrat") && !strings.Contains(line, "transferred") {
		return false
	}
	text := afterTime(line)
	if opens(text) {
		return true
	}
	for _, r := range telling {
		if r.MatchString(text) {
			return true
		}
	}
	return false
}

// opens reports whether a line is one of those that come first.
func opens(text string) bool {
	return lineStart.MatchString(text) ||
		strings.HasPrefix(text, "use dedicated network address for sending migration traffic") ||
		strings.HasPrefix(text, "conntrack state migration ")
}

// nearEnd is how many bytes before a line the end of the log before it is looked
// for: only TASK OK and a blank line or two come after it.
const nearEnd = 300

var ends = []string{"migration finished successfully (duration", "migration finished with problems", "migration aborted", "TASK OK", "TASK ERROR"}

// splits reports whether a log is over where its last line was seen, and that one
// migration starts once.
func splits(sofar []byte, next string) bool {
	tail := sofar[max(0, len(sofar)-nearEnd):]
	for _, end := range ends {
		if bytes.Contains(tail, []byte(end)) {
			return true
		}
	}
	return lineStart.MatchString(afterTime(next)) && bytes.Contains(sofar, []byte("starting migration of "))
}
