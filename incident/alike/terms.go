package alike

import (
	"maps"
	"slices"
	"strings"

	"assay/incident"
	"assay/internal/lazyregexp"
)

// word needs two letters or more: numbers, addresses and most names differ each time.
var word = lazyregexp.New(`[A-Za-z]{2,}`)

// Terms returns the terms of the lines at the head of a log and of its events, each once,
// sorted.
func Terms(log incident.Log) []string {
	all := map[string]bool{}
	for _, l := range log.Head {
		for _, t := range lineTerms(l.Text) {
			all[t] = true
		}
	}
	var kinds []string
	for _, e := range log.Events {
		kinds = append(kinds, string(e.Kind))
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	for i, a := range kinds {
		all["="+a] = true
		for _, b := range kinds[i+1:] {
			all["="+a+"&"+b] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// lineTerms returns the words of a line and the pairs of adjacent words.
func lineTerms(text string) []string {
	words := word.FindAllString(strings.ToLower(text), -1)
	terms := slices.Clone(words)
	for i := 1; i < len(words); i++ {
		terms = append(terms, words[i-1]+" "+words[i])
	}
	return terms
}
