package together

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

// On gives steps that say on which host they ran.
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

// Skew is how far apart the measuring commands of the hosts began, the longest
// command of each; 0 for one host. It is by the clock of the machine that ran
// them all, so that the clocks of the hosts do not matter.
func Skew(tr assay.Transcript) time.Duration {
	var first, last time.Time
	for _, p := range Split(tr) {
		began, longest := time.Time{}, time.Duration(-1)
		for _, s := range p.Transcript.Steps {
			if s.Output.Elapsed > longest && !strings.HasPrefix(s.Name, "prepare: ") {
				began, longest = s.Output.Started, s.Output.Elapsed
			}
		}
		if began.IsZero() {
			continue
		}
		if first.IsZero() || began.Before(first) {
			first = began
		}
		if began.After(last) {
			last = began
		}
	}
	return last.Sub(first)
}
