package reference

import (
	"fmt"
	"strings"
)

// Words returns where a figure ranks, as the end of a sentence that begins with
// the figure: "like a consumer SSD without PLP (195–1.86k IOPS, 16 published),
// far from a Micron 9300 (51k IOPS)". say formats a value with its unit.
func (p Placement) Words(say func(float64) string) string {
	var text string
	switch {
	case p.Like != nil:
		text = "like " + p.Like.words(say)
	case p.Below != nil && p.Above != nil:
		text = "between " + p.Below.words(say) + " and " + p.Above.words(say)
	case p.Above != nil:
		text = "below every published figure; the lowest is " + p.Above.words(say)
	case p.Below != nil:
		text = "above every published figure; the highest is " + p.Below.words(say)
	}
	if p.Far != nil {
		way := map[bool]string{true: "far from", false: "far above"}[p.FarUp]
		text += fmt.Sprintf(", %s %s (%s)", way, withArticle(p.Far.What), Span(p.Far.Low, p.Far.High, say))
	}
	if p.Own != nil {
		text += fmt.Sprintf("; this model, %s, is rated at %s", p.Own.What, Span(p.Own.Low, p.Own.High, say))
	}
	return text
}

// Difference returns how the figures that Words mentions were measured
// differently: "on the bare device; some one address after the other", or "" if
// they were not.
func (p Placement) Difference() string {
	var all, some []string
	for _, a := range p.Apart {
		if a.N == p.Named {
			all = append(all, a.Words)
		} else {
			some = append(some, a.Words)
		}
	}
	text := strings.Join(all, ", ")
	if len(some) == 0 {
		return text
	}
	if text != "" {
		text += "; "
	}
	return text + "some " + strings.Join(some, ", ")
}

// Nearest returns the classes that the words mention, the lower one first.
func (p Placement) Nearest() []Class { return p.named() }

// words names a class with its range and number of figures.
func (c Class) words(say func(float64) string) string {
	rated, count := "", ""
	if c.Rated {
		rated = "rated "
	}
	if c.N > 1 {
		count = fmt.Sprintf(", %d published", c.N)
	}
	return fmt.Sprintf("%s (%s%s%s)", c.Name, rated, Span(c.Low, c.High, say), count)
}

// Span formats a range, with the unit only once if both ends share it:
// "195–1.86k IOPS".
func Span(low, high float64, say func(float64) string) string {
	from, to := say(low), say(high)
	if from == to {
		return to
	}
	if number, unit, found := strings.Cut(from, " "); found && strings.HasSuffix(to, " "+unit) {
		from = number
	}
	return from + "–" + to
}

func withArticle(name string) string {
	if strings.ContainsRune("AEIOU", []rune(name + " ")[0]) {
		return "an " + name
	}
	return "a " + name
}
