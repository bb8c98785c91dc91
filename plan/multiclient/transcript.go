package multiclient

import (
	"slices"
	"strings"
	"time"

	"assay"
)

// Part is what was run on one host.
type Part struct {
	Host       string
	Transcript assay.Transcript
}

// Join makes one transcript of those of several hosts. Each step says where it
// ran, also those of the trial's own host, so that the whole can be parted again
// by whoever has nothing else.
func Join(parts []Part) assay.Transcript {
	var all assay.Transcript
	for _, p := range parts {
		if all.Probe == "" {
			all.Probe, all.Settings = p.Transcript.Probe, p.Transcript.Settings
		}
		all.Steps = append(all.Steps, On(p.Host, p.Transcript.Steps)...)
	}
	return all
}

// On returns steps that say on which host they ran.
func On(host string, steps []assay.Step) []assay.Step {
	steps = slices.Clone(steps)
	for i := range steps {
		steps[i].Host = host
	}
	return steps
}

// Split parts a transcript by host, in the order in which they first occur. One
// that names no host is of one, whose name is "".
func Split(tr assay.Transcript) []Part {
	var parts []Part
	for _, s := range tr.Steps {
		i := slices.IndexFunc(parts, func(p Part) bool { return p.Host == s.Host })
		if i < 0 {
			i = len(parts)
			parts = append(parts, Part{s.Host, assay.Transcript{Probe: tr.Probe, Settings: tr.Settings}})
		}
		parts[i].Transcript.Steps = append(parts[i].Transcript.Steps, s)
	}
	return parts
}

// Preparing stands before the names of the steps that readied a repeat and are no
// part of what was measured.
const Preparing = "prepare: "

// Apart is for how long of a repeat not all hosts were measured, and whole is how
// long the host was that was measured longest: 0 of it for one host. all are the
// figures of Parse. A host was measured from the start of its longest command on,
// for length; where its tool says when it began and how long that took, from then
// on. It is by the clock of the machine that ran all commands, so that the clocks of
// the hosts do not matter.
func Apart(tr assay.Transcript, all []assay.Measurement, length time.Duration) (apart, whole time.Duration) {
	parts := Split(tr)
	if len(parts) < 2 {
		return 0, length
	}
	var lastBegan, firstEnded time.Time
	for i, p := range parts {
		began, took := measured(p, all, length)
		ended := began.Add(took)
		if i == 0 || began.After(lastBegan) {
			lastBegan = began
		}
		if i == 0 || ended.Before(firstEnded) {
			firstEnded = ended
		}
		whole = max(whole, took)
	}
	return whole - max(firstEnded.Sub(lastBegan), 0), whole
}

// measured says when the measurement of a host began, and how long it took.
func measured(p Part, all []assay.Measurement, length time.Duration) (began time.Time, took time.Duration) {
	longest := time.Duration(-1)
	for _, s := range p.Transcript.Steps {
		if s.Output.Elapsed > longest && !strings.HasPrefix(s.Name, Preparing) {
			began, longest = s.Output.Started, s.Output.Elapsed
		}
	}
	own := assay.Repeat{Measurements: ofHost(all, p.Host)}
	lead, duration := own.Measurement("tool.lead"), own.Measurement("tool.duration")
	if lead == nil || duration == nil {
		return began, length
	}
	return began.Add(seconds(lead.Value)), seconds(duration.Value)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
