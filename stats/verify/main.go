package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"assay/internal/marked"
	"assay/stats"
)

// markName is this program's name in the document's marks.
const markName = "verify-stats"

// The bounds of the coverage: the promised 95 %, less the cost of looking
// several times, plus or minus what the number of trials leaves to chance.
const (
	leastCoverage = .93
	mostCoverage  = .955
)

func main() {
	var w wish
	flag.IntVar(&w.trials, "trials", 8000, "series a row")
	flag.Uint64Var(&w.seed, "seed", 1, "seed of the series")
	flag.IntVar(&w.first, "first", stats.FirstLook, "samples until the first look")
	flag.StringVar(&w.document, "write", "", "also write the table into this document, between its two marks")
	flag.Parse()
	if err := verify(os.Stdout, w); err != nil {
		fmt.Fprintln(os.Stderr, "verify:", err)
		os.Exit(1)
	}
}

// wish holds the flags.
type wish struct {
	trials   int
	seed     uint64
	first    int
	document string
}

// errCoverage reports that the rule breaks its promise.
var errCoverage = errors.New("coverage outside its bounds")

// verify simulates all cells, prints the table and, if requested, writes it to
// the document. A coverage outside the bounds is an error, and is not written.
func verify(out io.Writer, w wish) error {
	if w.trials < 1 || w.first < 1 {
		return errors.New("-trials and -first must be at least 1")
	}
	var rows []row
	for _, c := range cells() {
		rows = append(rows, simulate(c, w.first, w.trials, w.seed))
	}
	added := repeats(w.trials, w.seed)
	compared := few(w.trials, w.seed)
	text := table(rows, w) + repeatTable(added, w) + fewTable(compared, w)
	fmt.Fprint(out, text)
	if err := errors.Join(judge(rows), judgeRepeats(added), judgeFew(compared)); err != nil || w.document == "" {
		return err
	}
	return marked.Write(w.document, markName, text)
}

// judgeRepeats returns an error for the first row whose coverage is too low.
// There is no upper bound: a median's interval covers more than its level
// wherever ranks do not fit exactly.
func judgeRepeats(rows []figure) error {
	for _, r := range rows {
		if r.coverage < leastCoverage {
			return fmt.Errorf("%w: %.4f where repeats spread by %v %%, less than %v", errCoverage, r.coverage, 100*r.spread, leastCoverage)
		}
	}
	return nil
}

// judge returns an error for the first row whose coverage is out of bounds.
func judge(rows []row) error {
	for _, r := range rows {
		if r.coverage < leastCoverage || r.coverage > mostCoverage {
			return fmt.Errorf("%w: %.4f at phi %v and %v %%, not %v to %v",
				errCoverage, r.coverage, r.phi, 100*r.precision, leastCoverage, mostCoverage)
		}
	}
	return nil
}
