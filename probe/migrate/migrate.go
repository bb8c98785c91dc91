package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"assay"
	"assay/stacks/migration"
	"assay/stacks/migration/trial"
)

const (
	name        = "migrate"
	stepMeasure = trial.StepMeasure
)

// Tool is the probe, which is also a reader.
type Tool interface {
	assay.Probe
	assay.Measurer
}

type reader struct{ trial.Probe }

var (
	_ assay.Measurer       = reader{}
	_ assay.RepeatPreparer = reader{}
	_ assay.Noter          = reader{}
)

// New returns the probe, which also reads the logs of migrations that others
// ran.
func New() Tool { return reader{trial.Probe{Name: name, Kind: migration.Proxmox}} }

// Spec describes the probe. It names no tool, since few hosts are nodes of Proxmox VE; if a
// guest is to be moved, its volume checks them first and reports what is missing.
func (reader) Spec() assay.Spec { return assay.Spec{Name: name, Metrics: trial.Metrics()} }

func (reader) Format() assay.Format {
	return assay.Format{Tool: name, Commands: []string{"qm", "pct"}, Begins: begins, Splits: splits}
}

// Parse reads the log of one or more migrations. A truncated log yields its
// complete figures, and an error that says so; a failed migration yields the
// error in its log.
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
	if err := errors.Join(failed...); err != nil || tr.Settings["way"] == "" {
		return found, err
	}
	return seen(tr, found)
}

// seen adds to the log of assay's own migration what was observed from outside.
func seen(tr assay.Transcript, found []assay.Measurement) ([]assay.Measurement, error) {
	labels := map[string]string{}
	for _, m := range found {
		// A node's name and address are those of the trial's hosts.
		for _, of := range []string{"job", "to", "address"} {
			delete(m.Labels, of)
		}
		for _, key := range []string{"way", "load"} {
			if value := tr.Settings[key]; value != "" {
				m.Labels[key] = value
			}
		}
		labels = m.Labels
	}
	v, err := trial.ViewOf(tr)
	if err != nil {
		return nil, err
	}
	v.Figures(trial.Adder(&found, tr.Settings, labels))
	return append(found, assay.Moments(name, v.Moments())...), nil
}

// begins recognises a log by its first lines, and by lines from its middle that
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

// opens reports whether a line is one that starts a log.
func opens(text string) bool {
	return lineStart.MatchString(text) ||
		strings.HasPrefix(text, "use dedicated network address for sending migration traffic") ||
		strings.HasPrefix(text, "conntrack state migration ")
}

// nearEnd is how many bytes before a line are searched for the end of the
// previous log: only TASK OK and a blank line or two come after it.
const nearEnd = 300

var ends = []string{"migration finished successfully (duration", "migration finished with problems", "migration aborted", "TASK OK", "TASK ERROR"}

// splits reports whether another log begins: one is over after its last line, and
// each starts once.
func splits(sofar []byte, next string) bool {
	tail := sofar[max(0, len(sofar)-nearEnd):]
	for _, end := range ends {
		if bytes.Contains(tail, []byte(end)) {
			return true
		}
	}
	return lineStart.MatchString(afterTime(next)) && bytes.Contains(sofar, []byte("starting migration of "))
}
