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

// Join joins the transcripts of several hosts into one. Each step names the host
// it ran on, even the trial's own, so that the transcript alone suffices to
// split it again.
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

// On returns steps that name the host they ran on.
func On(host string, steps []assay.Step) []assay.Step {
	steps = slices.Clone(steps)
	for i := range steps {
		steps[i].Host = host
	}
	return steps
}

// Split splits a transcript by host, in order of first occurrence. One that
// names no host is of a single host named "".
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

// Preparing prefixes the names of steps that readied a repeat and are not part of
// what was measured.
const Preparing = "prepare: "

// Apart returns for how long in a repeat not all hosts were measured, and as whole
// how long the host measured longest was; for one host, apart is 0. all are the
// figures of Parse. A host is measured from the start of its longest command, for
// length, or when and for as long as its tool reports. Times are by the clock of the
// machine that ran all commands, so the hosts' clocks do not matter.
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

// measured returns when the measurement of a host began, and how long it took.
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
