package block

// Table is rows of cells under headings.
type Table struct {
	Title   string   `json:"title,omitempty"`
	Aside   string   `json:"aside,omitempty"` // what all of it rests on: "n=6 × 5 s"
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
	Legend  string   `json:"legend,omitempty"`
	// Wide means that the columns are of one kind (hosts, tiers) and may be
	// many: if there is no room for them, they become rows.
	Wide bool `json:"wide,omitempty"`
	// Grouped means that rows with the same name are adjacent: people need the
	// name only once.
	Grouped bool `json:"grouped,omitempty"`
}

// Column is the heading of one column.
type Column struct {
	Heading string `json:"heading"`
	Right   bool   `json:"right,omitempty"` // its cells are numbers
	Minor   bool   `json:"minor,omitempty"` // the first to go where there is no room
}

// Row is a row: its first cell names its subject.
type Row struct {
	Cells []Cell `json:"cells"`
	// Head means that the row only begins a group: its only cell is the group's
	// name.
	Head bool `json:"head,omitempty"`
	// Absent says why all cells but the first are empty.
	Absent *Absent `json:"absent,omitempty"`
	// Remarks appear below the row.
	Remarks []Sentence `json:"remarks,omitempty"`
}

// Cell is the content of one place in a table. The zero Cell is empty.
type Cell struct {
	Text  string   `json:"text,omitempty"`
	Under []string `json:"under,omitempty"` // smaller, below it
	Is    Kind     `json:"is,omitempty"`
	// Figure is the number that Text shows.
	Figure *Figure `json:"figure,omitempty"`
	Notes  []int   `json:"footnotes,omitempty"`
	Absent *Absent `json:"absent,omitempty"`
	// Self means that no value is possible here: a host and itself.
	Self bool `json:"self,omitempty"`
}

// Figure is one number in base units, with its basis.
type Figure struct {
	Host     string   `json:"host,omitempty"`
	Metric   string   `json:"metric,omitempty"`
	Unit     string   `json:"unit,omitempty"`
	Value    Number   `json:"value"`
	Low      Number   `json:"low"`
	High     Number   `json:"high"`            // of the interval; equal to Value where there is none
	Level    float64  `json:"level,omitempty"` // of the interval: .95; 0 where there is none
	N        int      `json:"n,omitempty"`
	Repeats  []Number `json:"repeats,omitempty"` // in the order of measurement
	Better   string   `json:"better,omitempty"`  // higher, lower or ""
	Odd      string   `json:"odd,omitempty"`     // worse or better than the others
	Rejected bool     `json:"rejected,omitempty"`

	Spread   string `json:"-"` // "± 1.2 %", "± ?"
	Interval string `json:"-"` // "[57.9k, 59.3k]"
	Count    string `json:"-"` // "n=6 × 5 s", where it is not said once for all
}

// Values are named values in groups: the facts of a machine, the figures of an
// output.
type Values struct {
	Groups []Group `json:"groups"`
}

// Group is values that belong together.
type Group struct {
	Title string  `json:"title,omitempty"`
	Items []Value `json:"items"`
}

// Value is a named cell. The name may be empty if the unit is enough.
type Value struct {
	Name string `json:"name,omitempty"`
	Cell Cell   `json:"cell"`
}

// Matrix has a cell from each name to each name.
type Matrix struct {
	Title string   `json:"title,omitempty"`
	Aside string   `json:"aside,omitempty"`
	Names []string `json:"names"`
	Cells [][]Cell `json:"cells"` // a row a name, from the name to those above
}

// Table returns the matrix as a table.
func (m Matrix) Table() Table {
	t := Table{Title: m.Title, Aside: m.Aside, Columns: []Column{{Heading: "from ↓ to →"}}, Wide: true}
	for _, n := range m.Names {
		t.Columns = append(t.Columns, Column{Heading: n, Right: true})
	}
	for i, row := range m.Cells {
		name := ""
		if i < len(m.Names) {
			name = m.Names[i]
		}
		t.Rows = append(t.Rows, Row{Cells: append([]Cell{{Text: name}}, row...)})
	}
	return t
}

// Words returns a cell for each text.
func Words(texts ...string) []Cell {
	cells := make([]Cell, len(texts))
	for i, t := range texts {
		cells[i].Text = t
	}
	return cells
}

// Texts returns a table of words only.
func Texts(headings []string, rows [][]string) Table {
	var t Table
	for _, h := range headings {
		t.Columns = append(t.Columns, Column{Heading: h})
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, Row{Cells: Words(r...)})
	}
	return t
}

// Name returns the first cell, which names the row's subject.
func (r Row) Name() Cell {
	if len(r.Cells) == 0 {
		return Cell{}
	}
	return r.Cells[0]
}

// Continues reports whether a row of a grouped table has the same name as the
// row before, so that people need not read it again.
func (t Table) Continues(i int) bool {
	return t.Grouped && i > 0 && t.Rows[i].Name().Text != "" && t.Rows[i].Name().Text == t.Rows[i-1].Name().Text
}
