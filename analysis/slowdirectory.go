package analysis

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/analysis/hypotheses"
	"assay/inventory/traits"
)

// inItsDirectories returns a suspect with what is known of the directories in which its
// storage is slow: a drive under another directory explains nothing. Slow devices leave it
// as it is.
func (b *builder) inItsDirectories(suspect hypotheses.Suspect, s *Side, effects []effect) hypotheses.Suspect {
	slow := map[string][]string{} // by host
	for _, e := range effects {
		for host, trial := range s.trials(e.Effect) {
			directory := b.result(trial).Trial.Subject
			if directory.Kind != assay.KindDirectory {
				return suspect
			}
			slow[host] = append(slow[host], directory.Name)
		}
	}
	suspect.Facts, suspect.Counted = maps.Clone(suspect.Facts), maps.Clone(suspect.Counted)
	errors := b.readings("smart.media_errors")
	for host, names := range slow {
		f := suspect.Facts[host]
		dirs := slices.DeleteFunc(slices.Clone(f.Dirs), func(d assay.DirFacts) bool { return !slices.Contains(names, d.Path) })
		if len(dirs) == 0 || len(dirs) == len(f.Dirs) {
			continue
		}
		f.Dirs = dirs
		suspect.Facts[host] = f
		if c, counted := suspect.Counted[host]; counted {
			measured := map[string]bool{}
			for _, d := range traits.Measured(f) {
				measured[driveID(host, d.Name)] = true
			}
			c.MediaErrors = errorsOf(measured, errors[host])
			suspect.Counted[host] = c
		}
	}
	return suspect
}

// trials returns the trials of a storage figure by host.
func (s *Side) trials(e Effect) map[string]string {
	out := map[string]string{}
	if !strings.HasPrefix(e.Metric, "storage.") {
		return out
	}
	for _, t := range s.Tables {
		for _, r := range t.Rows {
			for i, c := range r.Cells {
				if r.Title == e.Title && r.Metric == e.Metric && c.Figure != nil {
					out[s.Hosts[i]] = c.Trial
				}
			}
		}
	}
	return out
}

// directoryOf returns the directory in which a host's storage is farthest off, or the first
// in which something was measured.
func (f Found) directoryOf(o Outlier) string {
	trial, greatest := "", 0.
	for _, e := range o.Effects {
		if t := f.Side.trials(e)[o.Host]; t != "" && e.Ratio > greatest {
			trial, greatest = t, e.Ratio
		}
	}
	first := ""
	for _, r := range f.Run.Results {
		if s := r.Trial.Subject; s.Host == o.Host && s.Kind == assay.KindDirectory && len(r.Counted()) > 0 {
			if r.Trial.ID == trial {
				return s.ID
			}
			first = cmp.Or(first, s.ID)
		}
	}
	return first
}
