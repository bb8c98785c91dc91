package analysis

import (
	"slices"
	"strings"

	"assay"
	"assay/compare"
	"assay/internal/order"
)

// Tiers compares kinds of storage: what each delivers under the same load, how
// that compares with the first of them, and what bounds it.
type Tiers struct {
	Columns []TierColumn // in the order of the inventory
	Tables  []TierTable
	Binds   []TierBind // what bounds each, as far as the facts tell
	Notes   TierNotes
	Misfits []NetworkMisfit // of the networks under replicated storage
}

// TierColumn is a tier as one host sees it.
type TierColumn struct {
	Name string `json:"name"` // the tier's, with its host where several measure it
	Tier string `json:"tier"`
	Host string `json:"host"`
	Node string `json:"node,omitempty"` // of Kubernetes, where the host is a pod
	Kind string `json:"kind"`           // of the volume: dir, pvc, hostpath, rawblock, ephemeral, bucket
}

// TierTable is a table of figures compared with each other.
type TierTable struct {
	ID      string   // StorageTiers, ObjectTiers, BesideTiers
	Columns []string // names, in the order of the cells
	Base    string   // the column that ratios are to; "" where nothing is compared
	Rows    []TierRow
	Refused []Refusal
}

// The IDs of tables: for block storage, object storage, and both.
const (
	StorageTiers = "storage"
	ObjectTiers  = "objects"
	BesideTiers  = "beside"
)

// TierRow is one figure of one case across all columns.
type TierRow struct {
	Title    string
	Load     Load   // from the first column that has it
	Label    string // heading of the figure: IOPS, bandwidth, p99
	Metric   string
	Unit     assay.Unit
	Better   string // higher, lower or ""
	Headline bool   // the case is about this figure
	Cells    []TierCell
}

// Load is how a case ran: settings that are unknown or unused are 0 or "".
type Load struct {
	InFlight           int
	Direct, Sync, Rate string // as the tool reports it
}

// TierCell is one column's figure, and how it compares with the base.
type TierCell struct {
	ComparedCell
	// Unlike is why a figure is not compared with the base's: the differences
	// in the measurement, the base's value first.
	Unlike []compare.Difference
}

// ComparedCell is a cell with its comparison to the base's; nil if not compared.
type ComparedCell struct {
	SideCell
	Against *compare.Against `json:"against,omitempty"`
}

// Refusal is why the figures of a column are not compared with the base's.
type Refusal struct {
	Column string
	Unlike []compare.Difference
	Titles []string // of the cases
}

// Same reports whether a figure was compared with the base's and is
// indistinguishable from it, or differs by less than matters.
func (c ComparedCell) Same() bool {
	return c.Against != nil && (c.Against.Verdict == compare.Equivalent || c.Against.Verdict == compare.Undetermined)
}

// tierCase is one case of one probe on the tiers.
type tierCase struct {
	key     string
	title   string
	results []*assay.Result // by table column; nil if there is none
}

// tiers compares the tiers of a run, with what binds each and what binds several
// hosts together; nil if it has none, or none was to be measured.
func (b *builder) tiers(together []ScalingCurve) *Tiers {
	t := &Tiers{Columns: b.tierColumns()}
	var storage, objects []TierColumn
	for _, c := range t.Columns {
		if c.Kind == bucketVolume {
			objects = append(objects, c)
		} else {
			storage = append(storage, c)
		}
	}
	blocks, requests := b.tierCases(storage), b.tierCases(objects)
	for _, table := range []TierTable{
		b.tierTable(StorageTiers, storage, blocks),
		b.tierTable(ObjectTiers, objects, requests),
		b.besideTable(storage, objects, blocks, requests),
	} {
		if len(table.Rows) > 0 && len(table.Columns) > 1 { // a single column has nothing to compare with
			t.Tables = append(t.Tables, table)
		}
	}
	if len(blocks)+len(requests) == 0 {
		return nil
	}
	for i := range t.Tables {
		t.Tables[i].compareTiers()
	}
	t.Binds = slices.Concat(b.binds(storage, blocks), b.binds(objects, requests), b.bindsAlone(), b.bindsTogether(together))
	t.Notes = b.tierNotes(t, storage, blocks)
	t.Misfits = b.misfits(t.Binds)
	return t
}

// bucketVolume is the kind of volume for measuring object stores.
const bucketVolume = "bucket"

// tierColumns returns a column for each host of a tier that measures everything
// any of its hosts does: the rest measure only for the joint total, which is
// shown elsewhere.
func (b *builder) tierColumns() []TierColumn {
	var out []TierColumn
	for _, t := range b.run.Inventory.Tiers {
		hosts := b.wholeHosts(t)
		for _, h := range hosts {
			name := t.Name
			switch {
			case len(hosts) == 1:
			case strings.HasPrefix(h, t.Name+"@"):
				name = h
			default:
				name = t.Name + "@" + h
			}
			out = append(out, TierColumn{Name: name, Tier: t.Name, Host: h, Node: t.Nodes[h], Kind: t.Kind})
		}
	}
	return out
}

// wholeHosts returns the hosts of a tier that measure the most cases on their
// own.
func (b *builder) wholeHosts(t assay.Tier) []string {
	cases := map[string]int{}
	most := 0
	for _, r := range b.run.Results {
		if s := r.Trial.Subject; s.Tier == t.Name && len(r.Trial.Others) == 0 {
			cases[s.Host]++
			most = max(most, cases[s.Host])
		}
	}
	return slices.DeleteFunc(slices.Clone(t.Hosts), func(h string) bool { return cases[h] < most })
}

// tierCases groups what was measured in some columns by case. What several
// hosts did at once is left out.
func (b *builder) tierCases(columns []TierColumn) []tierCase {
	var cases []tierCase
	for i := range b.run.Results {
		r := &b.run.Results[i]
		s := r.Trial.Subject
		at := slices.IndexFunc(columns, func(c TierColumn) bool { return c.Tier == s.Tier && c.Host == s.Host })
		if s.Tier == "" || at < 0 || len(r.Trial.Others) > 0 {
			continue
		}
		key := r.Trial.Probe + "/" + r.Trial.Case
		found := slices.IndexFunc(cases, func(c tierCase) bool { return c.key == key })
		if found < 0 {
			cases = append(cases, tierCase{key, bareTitle(r.Trial.Title, s.Host), make([]*assay.Result, len(columns))})
			found = len(cases) - 1
		}
		cases[found].results[at] = r
	}
	return cases
}

// tierTable builds the table of some columns: a row for each figure of each
// case.
func (b *builder) tierTable(id string, columns []TierColumn, cases []tierCase) TierTable {
	t := TierTable{ID: id, Columns: tierNames(columns)}
	for _, c := range cases {
		var wanted []tierFigure
		for _, r := range c.results {
			for _, f := range tierFigures(r) {
				if !slices.ContainsFunc(wanted, func(w tierFigure) bool { return w.metric == f.metric }) {
					wanted = append(wanted, f)
				}
			}
		}
		for _, f := range wanted {
			t.Rows = append(t.Rows, b.tierRow(c, f, columns))
		}
	}
	t.Base = t.firstWithFigures()
	b.refuse(&t, cases)
	return t
}

// firstWithFigures returns the first column that has a figure to compare with.
func (t TierTable) firstWithFigures() string {
	for i, name := range t.Columns {
		for _, r := range t.Rows {
			if c := r.Cells[i]; c.Figure != nil && !c.Figure.Rejected {
				return name
			}
		}
	}
	return ""
}

func tierNames(columns []TierColumn) []string {
	var out []string
	for _, c := range columns {
		out = append(out, c.Name)
	}
	return out
}

// tierFigure is a figure with a row for its case.
type tierFigure struct {
	column
	headline bool
}

// tierFigures returns the figures to show for a result: for storage the headlines
// and the latencies of the same direction, for objects the figures of each
// request.
func tierFigures(r *assay.Result) []tierFigure {
	if r == nil {
		return nil
	}
	var out []tierFigure
	add := func(metric, label string, headline bool) {
		if len(r.Values(metric)) > 0 {
			out = append(out, tierFigure{column{metric, label}, headline})
		}
	}
	all := r.Headlines()
	for _, op := range []string{"put", "get", "delete", "head", "list"} {
		stem := "object." + op + "."
		add(stem+"ops", "requests", slices.Contains(all, stem+"ops"))
		add(stem+"throughput", "throughput", slices.Contains(all, stem+"throughput"))
		add(stem+"latency.p50", "p50", false)
		add(stem+"latency.p99", "p99", false)
		add(stem+"first_byte.mean", "first byte", false)
	}
	heads := slices.DeleteFunc(all, func(m string) bool { return !strings.HasPrefix(m, "storage.") })
	for _, head := range heads {
		_, figure, _ := strings.Cut(strings.TrimPrefix(head, "storage."), ".")
		stem, way := strings.TrimSuffix(head, figure), ""
		if len(heads) > 1 {
			way = strings.Split(head, ".")[1] + " "
		}
		label := map[string]string{"iops": "IOPS", "bandwidth": "bandwidth"}[figure]
		add(head, way+label, true)
		add(stem+"latency.p50", way+"p50", false)
		add(stem+"latency.p99", way+"p99", false)
	}
	return out
}

// tierRow builds one row, not yet compared.
func (b *builder) tierRow(c tierCase, f tierFigure, columns []TierColumn) TierRow {
	m, _ := assay.Describe(f.metric)
	row := TierRow{
		Title: c.title, Label: f.label, Metric: f.metric, Unit: m.Unit, Better: betterWord(m.Better), Headline: f.headline,
		Cells: make([]TierCell, len(columns)),
	}
	for i, r := range c.results {
		row.Cells[i].SideCell = b.tierCell(r, f, columns[i].Host)
		if r != nil && row.Load == (Load{}) {
			row.Load = loadOf(*r, f.metric)
		}
	}
	return row
}

// tierCell summarises one figure of a result, with its footnotes: those about
// no particular figure go with the headline.
func (b *builder) tierCell(r *assay.Result, f tierFigure, host string) SideCell {
	if r == nil {
		cell, _ := b.unasked(host)
		return cell
	}
	cell := SideCell{Trial: r.Trial.ID}
	if a := b.absence(*r); a != nil {
		cell.Absent = a
		return cell
	}
	all := tierFigures(r)
	order.Stable(all, func(x, y tierFigure) int { return boolRank(x.headline) - boolRank(y.headline) })
	at := slices.IndexFunc(all, func(w tierFigure) bool { return w.metric == f.metric })
	if at < 0 {
		return cell
	}
	var figures []Figure
	for _, w := range all {
		figures = append(figures, figure(w.metric, w.label, r.Values(w.metric), measured(*r)))
	}
	b.mark(r.Trial.ID, figures)
	cell.Figure = &figures[at]
	cell.Figure.Ceiling = ceilingOf(*cell.Figure, *r, b.run.Inventory)
	return cell
}

func loadOf(r assay.Result, metric string) Load {
	l := happenedTo(r, metric)
	return Load{InFlight: inFlight(l), Direct: l["direct"], Sync: strings.TrimPrefix(l["sync"], "0"), Rate: strings.TrimPrefix(l["rate"], "0")}
}
