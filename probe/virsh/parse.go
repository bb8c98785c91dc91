package virsh

import (
	"bytes"
	"fmt"
	"strings"

	"assay"
	"assay/stacks/migration"
	"assay/stacks/migration/trial"
)

// Format describes how output of virsh domjobinfo is recognised.
func (reader) Format() assay.Format {
	return assay.Format{Tool: name, Commands: []string{"virsh"}, Begins: begins}
}

// begins reports whether a line is the first of a completed job.
func begins(line string) bool {
	key, value, is := strings.Cut(strings.TrimSpace(line), ":")
	return is && key == "Job type" && strings.TrimSpace(value) == "Completed"
}

// Parse reads virsh domjobinfo --completed, and the ping that runs beside it in assay's own
// trials.
func (reader) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(trial.StepMeasure)
	if step == nil {
		return nil, fmt.Errorf("virsh: %w: the transcript has no step %q", assay.ErrNoOutput, trial.StepMeasure)
	}
	if step.Output.Exit != 0 {
		return nil, fmt.Errorf("virsh domjobinfo exited %d: %.200q", step.Output.Exit, bytes.TrimSpace(step.Output.Stderr))
	}
	r, err := migration.ReadReport(step.Output.Stdout)
	if err != nil {
		return nil, err
	}
	var found []assay.Measurement
	add := trial.Adder(&found, tr.Settings, map[string]string{"tool": name, "mode": "online"})
	add("migration.throughput", r.Speed, assay.BytesPerSecond)
	add("migration.transferred", r.Transferred, assay.Bytes)
	add("migration.duration", r.Elapsed, assay.Seconds)
	add("migration.downtime", r.Downtime, assay.Seconds)
	v, err := trial.ViewOf(tr)
	if err != nil {
		return nil, err
	}
	v.Figures(add)
	add("migration.memory", r.Memory, assay.Bytes)
	disks, copying := copied(tr)
	sending := r.Elapsed
	sending.Value -= r.Setup.Value + copying.Value
	if sending.Value > 0 {
		add("migration.transfer_time", sending, assay.Seconds)
	}
	add("migration.dirty_rate", r.DirtyRate, assay.BytesPerSecond)
	add("migration.zero", r.Zero, assay.Bytes)
	if r.Disks.Value > 0 { // libvirt reports it at the source, if at all
		disks = r.Disks
	}
	add("migration.disk.transferred", disks, assay.Bytes)
	add("migration.disk.duration", copying, assay.Seconds)
	if limit := tr.Step(trial.StepLimit); limit != nil && limit.Output.Exit == 0 {
		s, err := migration.ReadLimit(limit.Output.Stdout)
		if err != nil {
			return nil, err
		}
		if s > 0 {
			add("migration.downtime.limit", migration.Figure{Value: s, Line: 1}, assay.Seconds)
		}
	}
	return append(found, assay.Moments(name, v.Moments())...), nil
}

// copied returns how much of the guest's disks had been sent when the copy was complete, and
// how long it took: never too short, and too long by at most the time between two looks.
func copied(tr assay.Transcript) (sent, took migration.Figure) {
	step := tr.Step(trial.StepCopied)
	if step == nil {
		return sent, took
	}
	r, ok := migration.ReadProgress(step.Output.Stdout)
	if !ok || !r.Copied() {
		return sent, took
	}
	return r.Disks, r.Elapsed
}
