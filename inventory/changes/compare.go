package changes

import (
	"fmt"
	"strings"

	"assay/inventory/traits"
)

// trait is one thing that figures depend on.
type trait[T any] struct {
	what string // "firmware"; "" where it says what the thing is
	// of gives it in parts, always as many; "" for what is not known.
	of func(T) []string
	// another says that with this something else stands in its place: it is told
	// whole, and nothing more is.
	another bool
}

// resuming are the traits of the table that must not change. of finds in a thing
// what the table is about.
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

// one makes the function of a trait that has one part.
func one[T any](of func(T) string) func(T) []string {
	return func(t T) []string { return []string{of(t)} }
}

// compare tells the traits of a thing that changed. name is the thing's, "" for
// the host's own.
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

// apart returns the parts that are known both times, and those of them that differ.
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

// kind is a kind of thing of which a host has several, told apart by a key.
type kind[T any] struct {
	noun   string // "drive"; "" where the key says it
	key    func(T) string
	traits []trait[T]
	// Whether one that is gone, or that is new, is a change.
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

// byKey sorts by key; those that share one, as the memory modules of some
// mainboards do, are counted.
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

// pair is a value that has a name.
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

// How facts are written. What is not known is "".

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

// number writes an amount in a unit that is so many base units, exactly: two
// that differ never read the same.
func number(n, of float64, unit string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%g %s", n/of, unit)
}
