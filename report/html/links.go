package html

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/internal/prose"
	"assay/report/block"
)

// linksView is a picture of hosts and the paths between them.
type linksView struct {
	Title, Aside, Words string
	Width, Height       float64
	Hosts               []hostBox
	Lines               []linkLine // those as expected, thin
	Arrows              []linkArrow
	Legend              []linkKey
	Said                []pointView
	Many                bool // lines are paler and thinner
}

// hostBox is a host, its upper left corner and its middle.
type hostBox struct {
	Name, Class, Words  string
	X, Y, Width, Height float64
	Middle, Base        float64
	Marked              bool
	anchor              [2]float64 // where its lines end
}

type linkLine struct {
	X1, Y1, X2, Y2 float64
	Class          string
}

// linkArrow is a path that carries less than expected, with its arrowhead.
type linkArrow struct {
	linkLine
	Head, Words string
}

type linkKey struct{ Class, Text string }

// The picture is as wide as a phone screen, in its own coordinates, so that its text
// is readable there.
const (
	linksWidth  = 360.
	linksMargin = 14.
	boxHeight   = 20.
	charWidth   = 6.6
	longestName = 16
	manyHosts   = 12
	nearMiddle  = 24. // least distance of a host's lines from the middle
)

// newLinks draws half of the hosts on the left and half on the right, evenly spaced in
// height, on an oval: every name has its own line, and every link runs inside.
func newLinks(b block.Links) linksView {
	v := linksView{Title: b.Title, Aside: b.Aside, Width: linksWidth, Many: len(b.Hosts) > manyHosts}
	v.place(b.Hosts)
	boxes := map[string]hostBox{}
	for _, h := range v.Hosts {
		boxes[h.Name] = h
	}
	v.draw(b.Ways, boxes)
	for _, s := range b.Said {
		v.Said = append(v.Said, newPoint(s))
	}
	v.Words = v.describe(b)
	return v
}

func (v *linksView) place(hosts []block.LinkHost) {
	rows := (len(hosts) + 1) / 2
	pitch := math.Max(26, math.Min(48, 180/math.Max(float64(rows), 1)))
	v.Height = 2*linksMargin + pitch*float64(max(rows, 1))
	width := 0.
	for _, h := range hosts {
		width = math.Max(width, charWidth*float64(len([]rune(shortName(h.Name))))+12)
		if h.Is != "" {
			width = math.Max(width, charWidth*float64(len([]rune(shortName(h.Name)))+2)+12)
		}
	}
	reach := math.Max(linksWidth/2-width-4, nearMiddle)
	for i, h := range hosts {
		left, at, of := i < rows, i, rows
		if !left {
			at, of = i-rows, len(hosts)-rows
		}
		y := v.Height/2 + (float64(at)+.5-float64(of)/2)*pitch
		out := (y - v.Height/2) / (v.Height / 2)
		x := math.Max(reach*math.Sqrt(1-out*out), nearMiddle)
		box := hostBox{Name: h.Name, Words: joined(": ", h.Name, h.Text), Width: width, Height: boxHeight, Y: y - boxHeight/2, Base: y + 4, Marked: h.Is != ""}
		if box.Marked {
			box.Class = kindOf(string(h.Is))
		}
		if left {
			box.anchor = [2]float64{linksWidth/2 - x, y}
			box.X = box.anchor[0] - width
		} else {
			box.anchor = [2]float64{linksWidth/2 + x, y}
			box.X = box.anchor[0]
		}
		box.Middle = box.X + width/2
		v.Hosts = append(v.Hosts, box)
	}
}

// Short returns the name, shortened to fit.
func (h hostBox) Short() string { return shortName(h.Name) }

func shortName(name string) string {
	runes := []rune(name)
	if len(runes) <= longestName {
		return name
	}
	return string(runes[:longestName/2-1]) + "…" + string(runes[len(runes)-longestName/2:])
}

// draw draws each link as a thin line, and each path that carries less than expected
// as an arrow, the worst on top.
func (v *linksView) draw(ways []block.Way, boxes map[string]hostBox) {
	seen := map[[2]string]bool{}
	var bad, low, detours []linkArrow
	used := map[string]bool{}
	for _, w := range ways {
		from, known := boxes[w.From]
		to, also := boxes[w.To]
		if !known || !also || w.From == w.To {
			continue
		}
		class := knownKind(string(w.Is))
		line := linkLine{from.anchor[0], from.anchor[1], to.anchor[0], to.anchor[1], class}
		pair := [2]string{min(w.From, w.To), max(w.From, w.To)}
		between, is := boxes[w.Via]
		switch {
		case is:
			words := fmt.Sprintf("%s → %s: %s", w.From, w.To, joined(", ", percentOf(w.Share), w.Text))
			class, line.Class = "detour", detourClass
			first, second := line, line
			first.X2, first.Y2, second.X1, second.Y1 = between.anchor[0], between.anchor[1], between.anchor[0], between.anchor[1]
			detours = append(detours, newArrow(first, words), newArrow(second, words))
		case w.Via != "" && class == "doubt":
			class, line.Class = "gateway", detourClass
			detours = append(detours, newArrow(line, fmt.Sprintf("%s → %s: %s", w.From, w.To, joined(", ", percentOf(w.Share), w.Text))))
		case class != "":
			arrow := newArrow(line, fmt.Sprintf("%s → %s: %s", w.From, w.To, joined(", ", percentOf(w.Share), w.Text)))
			if class == "bad" {
				bad = append(bad, arrow)
			} else {
				low = append(low, arrow)
			}
		case !w.Share.Is():
			line.Class = "unknown"
			v.Lines = append(v.Lines, line)
			class = "unknown"
		case !seen[pair]:
			seen[pair] = true
			line.Class = "fine"
			v.Lines = append(v.Lines, line)
		}
		used[class] = true
	}
	v.Arrows = slices.Concat(low, bad, detours)
	for _, k := range []struct{ class, key, text string }{
		{"", "fine", "80 % and more of the expected rate"}, {"doubt", "doubt", "less, in the direction of the arrow"},
		{"bad", "bad", "less than half of it, or clearly worse than the others"}, {"detour", detourClass, "by way of a third host"}, {"gateway", detourClass, "by way of a gateway"}, {"unknown", "unknown", "no figure"},
	} {
		if used[k.class] {
			v.Legend = append(v.Legend, linkKey{k.key, k.text})
		}
	}
}

// detourClass is the class of a path through a third host or a gateway.
const detourClass = "doubt detour"

// newArrow shifts a line to the right of its direction, so that both directions of
// a link are visible, and gives it a head before its end.
func newArrow(l linkLine, words string) linkArrow {
	const at = .68
	aside := 2.2
	if l.Class == detourClass {
		aside = 7 // clear of the traffic of the host between
	}
	dx, dy := l.X2-l.X1, l.Y2-l.Y1
	long := math.Max(math.Hypot(dx, dy), 1e-9)
	dx, dy = dx/long, dy/long
	l.X1, l.Y1, l.X2, l.Y2 = round(l.X1-dy*aside), round(l.Y1+dx*aside), round(l.X2-dy*aside), round(l.Y2+dx*aside)
	size := 8.
	if l.Class == "bad" {
		size = 10
	}
	x, y := l.X1+(l.X2-l.X1)*at, l.Y1+(l.Y2-l.Y1)*at
	head := fmt.Sprintf("%.1f,%.1f %.1f,%.1f %.1f,%.1f", x+dx*size, y+dy*size, x-dy*size/2, y+dx*size/2, x+dy*size/2, y-dx*size/2)
	return linkArrow{linkLine: l, Head: head, Words: words}
}

func round(v float64) float64 { return math.Round(10*v) / 10 }

func percentOf(share block.Number) string {
	if !share.Is() {
		return ""
	}
	if share > 0 && share < .1 {
		return fmt.Sprintf("%.1f %%", 100*float64(share))
	}
	return fmt.Sprintf("%.0f %%", 100*float64(share))
}

// describe describes the picture for screen readers.
func (v *linksView) describe(b block.Links) string {
	said := []string{fmt.Sprintf("%s and the links between them", prose.Plural(len(b.Hosts), "host"))}
	for _, s := range b.Said {
		said = append(said, strings.TrimSuffix(joined(": ", s.Word, s.Text), "."))
	}
	return strings.Join(said, "; ") + "."
}
