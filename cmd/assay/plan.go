package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/plan"
	"assay/plan/suite"
	"assay/report/block"
	"assay/run/session"
)

// wishes are the flags that shape a plan.
type wishes struct {
	suite      string
	only, skip []string
	repeats    int
	budget     time.Duration
	seed       int64
	precision  string // a share: 2%, 0.02, or off
	length     time.Duration
}

func (w *wishes) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.suite, "suite", "baseline", "what to run: "+list(suite.Names()))
	cmd.Flags().StringSliceVar(&w.only, "only", nil, "run only these cases or probes, as in fio or randread-4k")
	cmd.Flags().StringSliceVar(&w.skip, "skip", nil, "leave these cases or probes out")
	cmd.Flags().IntVar(&w.repeats, "repeats", 0, "so many repeats of each case, unless --precision is given too: then the least (default: the suite's)")
	cmd.Flags().DurationVar(&w.budget, "time-budget", 0, "how long the whole may take, as in 5m or 1h (default: the suite's)")
	cmd.Flags().StringVar(&w.precision, "precision", "", "how well figures are to be known, as in 2%: repeats are added until they are (default: the suite's); off: as many as planned")
	cmd.Flags().DurationVar(&w.length, "length", 0, "how long one repeat may measure, as in 10m: it ends before where its mean is known")
	cmd.Flags().Int64Var(&w.seed, "seed", 0, "seed of the order of repeats (default: from the clock)")
	_ = cmd.RegisterFlagCompletionFunc("suite", cobra.FixedCompletions(suite.Names(), cobra.ShellCompDirectiveNoFileComp))
}

// options checks the flags, before anything is touched.
func (w *wishes) options() (session.Options, error) {
	var o session.Options
	s, err := suite.Load(w.suite)
	if errors.Is(err, assay.ErrNotFound) {
		hint := didYouMean(w.suite, suite.Names())
		if hint == "" {
			hint = "the suites are: " + list(suite.Names())
		}
		return o, usage(assay.WithHint(hint, "unknown suite %q", w.suite))
	}
	precision, perr := share(w.precision)
	switch {
	case w.repeats < 0:
		return o, usage(fmt.Errorf("--repeats must not be negative: %d", w.repeats))
	case w.budget < 0:
		return o, usage(fmt.Errorf("--time-budget must not be negative: %s", w.budget))
	case w.budget > 0 && w.budget < 5*time.Second:
		return o, usage(assay.WithHint("give it a unit, as in 90s or 5m", "--time-budget %s: too little for anything", w.budget))
	case perr != nil:
		return o, usage(assay.WithHint("a share between 0 and 50 %, as in 2%, or off", "--precision %s: %w", w.precision, perr))
	case w.length < 0 || w.length > 0 && w.length < time.Second:
		return o, usage(assay.WithHint("give it a unit, as in 90s or 10m", "--length %s: a repeat measures a second at least", w.length))
	}
	o.Suite = s
	o.Plan = plan.Options{
		Only: w.only, Skip: w.skip, Repeats: w.repeats, Budget: w.budget, Seed: w.seed,
		Precision: precision, Longest: w.length,
	}
	return o, err
}

// share reads a precision: "2%", "0.02", "off" or "".
func share(word string) (float64, error) {
	switch word {
	case "":
		return 0, nil
	case "off":
		return plan.AsPlanned, nil
	}
	digits, isPercent := strings.CutSuffix(word, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if isPercent {
		v /= 100
	}
	if err != nil || !(v > 0 && v <= .5) {
		return 0, errors.New("it is no share that figures can be known to")
	}
	return v, nil
}

func (a *app) planCommand() *cobra.Command {
	var wish wishes
	var at where
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Say what a run would do, before anything is touched",
		Args:  exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := wish.options()
			if err != nil {
				return err
			}
			if o.Target, err = at.target(); err != nil {
				return err
			}
			s, err := session.New(o)
			if err != nil {
				return err
			}
			p, err := s.Plan(cmd.Context())
			if err != nil {
				return err
			}
			return a.printPlan(p)
		},
	}
	wish.flags(cmd)
	at.flags(cmd)
	return cmd
}

func (a *app) printPlan(p plan.Plan) error {
	for _, n := range p.Notes {
		fmt.Fprintf(a.stderr, "note: %s\n", n.Text)
	}
	return a.show(planDocument(p))
}

func planDocument(p plan.Plan) block.Document {
	header := []string{"trial", "on", "repeats", "risk", "settings"}
	var rows [][]string
	for _, t := range p.Trials {
		repeats := fmt.Sprintf("%d × %s", t.Repeats, t.Length.Round(100*time.Millisecond))
		settings := settingsLine(t)
		if t.Length == 0 {
			repeats = fmt.Sprint(t.Repeats)
		}
		if t.Absent != nil {
			repeats, settings = "-", fmt.Sprintf("%s: %s", t.Absent.Word, t.Absent.Why)
		}
		on := string(t.Subject.Kind)
		if t.Subject.Tier != "" {
			on = t.Subject.Host
		}
		rows = append(rows, []string{t.Probe + "/" + t.Case, on, repeats, string(t.Risk), settings})
	}
	d := block.Document{Name: "Plan", Data: p}
	d.Add(block.Texts(header, rows), block.Sentence{Text: fmt.Sprintf("%s in about %s of at most %s; order by seed %d",
		plural(len(p.Schedule), "repeat"), p.Estimate.Round(time.Second), p.Budget, p.Seed)})
	if p.Precision > 0 {
		d.Add(block.Sentence{Text: fmt.Sprintf("repeats are added until figures are known to ± %g %%, within that time", math.Round(p.Precision*1e4)/100)})
	}
	return d
}
