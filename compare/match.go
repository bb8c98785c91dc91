package compare

import (
	"fmt"
	"slices"

	"assay"
)

// pool holds one column's series of one figure by subject id, in the column's
// order.
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

// named returns the only subject with that name, or "": two would be ambiguous.
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

// match returns the rows of one figure, each with the series of every column; a
// column without any gets an empty cell. What is left in the pools has no partner.
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

// onlyOnes returns the single row of columns that have at most one subject
// each.
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

// rowsBy returns a row for each subject of the base that find finds in another
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
		// If two subjects of the base share a name, neither gets a partner by it.
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

// widowed removes from the pools what has lost its partner: another column has the
// same subject, but no figure of it that counts. This keeps it from being paired
// with a different subject. gone lists each column's subjects without a figure.
func widowed(pools []*pool, gone []map[string]bool) []map[string][]*series {
	out := make([]map[string][]*series, len(pools))
	for i, p := range pools {
		out[i] = map[string][]*series{}
		for _, id := range slices.Clone(p.ids) {
			lost, has := false, false
			for k, other := range pools {
				lost = lost || k != i && gone[k][id]
				has = has || k != i && other.of[id] != nil
			}
			if lost && !has {
				out[i][id] = p.take(id)
			}
		}
	}
	return out
}

// lonely returns why what is left has no partner: had tells which columns had
// the figure at all, refuted whether that of another subject was rejected.
func lonely(f figure, pools []*pool, had []bool, refuted bool) []Lone {
	var out []Lone
	for i, p := range pools {
		others := slices.Clone(had)
		others[i] = false
		for _, id := range p.ids {
			why := noneOf(i)
			switch {
			case i > 0 && !had[0]:
			case slices.Contains(others, true) && ambiguous(pools, p.subject(id).Name):
				why = fmt.Sprintf("cannot tell which %s it belongs with: choose with subject=", f.kind)
			case refuted && !slices.Contains(others, true):
				why = refutedPartner
			}
			out = append(out, lonesOf(f, i, p.of[id], why)...)
		}
	}
	return out
}

const refutedPartner = "the audit rejected the other result"

// noneOf returns why nothing compares with what one column has.
func noneOf(column int) string {
	if column > 0 {
		return "the base has no such result"
	}
	return "the other columns have no such result"
}

// ambiguous reports whether several columns still have subjects of that name: one
// of them has more than one, so it is unclear which belong together.
func ambiguous(pools []*pool, name string) bool {
	columns := 0
	for _, p := range pools {
		if slices.ContainsFunc(p.ids, func(id string) bool { return p.subject(id).Name == name }) {
			columns++
		}
	}
	return columns > 1
}

func lonesOf(f figure, column int, all []*series, why string) (out []Lone) {
	for _, t := range trials(all) {
		out = append(out, Lone{Column: column, Trial: t.ID, Title: t.Title, Metric: f.metric, Why: why})
	}
	return out
}

// trialIDs returns the ids of the trials of some series, each once.
func trialIDs(all []*series) (ids []string) {
	for _, t := range trials(all) {
		ids = append(ids, t.ID)
	}
	return ids
}

// trials returns the trials of some series, each once.
func trials(all []*series) (found []assay.Trial) {
	for _, s := range all {
		t := s.Result.Trial
		if !slices.ContainsFunc(found, func(f assay.Trial) bool { return f.ID == t.ID }) {
			found = append(found, t)
		}
	}
	return found
}
