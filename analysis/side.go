package analysis

import (
	"cmp"
	"slices"
	"strings"

	"assay"
)

// Side sets several hosts side by side.
type Side struct {
	Hosts    []string    `json:"hosts"` // the columns, in the inventory's order
	Tables   []SideTable `json:"tables"`
	Networks []Matrix    `json:"networks"`
	Signs    []Sign      `json:"signs"`   // what goes wrong on the paths of one host
	Without  []Without   `json:"without"` // hosts without figures that the others have
	Unlike   []Unlike    `json:"unlike"`  // hosts with facts that no other has
}

// SideTable compares one kind of thing across all hosts.
type SideTable struct {
	ID    string    `json:"id"` // of the section that has the figures in full
	Title string    `json:"title"`
	Rows  []SideRow `json:"rows"`
}

// SideRow is one figure of one trial across all hosts.
type SideRow struct {
	Title  string     `json:"title"`
	Label  string     `json:"label"` // heading of the figure: IOPS, bandwidth
	Metric string     `json:"metric"`
	Unit   assay.Unit `json:"unit"`
	Better string     `json:"better"` // higher, lower or ""
	Cells  []SideCell `json:"cells"`  // one for each of Side.Hosts
}

// SideCell is one host's figure, or why it has none. With neither, the host was
// never meant to be measured this way.
type SideCell struct {
	Trial  string         `json:"trial,omitempty"`
	Figure *Figure        `json:"figure,omitempty"`
	Absent *assay.Absence `json:"absent,omitempty"`
	Odd    string         `json:"odd,omitempty"` // worse or better, where it is clearly not like the others
	Via    string         `json:"via,omitempty"` // of a link: the third host or gateway that the traffic really passed

	// For retransmits: the median number of TCP segments sent per repeat; 0 if not counted.
	Segments float64 `json:"segments,omitempty"`
}

// side compares the hosts of a run and finds outliers; nil if fewer than two
// hosts have figures.
func (b *builder) side(sections []Section) (*Side, []Outlier) {
	s := &Side{}
	for _, h := range b.run.Inventory.Hosts {
		if !b.onlyTiers(h.Name) {
			s.Hosts = append(s.Hosts, h.Name)
		}
	}
	for _, section := range sections {
		if t := b.sideTable(section, s.Hosts); len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t)
		}
	}
	s.Networks = b.matrices(s.Hosts)
	if len(s.measured()) < 2 {
		return nil, nil
	}
	b.signs = append(signs(s.Networks), b.sampledSigns(s.Networks)...)
	s.Signs = b.signs
	s.Networks = slices.DeleteFunc(s.Networks, func(m Matrix) bool {
		return m.Metric == spreadMetric && !slices.ContainsFunc(b.signs, func(o Sign) bool { return o.Metric == m.Metric && o.Network == m.Network })
	})
	outliers := b.outliers(s)
	s.Without, s.Unlike = b.without(s, outliers), b.unlike(s, outliers)
	return s, outliers
}

// onlyTiers reports whether a host only measured storage tiers.
func (b *builder) onlyTiers(host string) bool {
	only := false
	for _, r := range b.run.Results {
		switch s := r.Trial.Subject; {
		case s.Tier == "" && (s.Host == host || s.Peer == host):
			return false
		case s.Host == host:
			only = true
		}
	}
	return only
}

// measured returns the hosts that have a figure.
func (s *Side) measured() map[string]bool {
	found := map[string]bool{}
	for _, t := range s.Tables {
		for _, r := range t.Rows {
			for i, c := range r.Cells {
				if c.Figure != nil {
					found[s.Hosts[i]] = true
				}
			}
		}
	}
	for _, m := range s.Networks {
		for from := range m.Cells {
			for to, c := range m.Cells[from] {
				if c.Figure != nil {
					found[m.Hosts[from]], found[m.Hosts[to]] = true, true
				}
			}
		}
	}
	return found
}

// sideTable transposes a section: a row per trial and figure, a column per
// host.
func (b *builder) sideTable(section Section, hosts []string) SideTable {
	t := SideTable{ID: section.ID, Title: section.Title}
	shared := b.sharedTitles(section)
	for _, r := range section.Rows {
		result := b.results[r.Trial]
		if result == nil {
			continue
		}
		trial := result.Trial
		if trial.Subject.Kind == assay.KindLink || trial.Subject.Tier != "" || trial.Decides != "" {
			continue // links are in the matrices, tiers in their own tables
		}
		title := bareTitle(r.Title, trial.Subject.Host)
		if shared[title] {
			title += ", " + trial.Subject.Name
		}
		column := slices.Index(hosts, trial.Subject.Host)
		if column < 0 {
			continue
		}
		for _, f := range b.besideOf(r) {
			t.row(title, f, len(hosts)).Cells[column] = SideCell{Trial: r.Trial, Figure: &f}
		}
		if r.Absent != nil {
			t.lacking(title, column, SideCell{Trial: r.Trial, Absent: r.Absent}, len(hosts))
		}
	}
	t.settle()
	for i := range t.Rows {
		for at, host := range hosts {
			if cell, is := b.unasked(host); is && t.Rows[i].Cells[at].Figure == nil {
				t.Rows[i].Cells[at] = cell
			}
		}
	}
	return t
}

// sharedTitles returns the titles that one host uses for several subjects:
// their rows must name the subject.
func (b *builder) sharedTitles(section Section) map[string]bool {
	seen, shared := map[[2]string]string{}, map[string]bool{}
	for _, r := range section.Rows {
		s := b.result(r.Trial).Trial.Subject
		title := bareTitle(r.Title, s.Host)
		if name, is := seen[[2]string{s.Host, title}]; is && name != s.Name {
			shared[title] = true
		}
		seen[[2]string{s.Host, title}] = s.Name
	}
	return shared
}

// row finds or creates the row of a figure.
func (t *SideTable) row(title string, f Figure, columns int) *SideRow {
	for i := range t.Rows {
		if t.Rows[i].Title == title && (t.Rows[i].Metric == f.Metric || t.Rows[i].Metric == "") {
			if t.Rows[i].Metric == "" { // only absences so far
				t.Rows[i].describe(f)
			}
			return &t.Rows[i]
		}
	}
	r := SideRow{Title: title, Cells: make([]SideCell, columns)}
	r.describe(f)
	// A host without one figure of a trial lacks the others too.
	for _, other := range t.Rows {
		if other.Title == title {
			for i, c := range other.Cells {
				if c.Absent != nil {
					r.Cells[i] = c
				}
			}
		}
	}
	t.Rows = append(t.Rows, r)
	return &t.Rows[len(t.Rows)-1]
}

func (r *SideRow) describe(f Figure) {
	r.Label, r.Metric, r.Unit, r.Better = f.Label, f.Metric, f.Unit, f.Better
}

// lacking enters an absence in every row of its trial.
func (t *SideTable) lacking(title string, column int, c SideCell, columns int) {
	found := false
	for i := range t.Rows {
		if t.Rows[i].Title == title {
			t.Rows[i].Cells[column], found = c, true
		}
	}
	if !found {
		r := SideRow{Title: title, Cells: make([]SideCell, columns)}
		r.Cells[column] = c
		t.Rows = append(t.Rows, r)
	}
}

// settle drops rows in which no host has a figure: the section above gives the
// reason, and there is nothing to compare.
func (t *SideTable) settle() {
	t.Rows = slices.DeleteFunc(t.Rows, func(r SideRow) bool {
		return !slices.ContainsFunc(r.Cells, func(c SideCell) bool { return c.Figure != nil })
	})
}

// alsoBeside are compared although no trial is about them: they tell hosts
// apart.
var alsoBeside = []string{"cpu.scaling", "smart.media_errors", "smart.percentage_used", "thermal.rise"}

// besideOf picks the figures of a row to compare across hosts: the trial's
// headlines, and those that tell hosts apart.
func (b *builder) besideOf(r Row) []Figure {
	heads := b.result(r.Trial).Headlines()
	return slices.DeleteFunc(slices.Clone(r.Figures), func(f Figure) bool {
		return !slices.Contains(heads, f.Metric) && !slices.Contains(alsoBeside, f.Metric)
	})
}

// bareTitle strips a leading host name from a title.
func bareTitle(title, host string) string { return strings.TrimPrefix(title, host+": ") }

// byRatio sorts outliers: worse before better, then by distance, farthest
// first.
func byRatio(a, b Outlier) int {
	if a.Better != b.Better {
		return boolRank(b.Better) - boolRank(a.Better)
	}
	return cmp.Compare(b.Greatest, a.Greatest)
}

// comparable counts the rows and matrices in which at least three hosts have a figure that
// is not rejected, and how many of those have only similar figures.
func (s *Side) comparable() (n NoneStandsOut) {
	count := func(metric string, figures []*Figure) {
		n.Rows++
		least := leastDifference[metric]
		if !areAlike(figures, least) {
			return
		}
		n.Alike++
		if near := (Near{metric, least}); !areAlike(figures, 0) && !slices.Contains(n.Near, near) {
			n.Near = append(n.Near, near)
		}
	}
	for _, t := range s.Tables {
		for _, r := range t.Rows {
			if figures := trusted(r.Cells); len(figures) >= 3 && isJudged(r.Metric) {
				count(r.Metric, figures)
			}
		}
	}
	for _, m := range s.Networks {
		var figures []*Figure
		senders := 0
		for _, row := range m.Cells {
			if of := trusted(row); len(of) > 0 {
				figures = append(figures, of...)
				senders++
			}
		}
		if senders >= 3 && isJudged(m.Metric) {
			count(m.Metric, figures)
		}
	}
	return n
}

// areAlike reports whether all figures are close together.
func areAlike(figures []*Figure, least float64) bool {
	var values []float64
	for _, f := range figures {
		values = append(values, f.Value)
	}
	return isAlike(slices.Min(values), values, least) && isAlike(slices.Max(values), values, least)
}

// trusted returns the figures that are not rejected.
func trusted(cells []SideCell) []*Figure {
	var all []*Figure
	for _, c := range cells {
		if c.Figure != nil && !c.Figure.Rejected {
			all = append(all, c.Figure)
		}
	}
	return all
}
