package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/incident"
	"assay/inventory/changes"
	"assay/inventory/survey"
	"assay/report/exposition"
	"assay/report/incidentview"
	"assay/store"
)

// asker returns the current facts of the hosts that answer.
type asker func(context.Context) ([]assay.Facts, error)

// past is what the database knows about the diagnosed hosts.
type past struct {
	hosts []string
	runs  []store.Summary // of them, newest first
	facts chan answered   // current facts, once gathered; nil if they are not requested
}

type answered struct {
	facts []assay.Facts
	err   error
}

// pastOf finds runs of the hosts and, if there are any, has ask start to gather their
// facts. Without a database there are no runs: a diagnosis creates none.
func (a *app) pastOf(ctx context.Context, hosts []string, ask asker) (p past, err error) {
	p.hosts = hosts
	path, err := a.database()
	if err != nil {
		return p, nil //nolint:nilerr // no home directory, so no database
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !strings.Contains(path, "://") {
		return p, nil
	}
	st, err := a.openStore(ctx)
	if err != nil {
		return p, err
	}
	defer st.Close()
	all, err := st.Runs(ctx)
	if err != nil {
		return p, err
	}
	for _, one := range all {
		done := one.Status == assay.RunDone || one.Status == assay.RunPartial
		if done && !one.Imported && slices.ContainsFunc(one.Hosts, func(h string) bool { return slices.Contains(hosts, h) }) {
			p.runs = append(p.runs, one)
		}
	}
	if len(p.runs) > 0 && ask != nil {
		p.facts = make(chan answered, 1)
		go func() {
			facts, err := ask(ctx)
			p.facts <- answered{facts, err}
		}()
	}
	return p, nil
}

// before returns the newest run before the first of some events, or else the newest of
// all.
func (p past) before(events []incident.Event) (one store.Summary, before bool) {
	var first time.Time
	for _, e := range events {
		if e.First.HasYear() && (first.IsZero() || e.First.Wall.Before(first)) {
			first = e.First.Wall
		}
	}
	for _, one := range p.runs {
		if !first.IsZero() && one.Started.Before(first) {
			return one, true
		}
	}
	return p.runs[0], false
}

// since reports what changed since the hosts were well: before the evidence. It
// has no run if the database has none of these hosts.
func (a *app) since(ctx context.Context, p past, evidence []incident.Event) (s incidentview.Since, err error) {
	if len(p.runs) == 0 {
		return s, nil
	}
	st, err := a.openStore(ctx)
	if err != nil {
		return s, err
	}
	defer st.Close()
	one, before := p.before(evidence)
	loaded, err := st.LoadParts(ctx, []string{one.ID}, store.Part{Metrics: func(string) bool { return false }})
	if err != nil {
		return s, err
	}
	if len(loaded) == 0 {
		return s, nil // unreadable, as already reported
	}
	s = incidentview.Since{Run: one.ID, Started: one.Started, Before: before}
	if p.facts == nil {
		s.Absent = "a recording doesn't have them"
	} else if now := <-p.facts; now.err != nil {
		s.Absent = now.err.Error()
	} else {
		s.Facts = changes.Between(then(loaded[0].Inventory, now.facts))
	}
	judgeKilled(ctx, st)
	s.Figures, err = worse(ctx, st, p.hosts)
	return s, err
}

// then returns a run's inventory, limited to the hosts with current facts, and one with
// those facts. Networks and tiers were not examined again.
func then(run assay.Inventory, facts []assay.Facts) (was, is assay.Inventory) {
	was.Facts, is.Facts = map[string]assay.Facts{}, map[string]assay.Facts{}
	for _, h := range run.Hosts {
		at := slices.IndexFunc(facts, func(f assay.Facts) bool { return f.Host == h.Name })
		old, known := run.Facts[h.Name]
		if at < 0 || !known {
			continue
		}
		now := facts[at]
		now.Dirs = old.Dirs // not queried again
		was.Hosts, is.Hosts = append(was.Hosts, h), append(is.Hosts, h)
		was.Facts[h.Name], is.Facts[h.Name] = old, now
	}
	was.Subjects, is.Subjects = run.Subjects, run.Subjects
	return was, is
}

// worse returns the lasting regressions in what the hosts' runs measured.
func worse(ctx context.Context, st *store.Store, hosts []string) (lines []string, err error) {
	for _, metric := range exposition.Watched {
		series, _, err := st.Series(ctx, store.SeriesQuery{Metric: metric, Runs: history})
		if err != nil {
			return nil, err
		}
		runs := map[string][]time.Time{} // by trial, measured in whatever way
		for _, s := range series {
			for _, r := range s.Runs {
				runs[s.Trial.ID] = append(runs[s.Trial.ID], r.Started)
			}
		}
		series = slices.DeleteFunc(series, func(s store.Series) bool {
			return s.Rejected || over(s, runs[s.Trial.ID]) || !slices.Contains(hosts, s.Trial.Subject.Host)
		})
		trends, err := trendsOf(metric, series)
		if err != nil {
			return nil, err
		}
		for i, t := range trends {
			if n := len(t.Changes); n > 0 && t.Changes[n-1].Verdict == "worse" {
				c := t.Changes[n-1]
				lines = append(lines, fmt.Sprintf("%s: %s, %s (%s): %s since run %s of %s", t.Host, t.Title, metric, series[i].Trial.Subject.Name, c.words(metric), c.Since, c.Begun.UTC().Format("2006-01-02 15:04:05")))
			}
		}
	}
	return lines, nil
}

// leastSuccession is how many runs show that another history has taken the place of one.
const leastSuccession = 3

// over reports whether another history has taken the place of one, such as with the
// settings of a new disk: its trial was measured several times since, in other ways, and
// until longer after its last run than twice the longest pause between its own.
func over(s store.Series, runs []time.Time) bool {
	longest := time.Duration(0)
	for i, r := range s.Runs[1:] {
		longest = max(longest, r.Started.Sub(s.Runs[i].Started))
	}
	last := s.Runs[len(s.Runs)-1].Started
	later := slices.DeleteFunc(slices.Clone(runs), func(t time.Time) bool { return !t.After(last) })
	slices.SortFunc(later, time.Time.Compare)
	later = slices.CompactFunc(later, time.Time.Equal) // a run may have several series of a trial
	return len(later) >= leastSuccession && later[len(later)-1].Sub(last) > 2*longest
}

// factsOf returns the facts of the hosts that answered.
func factsOf(answers []survey.Answer) (all []assay.Facts) {
	for _, one := range answers {
		if one.Err == nil {
			all = append(all, one.Facts)
		}
	}
	return all
}
