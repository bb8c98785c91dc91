package main

import (
	"fmt"
	"math"

	"assay"
	"assay/report"
	"assay/stats"
)

// claim is what assay promises about a ratio or, if unit is set, its own value:
// at least low, at most high. The zero claim promises nothing.
type claim struct {
	text      string
	low, high float64
	unit      assay.Unit
	every     bool // holds for every value: a median would hide the worst
}

// The claims of assay.
var (
	likeTheBareTool = claim{text: "within 1 %", low: .99, high: 1.01}
	twiceJQ         = claim{text: "at least 2 x", low: 2, high: math.Inf(1)}
	twentyFioPlot   = claim{text: "at least 20 x", low: 20, high: math.Inf(1)}
	fastStart       = claim{text: "limit 50 ms", high: .05, unit: assay.Seconds}
	fifthOfTheTime  = claim{text: "at most 1/5", high: .2}
	smallMemory     = claim{text: "limit 150 MB", high: 150e6, unit: assay.Bytes, every: true}
)

// ruling is the verdict of a measurement on a claim.
type ruling string

// The rulings: an interval lies inside the claimed range, outside it, or across
// its edge.
const (
	holds  ruling = "ok"
	broken ruling = "not ok"
	open   ruling = "open"
	none   ruling = "-"
)

// judge compares a median and its interval, or the lowest and highest values,
// with the claim. Without an interval everything is open.
func (c claim) judge(s stats.Summary) ruling {
	switch {
	case c.text == "":
		return none
	case s.Level == 0:
		return open
	case s.Low >= c.low && s.High <= c.high:
		return holds
	case c.every, s.High < c.low, s.Low > c.high:
		return broken
	}
	return open
}

// explain describes what the interval allows if the claim does not simply hold.
func (c claim) explain(what string, s stats.Summary) string {
	number := func(v float64) string {
		if c.unit != "" {
			return report.Amount(v, c.unit)
		}
		return fmt.Sprintf("%+.1f %%", 100*(v-1))
	}
	switch c.judge(s) {
	case holds, none:
		return ""
	case broken:
		if c.every {
			return fmt.Sprintf("%s: claimed is %s, of every value; they reach from %s to %s", what, c.text, number(s.Low), number(s.High))
		}
		return fmt.Sprintf("%s: claimed is %s, and the whole interval, %s to %s, lies outside", what, c.text, number(s.Low), number(s.High))
	}
	if s.Level == 0 {
		return fmt.Sprintf("%s: %d turns give no interval, %d are the least", what, s.N, stats.LeastForInterval)
	}
	return fmt.Sprintf("%s: claimed is %s; measured is %s, and the noise here allows %s to %s: not decided", what, c.text, number(s.Center), number(s.Low), number(s.High))
}
