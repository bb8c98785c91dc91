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

// markName is what the marks in the document call this program.
const markName = "verify-stats"

// The bounds that the coverage must keep: the 95 % that is promised, less what
// looking several times costs, give or take what the number of trials leaves to
// chance.
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

// wish is what the flags say.
type wish struct {
	trials   int
	seed     uint64
	first    int
	document string
}

// errCoverage says that the rule does not keep its promise.
var errCoverage = errors.New("coverage outside its bounds")

// verify simulates all cells, prints the table and writes it where that is
// wished. A coverage outside the bounds is an error, and is not written.
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

// judgeRepeats finds the first row whose coverage is too low. A median's interval
// holds more than it says wherever ranks do not fit, so that there is no upper
// bound.
func judgeRepeats(rows []figure) error {
	for _, r := range rows {
		if r.coverage < leastCoverage {
			return fmt.Errorf("%w: %.4f where repeats spread by %v %%, less than %v", errCoverage, r.coverage, 100*r.spread, leastCoverage)
		}
	}
	return nil
}

// judge finds the first row whose coverage is outside the bounds.
func judge(rows []row) error {
	for _, r := range rows {
		if r.coverage < leastCoverage || r.coverage > mostCoverage {
			return fmt.Errorf("%w: %.4f at phi %v and %v %%, not %v to %v",
				errCoverage, r.coverage, r.phi, 100*r.precision, leastCoverage, mostCoverage)
		}
	}
	return nil
}
