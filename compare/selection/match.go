package selection

import (
	"slices"
	"strings"
	"time"

	"assay"
)

// Term is one word: a key, an operator, and values of which one must match.
type Term struct {
	Key, Op string
	Values  []string
	spans   []span // of a date
}

// Column is one side of a comparison: all of its terms must match.
type Column struct{ Terms []Term }

// String formats the column so that Parse reads the same again.
func (c Column) String() string {
	var words []string
	for _, t := range c.Terms {
		words = append(words, t.Key+t.Op+strings.Join(t.Values, ","))
	}
	return strings.Join(words, " ")
}

// Head is what is known about a run before it is loaded.
type Head struct {
	ID, Suite string
	Hosts     []string
	Started   time.Time
	Imported  bool // from another database or from tool output
}

// Names reports whether the column asks for the run with that id by name, not by a
// pattern.
func (c Column) Names(id string) bool {
	return slices.ContainsFunc(c.Terms, func(t Term) bool { return t.Key == "run" && t.Op == "=" && slices.Contains(t.Values, id) })
}

// Run reports whether a run may have results of the column, and so is worth
// loading. An imported run must be asked for: by name, or as imported.
func (c Column) Run(h Head) bool {
	if h.Imported && !c.Names(h.ID) && !slices.ContainsFunc(c.Terms, func(t Term) bool { return t.Key == "imported" }) {
		return false
	}
	return !slices.ContainsFunc(c.Terms, func(t Term) bool {
		switch t.Key {
		case "run":
			return !t.holds(h.ID)
		case "suite":
			return !t.holds(h.Suite)
		case "imported":
			return !t.holds(yesNo(h.Imported))
		case "date":
			return !t.then(h.Started)
		case "host":
			return len(h.Hosts) > 0 && !slices.ContainsFunc(h.Hosts, func(name string) bool { return t.holds(name) })
		}
		return false
	})
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// Result reports whether a result of a run that Run accepts belongs to the column. What a
// run measured to decide about a fault belongs only to columns that name its case: other
// runs had no reason to measure it.
func (c Column) Result(run assay.Run, r assay.Result) bool {
	if r.Trial.Decides != "" && !slices.ContainsFunc(c.Terms, func(t Term) bool { return t.Key == "case" }) {
		return false
	}
	return !slices.ContainsFunc(c.Terms, func(t Term) bool { return !t.result(run, r) })
}

// AsksMetrics reports whether the column names metrics at all.
func (c Column) AsksMetrics() bool {
	return slices.ContainsFunc(c.Terms, func(t Term) bool { return t.Key == "metric" })
}

// Metric reports whether a metric belongs to the column.
func (c Column) Metric(name string) bool {
	return !slices.ContainsFunc(c.Terms, func(t Term) bool { return t.Key == "metric" && !t.holds(name) })
}

func (t Term) result(run assay.Run, r assay.Result) bool {
	trial := r.Trial
	switch t.Key {
	case "run":
		return t.holds(run.ID)
	case "suite":
		return t.holds(run.Suite)
	case "date":
		return t.then(run.Started)
	case "host":
		return t.holds(trial.Subject.Host)
	case "probe":
		return t.holds(trial.Probe)
	case "case":
		return t.holds(trial.Case, trial.Probe+"/"+trial.Case)
	case "subject":
		return t.holds(trial.Subject.Name, trial.Subject.ID)
	}
	if name, found := strings.CutPrefix(t.Key, labelPrefix); found {
		return t.holds(labelsOf(run, trial.Subject.Host, name)...)
	}
	if name, found := strings.CutPrefix(t.Key, settingPrefix); found {
		return t.holds(settingOf(r, name)...)
	}
	return true // metric does not select results, nor imported: see Run
}

// labelsOf returns the values of a label for a host in a run: the run's own, and the
// host's.
func labelsOf(run assay.Run, host, name string) (values []string) {
	if v, is := run.Labels[name]; is {
		values = append(values, v)
	}
	for _, h := range run.Inventory.Hosts {
		if v, is := h.Labels[name]; is && h.Name == host {
			values = append(values, v)
		}
	}
	return values
}

// settingOf returns a setting as it happened, else as it was requested, or nothing.
func settingOf(r assay.Result, name string) []string {
	for _, rep := range r.Counted() {
		for _, m := range rep.Measurements {
			if v, is := m.Labels[name]; is {
				return []string{v}
			}
		}
	}
	if v, is := r.Trial.Settings[name]; is {
		return []string{v}
	}
	return nil
}

// holds reports whether any of a thing's names matches any value, or, with !=,
// none does.
func (t Term) holds(names ...string) bool {
	found := slices.ContainsFunc(t.Values, func(pattern string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return like(pattern, name) })
	})
	return found == (t.Op == "=")
}

func (t Term) then(when time.Time) bool {
	found := slices.ContainsFunc(t.spans, func(s span) bool { return s.at(t.Op, when) })
	return found == (t.Op != "!=")
}

// like reports whether a name matches a pattern in which * stands for any
// characters.
func like(pattern, name string) bool {
	first, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		return pattern == name
	}
	name, found := strings.CutPrefix(name, first)
	if !found {
		return false
	}
	parts := strings.Split(rest, "*")
	for _, part := range parts[:len(parts)-1] {
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return strings.HasSuffix(name, parts[len(parts)-1])
}
