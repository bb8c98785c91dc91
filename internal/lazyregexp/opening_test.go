package lazyregexp

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
)

// Texts ruled out by their first bytes do not match.
func TestOpeningRulesOutNoMatch(t *testing.T) {
	sieves := []string{
		`^Handle 0x`, `^(?:a|bc)d`, `(?i)^kelvin`, `^\s*x`, `^[^a]b`, `^.b`, `^é+a`, `^\bab`, `^a{2,4}b`, `^(?:[+-]\d{4}:)?\d{4},`,
		`^(?:id: |cluster )[0-9a-f]+$`, `\Aab`, `^(a|)b`, `^\p{L}c`, `^a\z`, `^(?s:.)a`, `^ab|^cd`,
	}
	free := []string{`^`, `abc`, `^ab|cd`, `cd|^ab`, `(?m)^ab`, `^x?y?$`, `^$`, `(?:^|b)a`} // rule out nothing
	letters := []string{"a", "b", "c", "d", "x", "y", " ", "\n", "k", "K", "\u212a", "e", "é", "\xff", "1", "2", ",", ":", "+", "-", "H", "elvin", "andle 0x", "id: ", "cluster "}
	random := rand.New(rand.NewPCG(1, 2))
	for _, pattern := range slices.Concat(sieves, free) {
		standard, o := regexp.MustCompile(pattern), openingOf(pattern)
		ruled := 0
		for range 4000 {
			text := ""
			for range random.IntN(8) {
				text += letters[random.IntN(len(letters))]
			}
			if !begins(o, text) {
				ruled++
				if standard.MatchString(text) {
					t.Fatalf("%s matches %q, which was ruled out", pattern, text)
				}
			}
		}
		if slices.Contains(free, pattern) != (ruled == 0) {
			t.Errorf("%s: %d of 4000 texts are ruled out", pattern, ruled)
		}
	}
}

func TestOpeningIsFast(t *testing.T) {
	r := New(`^Maintaining (\d+) concurrent writes`)
	if n := testing.AllocsPerRun(100, func() { r.MatchString("Nov 14 20:20:26 host kernel") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
