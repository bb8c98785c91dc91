package alike

import (
	"cmp"
	"math"
	"slices"

	"assay/incident"
)

// neighbours is how many of the nearest incidents vote.
const neighbours = 10

// Match is a known incident and its similarity to a text.
type Match struct {
	Incident
	// Like is the cosine between the two: 0 if they share no term, 1 if all.
	Like float64 `json:"like"`
}

// Likeness is what known incidents suggest about a text.
type Likeness struct {
	// Nearest are the most similar ones, nearest first; ten at most.
	Nearest []Match
	// Layer was to blame in most of them, weighted by the square of their
	// likeness.
	Layer incident.Layer
	// Agree is how many of the nearest blame it.
	Agree int
	// Sure is from 0 to 1: the share of the votes times the root of the greatest likeness.
	// It is not a probability.
	Sure float64
	// Telling are the lines behind the votes for the layer, in text order.
	Telling []incident.Line
}

// Compare returns what the set says about a log: nothing if the log is more than an
// excerpt, because known incidents are excerpts, and a whole log has words about
// everything.
func (s *Set) Compare(log incident.Log) Likeness {
	if !log.Excerpt() {
		return Likeness{}
	}
	terms := Terms(log)
	var l Likeness
	if l.Nearest = s.nearest(terms); len(l.Nearest) == 0 {
		return l
	}
	votes, all := map[incident.Layer]float64{}, 0.
	for _, m := range l.Nearest {
		vote := m.Like * m.Like
		all += vote
		for _, layer := range m.Layers {
			votes[layer] += vote / float64(len(m.Layers))
		}
	}
	for _, layer := range incident.Layers() {
		if votes[layer] > votes[l.Layer] {
			l.Layer = layer
		}
	}
	l.Sure = votes[l.Layer] / all * math.Sqrt(l.Nearest[0].Like)
	for _, m := range l.Nearest {
		if slices.Contains(m.Layers, l.Layer) {
			l.Agree++
		}
	}
	l.Telling = s.telling(log.Head, l.Layer)
	return l
}

func (s *Set) nearest(terms []string) []Match {
	length := s.length(terms)
	if length == 0 {
		return nil
	}
	likes := make([]float64, len(s.incidents))
	for _, t := range terms {
		for _, h := range s.having[t] {
			likes[h.incident] += s.weight[t] / length * h.of
		}
	}
	var all []Match
	for i, like := range likes {
		if like > 0 && i != s.without {
			all = append(all, Match{s.incidents[i], like})
		}
	}
	slices.SortStableFunc(all, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Like, a.Like), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), neighbours)]
}

// most is how many lines are quoted.
const most = 3

// telling returns the lines whose words occur in most incidents of the layer, and in few
// others.
func (s *Set) telling(lines []incident.Line, layer incident.Layer) []incident.Line {
	type weighed struct {
		at     int
		weight float64
	}
	var all []weighed
	for i, l := range lines {
		sum := 0.
		for _, t := range lineTerms(l.Text) {
			for _, h := range s.having[t] {
				if h.incident == s.without {
					continue
				}
				if slices.Contains(s.incidents[h.incident].Layers, layer) {
					sum += h.of
				} else {
					sum -= h.of
				}
			}
		}
		if sum > 0 {
			all = append(all, weighed{i, sum})
		}
	}
	slices.SortStableFunc(all, func(a, b weighed) int { return cmp.Compare(b.weight, a.weight) })
	all = all[:min(len(all), most)]
	slices.SortFunc(all, func(a, b weighed) int { return cmp.Compare(a.at, b.at) })
	var told []incident.Line
	for _, w := range all {
		told = append(told, lines[w.at])
	}
	return told
}
