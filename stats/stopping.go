package stats

import (
	"fmt"
	"math"
)

// Defaults of a stopping rule.
const (
	Precision  = .02 // half-width of the interval, as a share of the mean
	FirstLook  = 120 // samples
	LookGrowth = 1.4
)

// StopRule defines when a series is long enough. The zero value has the
// defaults and no cap.
type StopRule struct {
	Precision float64 // wanted half-width, as a share of the mean; 0: Precision
	First     int     // samples until the first look; 0: FirstLook
	// Growth is the ratio of samples between consecutive looks; 0: LookGrowth.
	// Looks are few on purpose: each one raises the chance that an interval is
	// narrow by luck.
	Growth float64
	Cap    int // samples after which it ends regardless; 0: never
}

// StopState is the verdict of a look.
type StopState string

// The three verdicts.
const (
	GoOn         StopState = "go on"
	Converged    StopState = "converged"
	NotConverged StopState = "not converged" // the cap was reached first
)

// Look is what a stopping rule found at one look.
type Look struct {
	State   StopState
	N       int    // samples looked at, including the warm-up
	Warmup  Warmup // Warmup.Batches is d
	Batches BatchMeans
	// Valid reports whether there is an interval. If not, the batches are
	// meaningless.
	Valid bool
	// Why explains what is still missing; "" once converged.
	Why string
}

// Stopper takes the samples of one run, evenly spaced, one at a time, and
// reports when their mean is known well enough. It is pure: it uses no clock
// and stops no tool.
//
// It looks at FirstLook samples and then whenever their number has grown by
// LookGrowth. A look is good if the warm-up is over, a batch is at least five
// Tau long and the half-width is within the precision; two good looks in a row
// end the series.
type Stopper struct {
	rule    StopRule
	xs      []float64
	fed     int // including non-finite ones
	next    int // samples at the next look
	good    int // good looks in a row
	last    Look
	stopped bool
}

// NewStopper begins a series. Fields of the rule that are 0, negative or not
// finite get their defaults; so does a growth of 1 or less, which would look at
// every sample.
func NewStopper(rule StopRule) *Stopper {
	if !(rule.Precision > 0) || math.IsInf(rule.Precision, 0) {
		rule.Precision = Precision
	}
	if rule.First <= 0 {
		rule.First = FirstLook
	}
	if !(rule.Growth > 1) || math.IsInf(rule.Growth, 0) {
		rule.Growth = LookGrowth
	}
	return &Stopper{rule: rule, next: rule.First, last: Look{State: GoOn, Why: "no look yet"}}
}

// Add adds a sample. looked reports whether it triggered a look; if not, look
// is the last one. Samples after the end change nothing. A non-finite sample
// counts only against the cap.
func (s *Stopper) Add(x float64) (look Look, looked bool) {
	if s.stopped {
		return s.last, false
	}
	s.fed++
	capped := s.rule.Cap > 0 && s.fed >= s.rule.Cap
	fresh := Finite(x)
	if fresh {
		s.xs = append(s.xs, x)
	}
	if due := fresh && len(s.xs) >= s.next; !due && !capped {
		return s.last, false
	}
	looked = len(s.xs) > s.last.N
	if looked {
		s.look()
	}
	if capped {
		s.end()
	}
	return s.last, looked
}

// end makes a look that would go on the last one.
func (s *Stopper) end() {
	s.stopped = true
	if s.last.State == GoOn {
		s.last.State = NotConverged
	}
}

// look evaluates all samples so far.
func (s *Stopper) look() {
	n := len(s.xs)
	s.last = Look{State: GoOn, N: n}
	s.next = max(n+1, int(min(math.Ceil(float64(n)*s.rule.Growth), math.MaxInt32)))
	s.last.Why = s.wanting()
	if s.last.Why != "" {
		s.good = 0
		return
	}
	if s.good++; s.good < 2 {
		s.last.Why = "the next look must agree"
		return
	}
	s.last.State, s.stopped = Converged, true
}

// wanting fills in the last look, and returns what it lacks to be a good one.
func (s *Stopper) wanting() string {
	l := &s.last
	warmup, ok := FindWarmup(s.xs)
	if ok {
		l.Warmup = warmup
		l.Batches, l.Valid = Batch(s.xs[warmup.Samples():])
	}
	b := l.Batches
	switch {
	case l.N < 2*warmupBatch:
		return fmt.Sprintf("%d samples are too few", l.N)
	case ok && b.M == 0:
		return fmt.Sprintf("%d samples after the warm-up are too few", l.N-warmup.Samples())
	case !l.Valid:
		return "the samples are too large to average"
	case !warmup.Settled:
		return "the series never reaches steady state"
	case !b.Long:
		return fmt.Sprintf("batches of %d samples are shorter than 5 tau = %.1f", b.M, batchTaus*b.Tau)
	case b.Mean == 0:
		return "the mean is 0: a relative precision is undefined"
	case b.Relative() > s.rule.Precision:
		return fmt.Sprintf("± %.2g %% is wider than ± %.2g %%", 100*b.Relative(), 100*s.rule.Precision)
	}
	return ""
}
