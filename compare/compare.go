package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/stats"
)

// Compare compares every column with the first. There must be at least two.
func Compare(columns []Column, o Options) Comparison {
	c := Comparison{Schema: Schema, Rows: []Row{}, Refused: []Row{}, Lone: []Lone{}, Notes: []string{}}
	g := gathering{at: map[figure][]*pool{}, refuted: map[figure]map[place]bool{}}
	for i, column := range columns {
		c.Columns = append(c.Columns, headOf(column))
		g.gather(i, len(columns), column, o)
	}
	c.Lone = append(c.Lone, g.lone()...)
	for _, f := range g.order {
		pools := g.at[f]
		c.Lone = append(c.Lone, g.widows(f)...)
		had := make([]bool, len(pools))
		several := false
		for i, p := range pools {
			had[i] = len(p.ids) > 0
			several = several || len(p.ids) > 1
		}
		for _, cells := range match(pools) {
			row := rowOf(f, cells, several)
			if len(row.Settings) > 0 && !o.Unlike {
				c.Refused = append(c.Refused, row)
				continue
			}
			c.Rows = append(c.Rows, row)
		}
		c.Lone = append(c.Lone, lonely(f, pools, had, len(g.refuted[f]) > 0)...)
	}
	c.judge()
	c.Notes = append(c.Notes, shared(columns)...)
	c.order(columns)
	return c
}

// gathering holds all figures of all columns, in the order of the first.
type gathering struct {
	order    []figure
	at       map[figure][]*pool
	rejected []Lone
	refuted  map[figure]map[place]bool // where each was rejected
	silent   []silence
}

// place is a subject, by its id, in a column.
type place struct {
	column int
	id     string
}

// silence is a result without a figure.
type silence struct {
	column int
	result *assay.Result
}

// gather adds the figures of one column.
func (g *gathering) gather(column, columns int, c Column, o Options) {
	for _, pick := range c.Picks {
		if len(pick.Result.Counted()) == 0 {
			g.silent = append(g.silent, silence{column, pick.Result})
		}
		for _, s := range seriesOf(pick, c.wants(pick.Result, o)) {
			if rule := s.rejected(); rule != "" {
				g.rejected = append(g.rejected, Lone{
					Column: column, Trial: pick.Result.Trial.ID, Title: pick.Result.Trial.Title, Metric: s.metric,
					Why: "the audit rejected it: " + rule, Rejected: true, Run: pick.Run.ID,
				})
				if g.refuted[s.figure] == nil {
					g.refuted[s.figure] = map[place]bool{}
				}
				g.refuted[s.figure][place{column, pick.Result.Trial.Subject.ID}] = true
				continue
			}
			if g.at[s.figure] == nil {
				g.order = append(g.order, s.figure)
				for range columns {
					g.at[s.figure] = append(g.at[s.figure], &pool{})
				}
			}
			g.at[s.figure][column].add(s)
		}
	}
}

// widows removes and explains the figures whose subject has none that counts in
// another column.
func (g *gathering) widows(f figure) (out []Lone) {
	gone := make([]map[string]bool, len(g.at[f]))
	for i := range gone {
		gone[i] = map[string]bool{}
	}
	refuted := map[string]bool{}
	for at := range g.refuted[f] {
		gone[at.column][at.id], refuted[at.id] = true, true
	}
	for _, s := range g.silent {
		if t := s.result.Trial; f.probe == t.Probe && f.name == t.Case {
			gone[s.column][t.Subject.ID] = true
		}
	}
	for i, lost := range widowed(g.at[f], gone) {
		for _, id := range sortedKeys(lost) {
			why := noneOf(i)
			if refuted[id] {
				why = refutedPartner
			}
			out = append(out, lonesOf(f, i, lost[id], why)...)
		}
	}
	return out
}

// wants returns a filter for the measurements to compare.
func (c Column) wants(r *assay.Result, o Options) func(assay.Measurement) bool {
	return func(m assay.Measurement) bool {
		switch {
		case c.Metric != nil:
			return c.Metric(m.Metric)
		case o.All:
			return judgeable(m)
		}
		return r.Headline(m)
	}
}

// lone returns what was rejected, and what has a figure in one column but none
// in another: what no column could measure is not compared.
func (g *gathering) lone() []Lone {
	out := g.rejected
	for _, s := range g.silent {
		t := s.result.Trial
		if slices.ContainsFunc(g.order, func(f figure) bool {
			return f.probe == t.Probe && f.name == t.Case && f.kind == t.Subject.Kind
		}) {
			out = append(out, Lone{Column: s.column, Trial: t.ID, Title: t.Title, Why: silent(s.result)})
		}
	}
	return out
}

func rowOf(f figure, cells [][]*series, several bool) Row {
	m, _ := assay.Describe(f.metric)
	trial := cells[0][0].Result.Trial
	row := Row{
		Probe: f.probe, Case: f.name, Title: titleOf(cells), Kind: f.kind, Direction: f.direction,
		Metric: f.metric, Unit: m.Unit, Better: betterWord(m.Better),
		Settings: orEmpty(unlikeSettings(cells)), Facts: orEmpty(unlikeFacts(cells)),
	}
	if several {
		row.Subject = trial.Subject.ID
		row.Told = tells(row.Title, trial.Subject)
	}
	byRun := manyRuns(cells)
	for _, all := range cells {
		row.Cells = append(row.Cells, cellOf(all, byRun))
	}
	return row
}

// titleOf returns the title of the base's trial, without its host if others are
// of other hosts.
func titleOf(cells [][]*series) string {
	trial := cells[0][0].Result.Trial
	title, host := cmp.Or(trial.Title, trial.Probe+"/"+trial.Case), trial.Subject.Host
	for _, cell := range cells[1:] {
		if len(cell) > 0 && cell[0].Result.Trial.Subject.Host != host && host != "" {
			return strings.TrimPrefix(strings.Replace(title, host+" → ", "→ ", 1), host+": ")
		}
	}
	return title
}

// tells reports whether a title already names its subject.
func tells(title string, s assay.Subject) bool {
	return strings.Contains(title, "→ "+s.Peer) && s.Peer != "" || strings.Contains(title, s.Host) && strings.Contains(title, s.Name)
}

// manyRuns reports whether every column that has the figure has enough runs to use
// one value per run: runs are independent of each other, repeats of one run not
// quite.
func manyRuns(cells [][]*series) bool {
	return !slices.ContainsFunc(cells, func(all []*series) bool {
		return len(all) > 0 && len(runsOf(all)) < stats.LeastForInterval
	})
}

func cellOf(all []*series, byRun bool) *Cell {
	if len(all) == 0 {
		return nil
	}
	c := &Cell{Trials: trialIDs(all), Runs: runsOf(all), Unit: "repeats"}
	if byRun {
		c.Unit = "runs"
	}
	var lengths []float64
	ofRun := map[string][]float64{}
	for _, s := range all {
		ofRun[s.Run.ID] = append(ofRun[s.Run.ID], s.values...)
		if l := s.length(); l > 0 {
			lengths = append(lengths, l)
		}
	}
	for _, run := range c.Runs {
		if byRun {
			c.Values = append(c.Values, stats.Median(ofRun[run]))
		} else {
			c.Values = append(c.Values, ofRun[run]...)
		}
	}
	if len(lengths) > 0 {
		c.Seconds = stats.Median(lengths)
	}
	s := stats.Summarise(c.Values)
	c.Median, c.Low, c.High, c.Level, c.N = s.Center, s.Low, s.High, s.Level, s.N
	return c
}

// runsOf returns the ids of the runs of some series in time order.
func runsOf(all []*series) []string {
	runs := map[string]*assay.Run{}
	for _, s := range all {
		runs[s.Run.ID] = s.Run
	}
	return byTime(runs)
}

func byTime(runs map[string]*assay.Run) []string {
	ids := sortedKeys(runs)
	slices.SortStableFunc(ids, func(a, b string) int { return runs[a].Started.Compare(runs[b].Started) })
	return ids
}

func headOf(c Column) Head {
	runs := map[string]*assay.Run{}
	hosts := map[string]bool{}
	for _, p := range c.Picks {
		runs[p.Run.ID] = p.Run
		hosts[p.Result.Trial.Subject.Host] = true
	}
	delete(hosts, "")
	return Head{Name: c.Name, Runs: orEmpty(byTime(runs)), Hosts: orEmpty(sortedKeys(hosts))}
}

// shared notes which columns share repeats with the base: something compared
// with itself is not two samples.
func shared(columns []Column) (notes []string) {
	base := map[*assay.Result]bool{}
	for _, p := range columns[0].Picks {
		base[p.Result] = true
	}
	for i, c := range columns[1:] {
		n := 0
		for _, p := range c.Picks {
			if base[p.Result] {
				n++
			}
		}
		if n > 0 {
			notes = append(notes, fmt.Sprintf("column %d shares %d of its %d results with the base: these cannot differ", i+2, n, len(c.Picks)))
		}
	}
	return notes
}

func betterWord(b assay.Better) string {
	return map[assay.Better]string{assay.Higher: "higher", assay.Lower: "lower"}[b]
}

// orEmpty makes JSON print [] instead of null.
func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
