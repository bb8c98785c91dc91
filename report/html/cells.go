package html

import "assay/report/block"

// cellView is a cell as the page shows it.
type cellView struct {
	block.Cell
	Class    string
	Label    string // of its column, for narrow screens
	Empty    bool
	Rejected bool
	Brief    bool // the basis of the figure is shown elsewhere
	Cited    []citation
	Spark    *spark
}

// citation is the mark of a footnote.
type citation struct {
	Number int
	Here   bool // the footnote is on the page
}

func (p *painter) cell(c block.Cell) cellView {
	v := cellView{Cell: c, Empty: c.Text == "" && c.Absent == nil && len(c.Under) == 0, Rejected: c.Figure != nil && c.Figure.Rejected}
	for _, n := range c.Notes {
		v.Cited = append(v.Cited, citation{n, p.noted[n]})
	}
	v.Is = block.Kind(knownKind(string(c.Is)))
	return v
}

type valuesView struct {
	Title string
	Items []itemView
}

type itemView struct {
	Name string
	Cell cellView
}

func (p *painter) values(b block.Values) []valuesView {
	var all []valuesView
	for _, g := range b.Groups {
		v := valuesView{Title: g.Title}
		for _, item := range g.Items {
			v.Items = append(v.Items, itemView{item.Name, p.cell(item.Cell)})
		}
		all = append(all, v)
	}
	return all
}
