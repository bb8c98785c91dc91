package report

import (
	"slices"
	"strings"

	"assay"
	"assay/analysis"
)

// Tiers is kinds of storage side by side: what each gives under the same load,
// how that compares with the first of them, and what bounds it.
type Tiers struct {
	Columns []TierColumn `json:"columns"` // in the order of the inventory
	Tables  []TierTable  `json:"tables"`
	Binds   []TierBind   `json:"binds"` // what bounds each of them, as far as facts tell
	Notes   []string     `json:"notes"` // sentences that belong to all of it
}

// TierColumn is a tier as one host sees it.
type TierColumn struct {
	analysis.TierColumn
	What string `json:"what"` // what was asked for, in words
}

// TierTable is figures that are compared with each other.
type TierTable struct {
	ID      string    `json:"id"` // storage, objects, beside
	Title   string    `json:"title"`
	Note    string    `json:"note"`
	Columns []string  `json:"columns"` // names, in the order of the cells
	Base    string    `json:"base"`    // the column that ratios are to; "" where nothing is compared
	Rows    []TierRow `json:"rows"`
	Refused []string  `json:"refused"` // what is not compared, and why
}

// TierRow is one figure of one case in all columns.
type TierRow struct {
	Title    string     `json:"title"`
	Settings string     `json:"settings"` // as they were in the first column that has it
	Label    string     `json:"label"`    // heading of the figure: IOPS, bandwidth, p99
	Metric   string     `json:"metric"`
	Unit     assay.Unit `json:"unit"`
	Better   string     `json:"better"` // higher, lower or ""
	// Headline reports whether this is the case's main figure.
	Headline bool       `json:"headline"`
	Cells    []TierCell `json:"cells"`
}

// TierCell is what one column has, and how that compares with the base.
type TierCell struct {
	analysis.ComparedCell
	// Refused says why a figure is not compared with the base's: what differed in
	// the measurement.
	Refused string `json:"refused,omitempty"`
}

// TierBind is what bounds one figure of a tier, as far as facts show.
type TierBind struct {
	Column string               `json:"column"`
	Trial  string               `json:"trial"`
	Metric string               `json:"metric"`
	Value  float64              `json:"value"`  // B/s
	Limits []analysis.TierLimit `json:"limits"` // the least first
	// Share is the figure divided by the limit that Text names; 0 if it names
	// none.
	Share   float64  `json:"share"`
	Missing []string `json:"missing"` // facts that would give further limits
	Kind    string   `json:"kind"`    // limit, note, doubt or next: as of a sentence of the verdict
	Text    string   `json:"text"`
	// Holders are the busiest resources of the hosts that hold the data, and Held puts
	// that into words; "" if none was watched.
	Holders []analysis.HolderLoad `json:"holders"`
	Held    string                `json:"held"`
}

// tiersOf puts what was found about a run's tiers into words.
func tiersOf(found analysis.Found) *Tiers {
	if found.Tiers == nil {
		return nil
	}
	t := &Tiers{Notes: tierNotes(found.Tiers.Notes)}
	for _, c := range found.Tiers.Columns {
		i := slices.IndexFunc(found.Run.Inventory.Tiers, func(t assay.Tier) bool { return t.Name == c.Tier })
		t.Columns = append(t.Columns, TierColumn{c, tierWhat(found.Run.Inventory.Tiers[i], c.Host)})
	}
	for _, table := range found.Tiers.Tables {
		t.Tables = append(t.Tables, tierTableOf(table))
	}
	for _, b := range found.Tiers.Binds {
		t.Binds = append(t.Binds, TierBind{
			Column: b.Column, Trial: b.Trial, Metric: b.Metric, Value: b.Value, Limits: typeset(b.Limits), Share: b.Share,
			Missing: b.Missing, Kind: string(b.Says.Tone()), Text: bindWords(b), Holders: b.Holders, Held: holdersWords(b),
		})
	}
	return t
}

// typeset formats the arithmetic of limits for reports.
func typeset(all []analysis.TierLimit) []analysis.TierLimit {
	out := slices.Clone(all)
	for i := range out {
		out[i].Sum = strings.ReplaceAll(out[i].Sum, " x ", " × ")
	}
	return out
}

func tierTableOf(found analysis.TierTable) TierTable {
	t := TierTable{ID: found.ID, Title: tierTitles[found.ID], Note: tierTableNote(found), Columns: found.Columns, Base: found.Base}
	for _, r := range found.Rows {
		row := TierRow{Title: r.Title, Settings: loadWords(r.Load), Label: r.Label, Metric: r.Metric, Unit: r.Unit, Better: r.Better, Headline: r.Headline}
		for _, c := range r.Cells {
			row.Cells = append(row.Cells, TierCell{c.ComparedCell, unlikeWords(c.Unlike)})
		}
		t.Rows = append(t.Rows, row)
	}
	for _, r := range found.Refused {
		t.Refused = append(t.Refused, refusalWords(r))
	}
	return t
}

// sides returns the cells without their comparison with the base.
func (r TierRow) sides() []analysis.SideCell {
	var out []analysis.SideCell
	for _, c := range r.Cells {
		out = append(out, c.SideCell)
	}
	return out
}

// count says what all figures rest on; "" if they differ.
func (t TierTable) count() string {
	var all [][]analysis.SideCell
	for _, r := range t.Rows {
		all = append(all, r.sides())
	}
	return commonCellCount(all...)
}
