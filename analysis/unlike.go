package analysis

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"assay"
	"assay/inventory/traits"
)

// Unlike is a host with facts that differ from those of all the others, which agree,
// and that explain nothing that stands out.
type Unlike struct {
	Host   string     `json:"host"`
	Traits []OddTrait `json:"traits"`
	Slow   bool       `json:"slow"` // something stands out about it
}

// OddTrait is a fact of one host and what all the others have.
type OddTrait struct {
	Name   string `json:"name"`
	Own    string `json:"own"`
	Theirs string `json:"theirs"`
}

// leastAlike is how many others must agree before one is odd: if two hosts
// differ, there is no telling which.
const leastAlike = 2

// unlike finds the hosts that alone differ from all others.
func (b *builder) unlike(s *Side, outliers []Outlier) []Unlike {
	var out []Unlike
	all := slices.Concat(traits.Host, traits.MeasuredDrive(), b.mitigations(s.Hosts), b.sysctls(s.Hosts))
	for _, h := range s.Hosts {
		u := Unlike{Host: h, Slow: slices.ContainsFunc(outliers, func(o Outlier) bool { return o.Host == h && !o.Better })}
		for _, t := range all {
			if odd, ok := b.oddTrait(t, h, s.Hosts); ok && !told(outliers, h, odd) {
				u.Traits = append(u.Traits, odd)
			}
		}
		if len(u.Traits) > 0 {
			out = append(out, u)
		}
	}
	return out
}

// mends returns what would make unlike hosts like the others, if the differing fact is
// the mechanism of a fault.
func (b *builder) mends(s *Side) map[string]string {
	if s == nil || len(s.Unlike) == 0 {
		return nil
	}
	known, mends := b.known(s), map[string]string{}
	for _, u := range s.Unlike {
		suspect := known.of(u.Host, "")
		suspect.Others = b.comparedWith(suspect, nil, s)
		for _, t := range u.Traits {
			mends[u.Host] = cmp.Or(mends[u.Host], suspect.Remedy(t.Own))
		}
	}
	return mends
}

// mitigations returns traits for the CPU flaws that the kernels of these hosts
// know.
func (b *builder) mitigations(hosts []string) []traits.Trait[assay.Facts] {
	return b.namedTraits(hosts, func(f assay.Facts) map[string]string { return f.CPU.Mitigations }, traits.Mitigation)
}

// sysctls returns traits for the sysctls that any of these hosts has.
func (b *builder) sysctls(hosts []string) []traits.Trait[assay.Facts] {
	return b.namedTraits(hosts, func(f assay.Facts) map[string]string { return f.OS.Sysctls }, traits.Sysctl)
}

// namedTraits returns traits for facts with names of their own, one for every name that
// any of these hosts has.
func (b *builder) namedTraits(hosts []string, of func(assay.Facts) map[string]string, trait func(name string) traits.Trait[assay.Facts]) []traits.Trait[assay.Facts] {
	names := map[string]bool{}
	for _, h := range hosts {
		for name := range of(b.run.Inventory.Facts[h]) {
			names[name] = true
		}
	}
	var all []traits.Trait[assay.Facts]
	for _, name := range slices.Sorted(maps.Keys(names)) {
		all = append(all, trait(name))
	}
	return all
}

// oddTrait reports whether only this host has another text for a trait that
// should be alike on all hosts.
func (b *builder) oddTrait(t traits.Trait[assay.Facts], host string, hosts []string) (OddTrait, bool) {
	own := b.run.Inventory.Facts[host]
	odd := OddTrait{Name: t.Name, Own: t.Text(own)}
	if !t.For(traits.Alike) || odd.Own == "" {
		return odd, false
	}
	others := 0
	for _, h := range hosts {
		f, asked := b.run.Inventory.Facts[h]
		text := ""
		if asked && h != host && areComparable(t, own, f) {
			text = t.Text(f)
		}
		switch {
		case text == "":
			continue
		case text == odd.Own || odd.Theirs != "" && text != odd.Theirs:
			return odd, false
		}
		odd.Theirs = text
		others++
	}
	return odd, others >= leastAlike
}

// areComparable reports whether a trait of two hosts can be compared.
func areComparable(t traits.Trait[assay.Facts], a, b assay.Facts) bool {
	if t.Among == nil {
		return true
	}
	one, speaks := t.Among(a)
	other, answers := t.Among(b)
	return speaks && answers && one == other
}

// told reports whether an outlier of the host already names that fact.
func told(outliers []Outlier, host string, odd OddTrait) bool {
	return slices.ContainsFunc(outliers, func(o Outlier) bool {
		return o.Host == host && o.Why != nil && slices.ContainsFunc(o.Why.Evidence, odd.isIn)
	})
}

// isIn reports whether a text contains the host's value: as whole words ("no" is not in
// "none"), and if short, beside a word of the trait's name.
func (t OddTrait) isIn(text string) bool {
	const short = 4
	text, own := " "+spaced(text)+" ", spaced(t.Own)
	return strings.Contains(text, " "+own+" ") && (len(own) > short ||
		slices.ContainsFunc(strings.Fields(spaced(t.Name)), func(word string) bool { return strings.Contains(text, " "+word+" ") }))
}

// spaced returns a text as lower-case words separated by single spaces.
func spaced(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' }), " ")
}
