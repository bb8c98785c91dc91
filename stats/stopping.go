package stats

import (
	"fmt"
	"math"
)

// What a stopping rule goes by where nothing else is said.
const (
	Precision  = .02 // half-width of the interval, as a share of the mean
	FirstLook  = 120 // samples
	LookGrowth = 1.4
)

// StopRule says when a series is long enough. The zero value has the defaults
// and no cap.
type StopRule struct {
	Precision float64 // half-width wanted, as a share of the mean; 0: Precision
	First     int     // samples until the first look; 0: FirstLook
	// Growth is how many times as many samples the next look has; 0: LookGrowth.
	// Looks are few on purpose: with each one more, the chance grows that an
	// interval is narrow by luck.
	Growth float64
	Cap    int // samples after which it ends in any case; 0: never
}

// StopState is what a look says.
type StopState string

// The three answers.
const (
	GoOn         StopState = "go on"
	Converged    StopState = "converged"
	NotConverged StopState = "not converged" // the cap came first
)

// Look is what a stopping rule saw at one of its looks.
type Look struct {
	State   StopState
	N       int    // samples looked at, with those of the warm-up
	Warmup  Warmup // Warmup.Batches is d
	Batches BatchMeans
	// Valid says that there is an interval at all. Where it is not, the batches
	// mean nothing.
	Valid bool
	// Why says in words what is still wanting; "" where it converged.
	Why string
}

// Stopper is fed the samples of one run, one by one and at equal distances, and
// says when their mean is known well enough. It is pure: it knows no clock and
// ends no tool.
//
// It looks at FirstLook samples and then at every LookGrowth times as many. A
// look is good where the warm-up is over, a batch is at least five Tau long and
// the half-width is within the precision; two good looks one after the other
// end the series.
type Stopper struct {
	rule    StopRule
	xs      []float64
	fed     int // with those that are not finite
	next    int // samples at the next look
	good    int // good looks one after the other
	last    Look
	stopped bool
}

// NewStopper begins a series. Fields of the rule that are 0, negative or not
// finite have their defaults; a growth of 1 or less would look at every sample,
// and has it too.
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

// Add takes the next sample. looked says that this one was the occasion of a
// look; otherwise the look is the last one there was. What comes after the end
// changes nothing. A sample that is not finite counts against the cap only.
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

// end turns a look that would go on into the last one.
func (s *Stopper) end() {
	s.stopped = true
	if s.last.State == GoOn {
		s.last.State = NotConverged
	}
}

// look takes stock of all samples so far.
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

// wanting fills in the last look, and says what it lacks to be a good one.
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
