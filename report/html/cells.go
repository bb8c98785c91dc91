package html

import (
	"math"
	"strconv"
	"strings"

	"assay/report/block"
)

// cellView is a cell as the template sees it.
type cellView struct {
	block.Cell
	Class    string
	Label    string // of its column, for narrow screens
	Empty    bool
	Rejected bool
	Cited    []citation
	Spark    *spark
}

type citation struct {
	Number int
	Here   bool // the footnote is on the page
}

type rowView struct {
	block.Row
	Name  *cellView
	Again bool // the row before has the same name
	Cells []cellView
}

type tableView struct {
	block.Table
	Anchor string
	Class  string
	Headed bool
	Span   int // columns
	Rest   int // columns but the first
	Rows   []rowView
}

func (p *painter) cell(c block.Cell) cellView {
	v := cellView{Cell: c, Empty: c.Text == "" && c.Absent == nil && len(c.Under) == 0, Rejected: c.Figure != nil && c.Figure.Rejected}
	for _, n := range c.Notes {
		v.Cited = append(v.Cited, citation{n, p.noted[n]})
	}
	v.Is = block.Kind(knownKind(string(c.Is)))
	return v
}

// knownKind keeps a word that the style sheet does not know out of a class name.
func knownKind(kind string) string {
	if kind == "" {
		return ""
	}
	return kindOf(kind)
}

func (p *painter) table(t block.Table, class string) tableView {
	v := tableView{Table: t, Class: class, Anchor: p.anchor(), Span: len(t.Columns)}
	numbers := false
	for _, c := range t.Columns {
		v.Headed = v.Headed || c.Heading != ""
	}
	for _, r := range t.Rows {
		v.Span = max(v.Span, len(r.Cells))
		for _, c := range r.Cells {
			numbers = numbers || c.Figure != nil
		}
	}
	v.Span = max(v.Span, 1)
	v.Rest = max(v.Span-1, 1)
	switch {
	case class != "figures":
	case t.Wide:
		v.Class = "side"
	case !numbers:
		v.Class = "plain words"
	}
	for i, r := range t.Rows {
		row := p.rowOf(v, r)
		row.Again = t.Grouped && i > 0 && t.Rows[i-1].Name().Text == r.Name().Text
		v.Rows = append(v.Rows, row)
	}
	return v
}

func (p *painter) rowOf(t tableView, r block.Row) rowView {
	v := rowView{Row: r}
	if len(r.Cells) > 0 {
		name := p.cell(r.Cells[0])
		v.Name = &name
	}
	sparked := t.Wide || t.Class == "side map"
	for i := 1; i < t.Span; i++ {
		var c block.Cell
		if i < len(r.Cells) {
			c = r.Cells[i]
		}
		one := p.cell(c)
		switch {
		case c.Self:
			one.Class = "self"
		case one.Empty:
			one.Class = "empty"
		}
		if f := c.Figure; f != nil {
			if t.Class == "side map" && f.Heat.Is() {
				one.Class = "shade-" + strconv.Itoa(min(max(int(float64(f.Heat)*6), 0), 5))
			}
			if f.Odd != "" {
				one.Class = strings.TrimSpace(one.Class + " is-odd")
			}
			if !sparked {
				one.Spark, sparked = sparkOf(*f), true
			}
		} else if i < len(t.Columns) && t.Columns[i].Right {
			one.Class = strings.TrimSpace(one.Class + " num")
		}
		if i < len(t.Columns) {
			one.Label = t.Columns[i].Heading
		}
		v.Cells = append(v.Cells, one)
	}
	return v
}

// sparkOf draws repeats around their middle, but never stretches less than 2 % of
// the value over the picture: noise that small must look small.
func sparkOf(f block.Figure) *spark {
	n := len(f.Repeats)
	if n < 3 || n > 40 {
		return nil
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range f.Repeats {
		if !v.Is() {
			return nil
		}
		low, high = math.Min(low, float64(v)), math.Max(high, float64(v))
	}
	middle, reach := (low+high)/2, math.Max(high-low, .02*math.Abs(low+high)/2)
	if reach == 0 {
		reach = 1
	}
	s := &spark{Width: n*sparkStep + 2, Words: strconv.Itoa(n) + " repeats, in the order of measurement"}
	for i, v := range f.Repeats {
		y := sparkHeight/2 - (float64(v)-middle)/reach*(sparkHeight-6)
		s.Dots = append(s.Dots, [2]string{strconv.Itoa(i*sparkStep + sparkStep/2 + 1), strconv.FormatFloat(y, 'f', 1, 64)})
	}
	return s
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

type barsView struct {
	Title  string
	Mark   string // where the line is; "" where there is none
	Groups []barGroup
}

type barGroup struct {
	Title string
	Bars  []barView
}

type barView struct {
	block.Bar
	Cell     cellView
	Width    string
	Interval []string
	Words    string
	Rejected bool
}

func (p *painter) bars(b block.Bars) barsView {
	v := barsView{Title: b.Title}
	most := math.Max(b.Mark, 1e-9)
	for _, one := range b.Bars {
		if one.Share.Is() {
			most = math.Max(most, float64(one.Share))
		}
	}
	most = math.Min(most, 3*math.Max(b.Mark, 1)) // one impossible figure must not press all others flat
	place := func(n block.Number) string {
		if !n.Is() {
			return "0%"
		}
		return percent(math.Min(math.Max(float64(n)/most, 0), 1))
	}
	if b.Mark > 0 {
		v.Mark = place(block.Number(b.Mark))
	}
	for _, one := range b.Bars {
		if len(v.Groups) == 0 || v.Groups[len(v.Groups)-1].Title != one.Group {
			v.Groups = append(v.Groups, barGroup{Title: one.Group})
		}
		view := barView{Bar: one, Cell: p.cell(one.Cell), Width: place(one.Share), Words: one.Title + ": " + one.Cell.Text}
		view.Rejected = view.Cell.Rejected
		if one.High > one.Low {
			view.Interval = []string{place(one.Low), place(one.High)}
		}
		g := &v.Groups[len(v.Groups)-1]
		g.Bars = append(g.Bars, view)
	}
	return v
}
