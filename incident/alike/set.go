package alike

import (
	"math"

	"assay/incident"
)

// Incident is an incident with a known cause.
type Incident struct {
	ID     string           `json:"id"`
	Source string           `json:"source"` // where it was told, as a reader may find it
	Layers []incident.Layer `json:"layers"` // that were to blame
	Cause  string           `json:"cause"`  // in a sentence
}

// Termed is an incident with the terms of its lines.
type Termed struct {
	Incident
	Terms []string `json:"terms"`
}

// Set is the incidents that a text is compared with.
type Set struct {
	incidents []Incident
	// weight is the weight of a term: the logarithm of the number of incidents over the
	// number that have it. Terms of a single incident say nothing about others.
	weight map[string]float64
	// having are the incidents that have a term, with its share of their
	// length.
	having  map[string][]share
	without int // the incident to skip, -1 for none
}

type share struct {
	incident int
	of       float64
}

// NewSet returns a set of these incidents.
func NewSet(all []Termed) *Set {
	s := &Set{weight: map[string]float64{}, having: map[string][]share{}, without: -1}
	count := map[string]int{}
	for _, t := range all {
		for _, term := range t.Terms {
			count[term]++
		}
	}
	for term, n := range count {
		if n > 1 {
			s.weight[term] = math.Log(float64(len(all)) / float64(n))
		}
	}
	for i, t := range all {
		s.incidents = append(s.incidents, t.Incident)
		length := s.length(t.Terms)
		for _, term := range t.Terms {
			if w := s.weight[term]; w > 0 {
				s.having[term] = append(s.having[term], share{i, w / length})
			}
		}
	}
	return s
}

// length returns the Euclidean length of a text's weight vector.
func (s *Set) length(terms []string) float64 {
	sum := 0.
	for _, t := range terms {
		sum += s.weight[t] * s.weight[t]
	}
	return math.Sqrt(sum)
}

// Without returns the set without one incident, such as the one being compared.
func (s *Set) Without(id string) *Set {
	rest := *s
	for i, known := range s.incidents {
		if known.ID == id {
			rest.without = i
		}
	}
	return &rest
}
