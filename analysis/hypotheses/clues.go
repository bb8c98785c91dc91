package hypotheses

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/inventory/traits"
	"assay/limits"
)

// Building blocks of clues: each of these returns a question about a suspect.

// traitOf returns a row of the table of traits.
func traitOf(name string) traits.Trait[assay.Facts] {
	for _, t := range traits.Host {
		if t.Name == name {
			return t
		}
	}
	panic("no trait is called " + name)
}

// hasSetting asks whether a trait of the host has a slowing value that none of the
// others has.
func hasSetting(trait string, slow func(text string) bool) func(*Suspect) Answer {
	t := traitOf(trait)
	return alone(t.Text, slow)
}

// hasAnother asks whether a trait of the host differs from all the others'.
func hasAnother(trait string) func(*Suspect) Answer {
	t := traitOf(trait)
	return alone(t.Text, func(string) bool { return true })
}

// alone asks whether the host has a slowing text that none of the others has.
func alone(text func(assay.Facts) string, slow func(string) bool) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		own := text(s.own())
		if own == "" || len(s.Others) == 0 {
			return Answer{}
		}
		a := Answer{Is: is(slow(own)), Own: own}
		for _, h := range s.Others {
			switch text(s.Facts[h]) {
			case "":
				return Answer{}
			case own:
				a.Is = No
			}
		}
		a.Theirs = text(s.Facts[s.Others[0]])
		return a
	}
}

// hasLess asks whether the host has less of a trait than each of the others.
func hasLess(trait string) func(*Suspect) Answer {
	t := traitOf(trait)
	return func(s *Suspect) Answer {
		own, at, a := t.Number(s.own()), "", Answer{Is: Yes}
		if own <= 0 || len(s.Others) == 0 {
			return Answer{}
		}
		for _, h := range s.Others {
			v := t.Number(s.Facts[h])
			switch {
			case v <= 0:
				return Answer{}
			case v <= own:
				a.Is = No
			}
			if at == "" || v < t.Number(s.Facts[at]) {
				at = h
			}
		}
		a.Own, a.Theirs = t.Text(s.own()), t.Text(s.Facts[at])
		return a
	}
}

// slowerInterface asks whether the interface that carried the traffic is slower than
// all others'. A bond counts with all its links up: one that is down is another fault.
func slowerInterface(s *Suspect) Answer {
	return lessOf(s, func(h string) float64 {
		n, known := s.nic(h)
		if bond, is := s.bondUnder(h, n); is {
			n = bond
		}
		switch {
		case known && n.Members == 0 && n.Down > 0:
			return 0 // a sum of those left
		case known && n.Driver == assay.Bonding:
			return n.Speed * float64(max(n.Members+n.Down, 1))
		}
		return s.fastest(h)
	}, quantity.Rate)
}

// lessOf asks whether a number of the host is lower than all the others'; 0 is
// unknown.
func lessOf(s *Suspect, of func(host string) float64, text func(float64) string) Answer {
	own, least := of(s.Host), 0.
	if own <= 0 || len(s.Others) == 0 {
		return Answer{}
	}
	for _, h := range s.Others {
		v := of(h)
		if v <= 0 {
			return Answer{}
		}
		if least == 0 || v < least {
			least = v
		}
	}
	return Answer{Is: is(own < least), Own: text(own), Theirs: text(least)}
}

// carriesALine asks whether the throughput matches a common line rate that is lower
// than any the facts show.
func carriesALine(s *Suspect) Answer {
	if s.Rate <= 0 {
		return Answer{}
	}
	bits, line := limits.LikeALine(s.Rate), s.fastest(s.Host)
	if bits > 0 && bits == line {
		return Answer{} // its own line rate, which is already known
	}
	return Answer{Is: is(bits > 0 && (line == 0 || bits < line)), Own: quantity.Rate(bits)}
}

// onInterface asks about a property of the interfaces that carried the traffic.
func onInterface(text func(assay.NICFacts) string, slow func(string) bool) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		return alone(func(f assay.Facts) string {
			if n, known := s.nic(f.Host); known {
				return text(n)
			}
			return ""
		}, slow)(s)
	}
}

// lessOnInterface compares a number of the interfaces that carried the traffic.
func lessOnInterface(of func(assay.NICFacts) float64, text func(float64) string) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		return lessOf(s, func(h string) float64 {
			n, _ := s.nic(h)
			return of(n)
		}, text)
	}
}

// counts asks whether a counter of the host is at least that high, and five times as
// high as any other host's.
func counts(of func(Counted) float64, least float64, text func(float64) string) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		return s.exceeds(func(h string) float64 { return of(s.counted(h)) }, least, text)
	}
}

// exceeds asks the same about any value of a host; negative is unknown. If none of the
// others' is known, the host's own decides, and is compared with nothing.
func (s *Suspect) exceeds(of func(host string) float64, least float64, text func(float64) string) Answer {
	own, most := of(s.Host), s.most(of)
	if own < 0 {
		return Answer{}
	}
	a := Answer{Is: is(own >= least && own >= 5*most), Own: text(own)}
	if most >= 0 {
		a.Theirs = text(most)
	}
	return a
}

// most returns the highest value among the others; negative if none is known.
func (s *Suspect) most(of func(host string) float64) float64 {
	most := -1.
	for _, h := range s.Others {
		most = max(most, of(h))
	}
	return most
}

// onCarrier returns a count of the interface that carried a host's traffic; negative if
// it is unknown.
func (s *Suspect) onCarrier(of func(Counted) map[string]float64) func(host string) float64 {
	return func(host string) float64 {
		if v, known := of(s.counted(host))[s.Interfaces[host]]; known {
			return v
		}
		return -1
	}
}

// below asks whether a counter of the host is below that share of the lowest among
// the others.
func below(share float64, of func(Counted) float64, text func(float64) string) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		a := lessOf(s, func(h string) float64 { return of(s.counted(h)) }, text)
		b := lessOf(s, func(h string) float64 {
			if h == s.Host {
				return of(s.counted(h)) / share
			}
			return of(s.counted(h))
		}, text)
		a.Is = b.Is
		return a
	}
}

func (s *Suspect) counted(host string) Counted {
	if c, known := s.Counted[host]; known {
		return c
	}
	return NothingCounted()
}

// audited asks whether the audit has a finding on the host's figures and none on the
// others'.
func audited(rule string) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		on := s.Rules[rule]
		other := slices.ContainsFunc(s.Others, func(h string) bool { return slices.Contains(on, h) })
		switch {
		case slices.Contains(on, s.Host):
			return Answer{Is: is(!other)}
		case slices.Contains(s.Unchecked[rule], s.Host):
			return Answer{}
		}
		return Answer{Is: No}
	}
}

// labelled asks whether the user gave the host a label with one of these names and
// a value that none of the others has, while the others agree.
func labelled(wanted func(name string) bool) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		own := s.Labels[s.Host]
		for _, key := range slices.Sorted(maps.Keys(own)) {
			if !wanted(key) {
				continue
			}
			values := map[string]bool{}
			for _, h := range s.Others {
				values[s.Labels[h][key]] = true
			}
			if len(values) == 1 && !values[own[key]] {
				return Answer{Is: Yes, Own: key + "=" + own[key]}
			}
		}
		return Answer{}
	}
}

// about asks whether a figure is off by a factor in this range.
func about(least, most float64, loads ...Load) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		for _, l := range loads {
			if seen := s.Seen[l]; seen.Odd {
				return Answer{Is: is(seen.Ratio >= least && seen.Ratio <= most)}
			}
		}
		return Answer{}
	}
}

// strayed asks whether any path took another route than requested.
func strayed(s *Suspect) Answer {
	if len(s.Strays) == 0 {
		return Answer{Is: No}
	}
	first, to := s.Strays[0], []string{}
	for _, stray := range s.Strays {
		if stray.Took == first.Took && stray.Asked == first.Asked && !slices.Contains(to, stray.To) {
			to = append(to, stray.To)
		}
	}
	return Answer{Is: Yes, Own: fmt.Sprintf("packets to %s go %s", prose.And(to), first.Took), Theirs: first.Asked}
}

func percent(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }

func integer(v float64) string { return quantity.Grouped(v) }

func bytesOf(v float64) string { return quantity.Bytes(int64(v)) }

func not(text string) func(string) bool { return func(t string) bool { return t != text } }

func with(part string) func(string) bool {
	return func(t string) bool { return strings.Contains(t, part) }
}

// onlyWithout asks the second question if the first has no answer or a no: the
// figure stands in for the fact.
func onlyWithout(fact, figure func(*Suspect) Answer) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		if fact(s).Is == Yes {
			return Answer{}
		}
		return figure(s)
	}
}

// oneWayOnly asks whether one direction is slow while the other is fine.
func oneWayOnly(slow, fine Load) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		other, measured := s.Seen[fine]
		if !measured {
			return Answer{}
		}
		return Answer{Is: is(s.Seen[slow].Odd && !other.Odd)}
	}
}

// unknownAsNo treats an unknown answer as a no: a missing label means that nothing is
// special.
func unknownAsNo(ask func(*Suspect) Answer) func(*Suspect) Answer {
	return func(s *Suspect) Answer {
		a := ask(s)
		if a.Is == Unknown {
			a.Is = No
		}
		return a
	}
}

// measured reads a text from the first measured drive that has one.
func measured(text func(assay.BlockDevice) string) func(assay.Facts) string {
	return func(f assay.Facts) string {
		for _, b := range traits.Measured(f) {
			if t := text(b); t != "" {
				return t
			}
		}
		return ""
	}
}

func cacheOf(b assay.BlockDevice) string { return b.WriteCache }

func yesNo(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return "yes"
	}
	return "no"
}

// smtOf reports whether cores run more than one thread.
func smtOf(f assay.Facts) string {
	on := f.CPU.SMT()
	switch {
	case on == nil:
		return ""
	case *on:
		return "on"
	}
	return "off"
}

func celsius(v float64) string { return fmt.Sprintf("%.0f °C", v) }

// tenths formats a share in percent with one decimal.
func tenths(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }
