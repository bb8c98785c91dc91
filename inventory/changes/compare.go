package changes

import (
	"fmt"
	"strings"

	"assay/inventory/traits"
)

// trait is one fact that figures depend on.
type trait[T any] struct {
	what string // "firmware"; "" where it says what the thing is
	// of returns its parts, always the same number; "" for unknown ones.
	of func(T) []string
	// another says that a change here means a different thing in its place: all
	// parts are then reported, and no further traits.
	another bool
}

// resuming returns the traits of the table that must not change. of extracts
// what the table describes.
func resuming[T, U any](table []traits.Trait[T], of func(U) T) (all []trait[U]) {
	for _, t := range table {
		if !t.For(traits.Resume) {
			continue
		}
		what := t.Name
		if t.Counted {
			what = "number of " + what
		}
		all = append(all, trait[U]{what: what, another: t.Replaces, of: func(u U) []string {
			parts := []string{t.Text(of(u))}
			if t.Also != nil {
				parts = append(parts, t.Also(of(u)))
			}
			return parts
		}})
	}
	return all
}

// one adapts a function for a trait with one part.
func one[T any](of func(T) string) func(T) []string {
	return func(t T) []string { return []string{of(t)} }
}

// compare describes the traits of a thing that changed. name is the thing's
// name, "" for the host itself.
func compare[T any](name string, traits []trait[T], was, is T) (said []string) {
	for _, t := range traits {
		before, after := t.of(was), t.of(is)
		known, changed := apart(before, after)
		if len(changed) == 0 {
			continue
		}
		if t.another {
			changed = known
		}
		about := t.what
		switch {
		case about == "":
			about = name
		case name != "":
			about += " of " + name
		}
		said = append(said, fmt.Sprintf("%s was %s, is %s", about, list(before, changed), list(after, changed)))
		if t.another {
			return said
		}
	}
	return said
}

// apart returns the parts known in both, and which of them differ.
func apart(was, is []string) (known, changed []int) {
	for i := range was {
		if was[i] == "" || is[i] == "" {
			continue
		}
		known = append(known, i)
		if was[i] != is[i] {
			changed = append(changed, i)
		}
	}
	return known, changed
}

func list(parts []string, which []int) string {
	var told []string
	for _, i := range which {
		told = append(told, parts[i])
	}
	return strings.Join(told, ", ")
}

// kind is a kind of thing that a host has several of, told apart by a key.
type kind[T any] struct {
	noun   string // "drive"; "" where the key says it
	key    func(T) string
	traits []trait[T]
	// Whether a missing or a new one is a change.
	gone, fresh bool
}

func (k kind[T]) compare(was, is []T) (said []string) {
	before, after := k.byKey(was), k.byKey(is)
	for _, key := range union(before, after) {
		name := strings.TrimSpace(k.noun + " " + key)
		a, had := before[key]
		b, has := after[key]
		switch {
		case had && has:
			said = append(said, compare(name, k.traits, a, b)...)
		case had && k.gone:
			said = append(said, name+" is gone")
		case has && k.fresh:
			said = append(said, name+" is new")
		}
	}
	return said
}

// byKey maps things by key; those that share one, like memory modules on some
// mainboards, are numbered.
func (k kind[T]) byKey(list []T) map[string]T {
	all, seen := map[string]T{}, map[string]int{}
	for _, one := range list {
		key := k.key(one)
		if seen[key]++; seen[key] > 1 {
			key = fmt.Sprintf("%s (%d)", key, seen[key])
		}
		all[key] = one
	}
	return all
}

// pair is a named value.
type pair struct{ name, value string }

func pairs(m map[string]string) (all []pair) {
	for _, name := range union(m, nil) {
		all = append(all, pair{name, m[name]})
	}
	return all
}

func nameOf(p pair) string { return p.name }

var valueOf = []trait[pair]{{of: one(func(p pair) string { return p.value })}}

var (
	labels      = kind[pair]{noun: "label", key: nameOf, traits: valueOf}
	mitigations = kind[pair]{noun: "mitigation of", key: nameOf, traits: valueOf}
	properties  = kind[pair]{key: nameOf, traits: valueOf}
	addresses   = kind[pair]{noun: "address on", key: nameOf, traits: valueOf, gone: true}
)

// Formatting of facts. Unknown is "".

func count(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// number writes an amount exactly, in a unit of so many base units: different
// amounts never read the same.
func number(n, of float64, unit string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%g %s", n/of, unit)
}
