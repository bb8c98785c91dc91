package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"assay"
	"assay/report"
	"assay/stats"
)

// row is one comparison. Its values are one per turn, in the same order.
type row struct {
	what    string
	against string
	unit    assay.Unit
	assay   []float64
	peer    []float64 // empty if there is no peer
	ratio   []float64 // assay / peer
	claim   claim
	missing string // why there are no values; "" where there are
}

// compare returns the row for two works measured in turns.
func compare(what, against string, unit assay.Unit, own, peer []float64, c claim) (row, error) {
	r, err := ratios(own, peer)
	if err != nil {
		return row{}, fmt.Errorf("%s: %w", what, err)
	}
	return row{what: what, against: against, unit: unit, assay: own, peer: peer, ratio: r, claim: c}, nil
}

// claimed returns the summary that the row's claim applies to.
func (r row) claimed() stats.Summary {
	if r.claim.every && len(r.assay) > 0 {
		s := stats.Summarise(r.assay)
		s.Low, s.High, s.Level = slices.Min(r.assay), slices.Max(r.assay), 1
		return s
	}
	if r.claim.unit != "" {
		return stats.Summarise(r.assay)
	}
	return stats.Summarise(r.ratio)
}

func (r row) cells() []string {
	peer := "-"
	if len(r.peer) > 0 {
		peer = report.Amount(stats.Median(r.peer), r.unit) + "  " + r.against
	}
	promise := r.claim.text
	if promise == "" {
		promise = "-"
	}
	if r.missing != "" {
		return []string{r.what, "not measured", "-", "-", "0", promise, string(none)}
	}
	return []string{
		r.what, report.Amount(stats.Median(r.assay), r.unit), peer, ratioInWords(stats.Summarise(r.ratio)),
		strconv.Itoa(len(r.assay)), promise, string(r.claim.judge(r.claimed())),
	}
}

// ratioInWords prints a ratio with its interval; near 1, to a tenth of a
// percent.
func ratioInWords(s stats.Summary) string {
	if s.N == 0 {
		return "-"
	}
	if s.Level == 0 {
		return ratioNumber(s.Center)
	}
	return fmt.Sprintf("%s [%s, %s]", ratioNumber(s.Center), ratioNumber(s.Low), ratioNumber(s.High))
}

func ratioNumber(v float64) string {
	if v >= 10 {
		return fmt.Sprintf("%.0f", v)
	}
	if v >= .5 {
		return fmt.Sprintf("%.3f", v)
	}
	return fmt.Sprintf("%.*f", 2-int(math.Floor(math.Log10(max(v, 1e-9)))), v)
}

// writeTable prints the rows, then remarks on claims that do not simply hold,
// then the notes.
func writeTable(w io.Writer, rows []row, notes []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tassay\tpeer\tratio [interval]\tturns\tclaim\tok")
	var remarks []string
	for _, r := range rows {
		fmt.Fprintln(t, strings.Join(r.cells(), "\t"))
		if r.missing != "" {
			remarks = append(remarks, r.what+": not measured: "+r.missing)
		} else if remark := r.claim.explain(r.what, r.claimed()); remark != "" {
			remarks = append(remarks, remark)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nmedians of the turns; intervals of the median at %g %% or more\n", 100*stats.Confidence)
	for _, line := range append(remarks, notes...) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
