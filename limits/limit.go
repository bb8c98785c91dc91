package limits

import (
	"strings"

	"assay"
	"assay/internal/quantity"
)

// Limit is the most that something allows, and how it is derived. If a fact is
// missing, it has the name of that fact instead of a value.
type Limit struct {
	Name  string // "PCIe Gen3 x4"
	Value float64
	Unit  assay.Unit
	Sum   string // the arithmetic without its result: "8 GT/s x 4 x 128/130 / 8"
	// Missing is the missing fact, Hint how to find it out.
	Missing, Hint string
}

// Known reports whether the limit has a value.
func (l Limit) Known() bool { return l.Value > 0 }

// Arithmetic returns the sum with its result: "8 GT/s x 4 x 128/130 / 8 = 3,938
// MB/s".
func (l Limit) Arithmetic() string { return l.Sum + " = " + l.Amount() }

// Amount returns the value as the arithmetic prints it, bandwidth in decimal
// MB/s.
func (l Limit) Amount() string {
	if l.Unit == assay.BytesPerSecond {
		return quantity.Megabytes(l.Value)
	}
	return strings.TrimSpace(quantity.Full(l.Value, 0) + " " + string(l.Unit))
}

// Together adds up limits that are used at the same time: a mirror reads from all
// of its drives and a stripe writes to all of them, but nothing can do more.
func Together(all []Limit) Limit {
	if len(all) == 0 {
		return Limit{}
	}
	sum := all[0]
	if len(all) == 1 || !sum.Known() {
		return sum
	}
	var terms, names []string
	sum.Value = 0
	for _, l := range all {
		if !l.Known() {
			return l
		}
		sum.Value += l.Value
		terms, names = append(terms, l.Arithmetic()), append(names, l.Name)
	}
	sum.Sum = strings.Join(terms, " + ")
	sum.Name = counted(names)
	return sum
}

// counted lists things, each kind once: "2 x SATA 6.0 Gb/s and PCIe Gen3 x4".
func counted(names []string) string {
	var kinds []string
	count := map[string]int{}
	for _, n := range names {
		if count[n]++; count[n] == 1 {
			kinds = append(kinds, n)
		}
	}
	for i, k := range kinds {
		if count[k] > 1 {
			kinds[i] = quantity.Full(float64(count[k]), 0) + " x " + k
		}
	}
	return strings.Join(kinds, " and ")
}

// missing returns an unknown limit, with the missing fact.
func missing(fact, hint string) Limit { return Limit{Missing: fact, Hint: hint} }
