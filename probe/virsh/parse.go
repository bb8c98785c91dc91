package virsh

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
	"assay/internal/outage"
	"assay/stacks/migration"
)

type reader struct{}

var (
	_ assay.Measurer       = reader{}
	_ assay.RepeatPreparer = reader{}
	_ assay.Noter          = reader{}
)

// New returns the probe, which is a reader too.
func New() Tool { return reader{} }

// Format says how output of virsh domjobinfo is told.
func (reader) Format() assay.Format {
	return assay.Format{Tool: name, Commands: []string{"virsh"}, Begins: begins}
}

// begins knows the first line of a job that is complete.
func begins(line string) bool {
	key, value, is := strings.Cut(strings.TrimSpace(line), ":")
	return is && key == "Job type" && strings.TrimSpace(value) == "Completed"
}

// Parse reads virsh domjobinfo --completed, and, of a trial of our own, the ping beside it.
func (reader) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil, fmt.Errorf("virsh: %w: the transcript has no step %q", assay.ErrNoOutput, stepMeasure)
	}
	if step.Output.Exit != 0 {
		return nil, fmt.Errorf("virsh domjobinfo exited %d: %.200q", step.Output.Exit, bytes.TrimSpace(step.Output.Stderr))
	}
	r, err := migration.ReadReport(step.Output.Stdout)
	if err != nil {
		return nil, err
	}
	labels := map[string]string{"tool": name, "mode": "online"}
	if way := tr.Settings["way"]; way != "" {
		labels["way"] = way
	}
	if load := tr.Settings["load"]; load != "" {
		labels["load"] = load
	}
	var found []assay.Measurement
	add := func(metric string, f migration.Figure, unit assay.Unit, more ...string) {
		if f.Line == 0 {
			return
		}
		m := assay.Measurement{Metric: metric, Value: f.Value, Unit: unit, Labels: map[string]string{}, Line: f.Line}
		for key, value := range labels {
			m.Labels[key] = value
		}
		for i := 0; i+1 < len(more); i += 2 {
			m.Labels[more[i]] = more[i+1]
		}
		found = append(found, m)
	}
	add("migration.throughput", r.Speed, assay.BytesPerSecond)
	add("migration.transferred", r.Transferred, assay.Bytes)
	add("migration.duration", r.Elapsed, assay.Seconds)
	add("migration.downtime", r.Downtime, assay.Seconds)
	v, err := viewOf(tr)
	if err != nil {
		return nil, err
	}
	v.figures(add)
	add("migration.memory", r.Memory, assay.Bytes)
	disks, copying := copied(tr)
	sending := r.Elapsed
	sending.Value -= r.Setup.Value + copying.Value
	if sending.Value > 0 {
		add("migration.transfer_time", sending, assay.Seconds)
	}
	add("migration.dirty_rate", r.DirtyRate, assay.BytesPerSecond)
	add("migration.zero", r.Zero, assay.Bytes)
	if r.Disks.Value > 0 { // which libvirt says where the guest leaves, if at all
		disks = r.Disks
	}
	add("migration.disk.transferred", disks, assay.Bytes)
	add("migration.disk.duration", copying, assay.Seconds)
	if limit := tr.Step(stepLimit); limit != nil && limit.Output.Exit == 0 {
		s, err := migration.ReadLimit(limit.Output.Stdout)
		if err != nil {
			return nil, err
		}
		if s > 0 {
			add("migration.downtime.limit", migration.Figure{Value: s, Line: 1}, assay.Seconds)
		}
	}
	return append(found, assay.Moments(name, v.moments())...), nil
}

// copied is what was sent of the guest's disks by the time that all of it was, and how long that
// took: no less than it did, and longer by the time between two looks at most.
func copied(tr assay.Transcript) (sent, took migration.Figure) {
	step := tr.Step(stepCopied)
	if step == nil {
		return sent, took
	}
	r, ok := migration.ReadProgress(step.Output.Stdout)
	if !ok || !r.Copied() {
		return sent, took
	}
	return r.Disks, r.Elapsed
}

// sight is what a ping saw of the guest.
type sight struct {
	at       []float64  // when there were answers, s of the clock of the host that pinged
	gap      outage.Gap // the longest between two
	lost     float64    // questions without an answer
	interval float64    // between two answers, s, in the median
}

// fewestAnswers are what a gap can be seen between: some before, and some after.
const fewestAnswers = 20

// sightOf reads ping -D. nil where nobody pinged.
func sightOf(step *assay.Step) (*sight, error) {
	if step == nil {
		return nil, nil
	}
	var at []float64
	var s sight
	totals := false
	for line := range strings.Lines(string(step.Output.Stdout)) {
		if m := lineAnswer.FindStringSubmatch(line); m != nil {
			t, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				return nil, fmt.Errorf("ping: %.80q is not an answer", line)
			}
			at = append(at, t)
		} else if m := lineTotals.FindStringSubmatch(line); m != nil {
			sent, _ := strconv.ParseFloat(m[1], 64)
			received, _ := strconv.ParseFloat(m[2], 64)
			s.lost, totals = max(sent-received, 0), true
		}
	}
	if !totals {
		return nil, fmt.Errorf("ping: %w: no statistics at its end", assay.ErrNoOutput)
	}
	if len(at) < fewestAnswers {
		return nil, fmt.Errorf("ping: %w: %d answers, and at least %d are needed", assay.ErrNoOutput, len(at), fewestAnswers)
	}
	for i := range at[1:] {
		if back := at[i] - at[i+1]; back > 0 || math.IsNaN(back) {
			return nil, fmt.Errorf("ping: the clock went back by %.3f s while the guest was moved", back)
		}
	}
	s.at, s.interval = at, outage.Interval(at)
	s.gap, _ = outage.Longest(at, math.Inf(-1), math.Inf(1))
	return &s, nil
}

// Notes says who did not look.
func (reader) Notes(tr assay.Transcript) []assay.Note {
	if tr.Step(stepMigrate) == nil {
		return nil
	}
	if tr.Step(stepPing) == nil {
		return []assay.Note{{ID: "unseen", Text: "how long the guest gave no answer was not measured from outside: name its address under migrate: to have it asked"}}
	}
	if why := unanswered(tr); why != nil {
		return []assay.Note{{ID: "pinged", Text: "how long the guest gave no answer was measured by ping alone, not by UDP and TCP: " + why.Error()}}
	}
	return nil
}
