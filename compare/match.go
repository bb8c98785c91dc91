package compare

import (
	"fmt"
	"slices"

	"assay"
)

// pool is what one column has of one figure, by the id of the subject, in the
// column's order.
type pool struct {
	ids []string
	of  map[string][]*series
}

func (p *pool) add(s *series) {
	if p.of == nil {
		p.of = map[string][]*series{}
	}
	id := s.Result.Trial.Subject.ID
	if p.of[id] == nil {
		p.ids = append(p.ids, id)
	}
	p.of[id] = append(p.of[id], s)
}

func (p *pool) take(id string) []*series {
	found := p.of[id]
	delete(p.of, id)
	p.ids = slices.DeleteFunc(p.ids, func(other string) bool { return other == id })
	return found
}

// named gives the only subject of that name, or "": of two nobody knows which.
func (p *pool) named(name string) string {
	found := ""
	for _, id := range p.ids {
		if p.subject(id).Name != name {
			continue
		}
		if found != "" {
			return ""
		}
		found = id
	}
	return found
}

func (p *pool) subject(id string) assay.Subject { return p.of[id][0].Result.Trial.Subject }

// match gives the rows of one figure, each with the series of every column; none
// of a column is an empty cell. What is left in the pools has no partner.
func match(pools []*pool) [][][]*series {
	if !slices.ContainsFunc(pools, func(p *pool) bool { return len(p.ids) > 1 }) {
		return onlyOnes(pools)
	}
	rows := rowsBy(pools, func(p *pool, s assay.Subject) string {
		if p.of[s.ID] == nil {
			return ""
		}
		return s.ID
	})
	return append(rows, rowsBy(pools, func(p *pool, s assay.Subject) string { return p.named(s.Name) })...)
}

// onlyOnes makes the one row of columns that have at most one subject each.
func onlyOnes(pools []*pool) [][][]*series {
	if len(pools[0].ids) == 0 || !slices.ContainsFunc(pools[1:], func(p *pool) bool { return len(p.ids) > 0 }) {
		return nil
	}
	var row [][]*series
	for _, p := range pools {
		var cell []*series
		if len(p.ids) > 0 {
			cell = p.take(p.ids[0])
		}
		row = append(row, cell)
	}
	return [][][]*series{row}
}

// rowsBy makes a row of each subject of the base that find finds in another
// column.
func rowsBy(pools []*pool, find func(*pool, assay.Subject) string) [][][]*series {
	var rows [][][]*series
	for _, id := range slices.Clone(pools[0].ids) {
		s := pools[0].subject(id)
		partners := make([]string, len(pools))
		found := false
		for i, p := range pools[1:] {
			partners[i+1] = find(p, s)
			found = found || partners[i+1] != ""
		}
		// Of two subjects of the base that have one name, none is the other's partner.
		if !found || find(pools[0], s) != id {
			continue
		}
		partners[0] = id
		row := make([][]*series, len(pools))
		for i, p := range pools {
			if partners[i] != "" {
				row[i] = p.take(partners[i])
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// lonely says of what is left why it has no partner: has tells which columns
// had the figure at all, several that one has it of several subjects, refuted that
// one of them was rejected.
func lonely(f figure, pools []*pool, had []bool, several, refuted bool) []Lone {
	var out []Lone
	for i, p := range pools {
		others := slices.Clone(had)
		others[i] = false
		why := "the other columns have no such result"
		switch {
		case refuted && !slices.Contains(others, true):
			why = "the audit rejected its partner"
		case i > 0 && !had[0]:
			why = "the base has no such result"
		case slices.Contains(others, true) && several:
			why = fmt.Sprintf("cannot tell which %s it belongs with: choose with subject=", f.kind)
		}
		for _, id := range p.ids {
			for _, t := range trials(p.of[id]) {
				out = append(out, Lone{Column: i, Trial: t.ID, Title: t.Title, Metric: f.metric, Why: why})
			}
		}
	}
	return out
}

// trialIDs gives the ids of the trials of some series, each once.
func trialIDs(all []*series) (ids []string) {
	for _, t := range trials(all) {
		ids = append(ids, t.ID)
	}
	return ids
}

// trials gives the trials of some series, each once.
func trials(all []*series) (found []assay.Trial) {
	for _, s := range all {
		t := s.Result.Trial
		if !slices.ContainsFunc(found, func(f assay.Trial) bool { return f.ID == t.ID }) {
			found = append(found, t)
		}
	}
	return found
}
