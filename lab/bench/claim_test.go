package main

import (
	"strings"
	"testing"

	"assay/stats"
)

func TestJudge(t *testing.T) {
	around := func(low, high float64) stats.Summary {
		return stats.Summary{Center: (low + high) / 2, Low: low, High: high, Level: .95, N: 12}
	}
	for _, c := range []struct {
		name  string
		claim claim
		s     stats.Summary
		want  ruling
	}{
		{"inside", likeTheBareTool, around(.995, 1.002), holds},
		{"on the edges", likeTheBareTool, around(.99, 1.01), holds},
		{"below", likeTheBareTool, around(.95, .98), broken},
		{"above is not what was claimed either", likeTheBareTool, around(1.02, 1.05), broken},
		{"across the lower edge", likeTheBareTool, around(.97, 1.0), open},
		{"wider than the claim", likeTheBareTool, around(.9, 1.1), open},
		{"no interval", likeTheBareTool, stats.Summarise([]float64{1, 1}), open},
		{"nothing claimed", claim{}, around(7, 8), none},
		{"fast enough", fastStart, around(.01, .049), holds},
		{"too slow", fastStart, around(.051, .06), broken},
		{"perhaps too slow", fastStart, around(.04, .06), open},
		{"a fifth", fifthOfTheTime, around(.15, .2), holds},
		{"a third", fifthOfTheTime, around(.3, .35), broken},
		{"small every time", smallMemory, around(60e6, 149e6), holds},
		{"large once", smallMemory, around(60e6, 151e6), broken},
	} {
		got := c.claim.judge(c.s)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if said := c.claim.explain("it", c.s) != ""; said != (got == open || got == broken) {
			t.Errorf("%s: explained %v", c.name, said)
		}
	}
}

func TestExplainNamesTheInterval(t *testing.T) {
	s := stats.Summary{Center: .995, Low: .97, High: 1.004, Level: .95, N: 12}
	if got := likeTheBareTool.explain("reads", s); !strings.Contains(got, "within 1 %") || !strings.Contains(got, "-3.0 % to +0.4 %") {
		t.Error(got)
	}
	s = stats.Summary{Center: .06, Low: .055, High: .07, Level: .95, N: 20}
	if got := fastStart.explain("start", s); !strings.Contains(got, "55.0 ms to 70.0 ms") || !strings.Contains(got, "outside") {
		t.Error(got)
	}
}
