package term

import (
	"math"
	"strings"

	"assay/report/block"
)

// strokes maps kinds to how stretches are drawn.
var strokes = map[block.Kind]string{block.Good: "█", block.Bad: "·", block.Limit: "▒"}

// lanes draws each lane as one line, followed by its words.
func (p *page) lanes(b block.Lanes) {
	if b.Title != "" {
		p.say(b.Title, "", dim)
	}
	names, words := []string{}, 0
	for _, l := range b.Lanes {
		names, words = append(names, l.Title), max(words, width(clean(l.Words)))
	}
	titles := widest(names, 2*p.columns/5)
	room := min(p.columns-2-titles-2-2-words, 60)
	for _, l := range b.Lanes {
		title := p.titled(l.Title, titles, plain)
		if room < leastBar {
			p.hang(title, clean(l.Words), plain)
			continue
		}
		p.put(append(append([]line{title}, drawnLane(b, l, room)...), line{"  " + clean(l.Words), plain})...)
	}
}

// drawnLane draws a lane in room columns. Short stretches get one too, unless something that
// is not good has it.
func drawnLane(b block.Lanes, l block.Lane, room int) (all []line) {
	columns := make([]block.Kind, room)
	for _, good := range []bool{true, false} {
		for _, s := range l.Stretches {
			from, to, ok := b.Ends(s)
			if !ok || (s.Is == block.Good) != good {
				continue
			}
			first := min(int(math.Round(from*float64(room))), room-1)
			for i := first; i < max(int(math.Round(to*float64(room))), first+1); i++ {
				columns[i] = s.Is
			}
		}
	}
	for i := 0; i < room; {
		n := i + 1
		for n < room && columns[n] == columns[i] {
			n++
		}
		stroke := strokes[columns[i]]
		if stroke == "" {
			stroke = " "
		}
		all = append(all, line{strings.Repeat(stroke, n-i), styles[columns[i]]})
		i = n
	}
	return all
}
