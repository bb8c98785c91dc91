package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/plan"
	"assay/plan/suite"
	"assay/report/block"
	"assay/run/session"
)

// wishes are the flags that shape a plan.
type wishes struct {
	suite      string
	fioJob     string // a fio job file, instead of a suite
	only, skip []string
	repeats    int
	budget     time.Duration
	seed       int64
	precision  string // a share: 2%, 0.02, or off
	length     time.Duration
	size       string // of files: 4G
	endurance  string // what may be written to a drive: 500G, 0.5%
	// investigate is the suite's own unless something else chooses what is
	// measured.
	investigate bool
}

// settle fills in what was not given. If the user or an earlier run chose the tests, no
// others are added.
func (w *wishes) settle(cmd *cobra.Command) {
	chosen := slices.ContainsFunc([]string{"investigate", "only", "skip", "repeats", "resume", "like"}, cmd.Flags().Changed)
	if s, err := suite.Load(w.suite); err == nil && !chosen {
		w.investigate = s.Investigate
	}
}

// baseline is the default suite.
const baseline = "baseline"

func (w *wishes) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.suite, "suite", baseline, "suite to run: "+list(suite.Names())+", or your own suite file (.yaml)")
	cmd.Flags().StringVar(&w.fioJob, "fio-job", "", "run this fio job file instead of a suite: each section is a case, on scratch space")
	cmd.Flags().StringSliceVar(&w.only, "only", nil, "run only these cases or probes, for example fio or randread-4k")
	cmd.Flags().StringSliceVar(&w.skip, "skip", nil, "skip these cases or probes")
	cmd.Flags().IntVar(&w.repeats, "repeats", 0, "repeats of each case; with --precision, the minimum (default: the suite's)")
	cmd.Flags().DurationVar(&w.budget, "time-budget", 0, "maximum duration of the run, for example 5m or 1h (default: the suite's)")
	cmd.Flags().StringVar(&w.precision, "precision", "", "target precision, for example 2%: add repeats until the interval of each result is this narrow; off: run the planned repeats only (default: the suite's)")
	cmd.Flags().DurationVar(&w.length, "length", 0, "maximum duration of one repeat, for example 10m: it ends earlier once its mean is known")
	cmd.Flags().StringVar(&w.size, "size", "", "size of the test files, for example 64G (default: chosen by free space, memory and time)")
	cmd.Flags().StringVar(&w.endurance, "endurance-budget", "", "limit the writes to each overwritten drive to an `AMOUNT`: bytes or a share of its rated TBW, for example 500G or 0.5%")
	cmd.Flags().Int64Var(&w.seed, "seed", 0, "seed for the order of repeats (default: from the clock)")
	_ = cmd.RegisterFlagCompletionFunc("suite", cobra.FixedCompletions(suite.Names(), cobra.ShellCompDirectiveDefault))
}

// options checks the flags before anything is touched.
func (a *app) options(w wishes, at where) (session.Options, error) {
	var o session.Options
	s, err := w.open(a, at)
	if err != nil {
		return o, err
	}
	precision, perr := share(w.precision)
	size, serr := fileSize(w.size)
	endurance, eerr := session.ReadEndurance(w.endurance)
	switch {
	case w.repeats < 0:
		return o, usage(fmt.Errorf("--repeats must not be negative: %d", w.repeats))
	case w.budget < 0:
		return o, usage(fmt.Errorf("--time-budget must not be negative: %s", w.budget))
	case w.budget > 0 && w.budget < 5*time.Second:
		return o, usage(assay.WithHint("add a unit, for example 90s or 5m", "--time-budget %s is too short to measure anything", w.budget))
	case perr != nil:
		return o, usage(assay.WithHint("give a percentage above 0 and up to 50, for example 2%, or off", "--precision %s: %w", w.precision, perr))
	case w.length < 0 || w.length > 0 && w.length < time.Second:
		return o, usage(assay.WithHint("add a unit, for example 90s or 10m", "--length %s: a repeat takes at least 1s", w.length))
	case serr != nil:
		return o, usage(assay.WithHint("give at least 64M, for example 64G", "--size %s: %w", w.size, serr))
	case eerr != nil:
		return o, usage(fmt.Errorf("--endurance-budget: %w", eerr))
	}
	o.Suite, o.Investigate, o.Endurance = s, w.investigate, endurance
	o.Plan = plan.Options{
		Only: w.only, Skip: w.skip, Repeats: w.repeats, Budget: w.budget, Seed: w.seed,
		Precision: precision, Longest: w.length, Size: size,
	}
	return o, nil
}

// open returns the suite to run, which may come from a job file.
func (w *wishes) open(a *app, at where) (suite.Suite, error) {
	if w.fioJob == "" {
		return openSuite(w.suite)
	}
	if w.suite != baseline {
		return suite.Suite{}, usage(errors.New("--fio-job and --suite are mutually exclusive"))
	}
	s, notes, err := jobSuite(w.fioJob, max(w.repeats, 0), max(len(at.Directories)+len(at.Overwrite), 1))
	for _, n := range notes {
		a.stderr.say("note: %s\n", n)
	}
	return s, err
}

// share parses a precision: "2%", "0.02", "off" or "".
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
		return 0, errors.New("not a valid precision")
	}
	return v, nil
}

// leastSize is the least that every probe can measure.
const leastSize = 64 << 20

// fileSize parses a size such as 64G; 0 for "".
func fileSize(word string) (int64, error) {
	if word == "" {
		return 0, nil
	}
	n, ok := assay.ParseSize(word)
	switch {
	case !ok:
		return 0, errors.New("not a size")
	case n < leastSize:
		return 0, errors.New("too small to measure anything")
	case n%(1<<20) != 0:
		return 0, errors.New("not a multiple of 1M")
	}
	return n, nil
}

func (a *app) planCommand() *cobra.Command {
	var wish wishes
	var at where
	var verbose bool
	var like string
	cmd := &cobra.Command{
		Use:     "plan",
		Short:   "Show what a run would do, without touching anything",
		Example: "  assay plan\n  assay plan -i cluster.yaml --suite cluster\n  assay plan --fio-job mine.fio\n  assay plan --like nightly-base",
		Args:    exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if like != "" {
				if err := checkLike(cmd); err != nil {
					return err
				}
				return a.planLike(cmd.Context(), like, at, wish, verbose)
			}
			o, err := a.options(wish, at)
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
			return a.printPlan(p, verbose)
		},
	}
	wish.flags(cmd)
	at.flags(cmd)
	cmd.Flags().StringVar(&like, "like", "", "plan as this run was: its name, or latest")
	cmd.Flags().BoolVar(&verbose, "verbose", false, "list every trial, also of several hosts")
	return cmd
}

// planLike shows the plan of a run like an earlier one.
func (a *app) planLike(ctx context.Context, name string, at where, wish wishes, verbose bool) error {
	st, err := a.openStore(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	s, err := likeRun(ctx, st, name, session.Options{
		Target: session.Target{Cluster: at.Cluster, Overwrite: at.Overwrite}, Plan: plan.Options{Budget: wish.budget, Seed: wish.seed},
	})
	if err != nil {
		return err
	}
	p, err := s.Plan(ctx)
	if err != nil {
		return err
	}
	return a.printPlan(p, verbose)
}

func (a *app) printPlan(p plan.Plan, verbose bool) error {
	for _, n := range p.Notes {
		a.stderr.say("note: %s\n", n.Text)
	}
	return a.show(planDocument(p, verbose))
}

// planDocument lists the trials; with several hosts and without verbose, it has one
// line per case with the hosts that run it.
func planDocument(p plan.Plan, verbose bool) block.Document {
	d := block.Document{Name: "Plan", Data: p}
	hosts := hostsOf(p.Trials)
	if len(hosts) > 1 && !verbose {
		d.Add(planSummary(p.Trials), block.Sentence{Text: fmt.Sprintf("%s on %s; list them with --verbose", prose.Plural(len(p.Trials), "trial"), prose.Plural(len(hosts), "host"))})
	} else {
		d.Add(planTable(p.Trials, len(hosts) > 1))
	}
	filling := ""
	if f := p.Filling.Round(time.Second); f > 0 {
		filling = ", of which " + quantity.Span(f) + " write scratch space"
	}
	d.Add(block.Sentence{Text: fmt.Sprintf("%s, about %s (at most %s)%s; order seed %d",
		prose.Plural(len(p.Schedule), "repeat"), quantity.Span(p.Estimate.Round(time.Second)), quantity.Span(p.Budget), filling, p.Seed)})
	if p.Precision > 0 {
		d.Add(block.Sentence{Text: fmt.Sprintf("repeats are added within that time until results are known to ± %g %%", math.Round(p.Precision*1e4)/100)})
	}
	return d
}

// planTable has one line per trial, with its host if there are several.
func planTable(trials []assay.Trial, several bool) block.Block {
	var rows [][]string
	for _, t := range trials {
		settings := settingsLine(t)
		if t.Absent != nil {
			settings = fmt.Sprintf("%s: %s", t.Absent.Word, t.Absent.Why)
		}
		on := string(t.Subject.Kind)
		switch {
		case several:
			on = whereOf(t)
		case t.Subject.Tier != "":
			on = t.Subject.Host
		case hasTwin(t, trials):
			on = path.Base(t.Subject.Name)
		}
		rows = append(rows, []string{t.Probe + "/" + t.Case, on, repeatsOf(t), string(t.Risk), settings})
	}
	return block.Texts([]string{"trial", "on", "repeats", "risk", "settings"}, rows)
}

// hasTwin reports whether another trial is the same on another subject, such as a second drive.
func hasTwin(t assay.Trial, trials []assay.Trial) bool {
	return slices.ContainsFunc(trials, func(o assay.Trial) bool {
		return o.Probe == t.Probe && o.Case == t.Case && o.Subject.Kind == t.Subject.Kind && o.Subject.ID != t.Subject.ID
	})
}

// planSummary has one line per case, merging trials that differ only in their subject.
func planSummary(trials []assay.Trial) block.Block {
	type line struct{ name, repeats, risk, absent string }
	var lines []line
	of := map[line][]assay.Trial{}
	absences := false
	for _, t := range trials {
		l := line{name: t.Probe + "/" + t.Case, repeats: repeatsOf(t), risk: string(t.Risk)}
		if t.Absent != nil {
			l.absent, absences = fmt.Sprintf("%s: %s", t.Absent.Word, t.Absent.Why), true
		}
		if of[l] == nil {
			lines = append(lines, l)
		}
		of[l] = append(of[l], t)
	}
	header := []string{"case", "on", "repeats", "risk"}
	if absences {
		header = append(header, "not measured")
	}
	var rows [][]string
	for _, l := range lines {
		row := []string{l.name, wheres(of[l]), l.repeats, l.risk}
		if absences {
			row = append(row, l.absent)
		}
		rows = append(rows, row)
	}
	return block.Texts(header, rows)
}

func repeatsOf(t assay.Trial) string {
	switch {
	case t.Absent != nil:
		return "-"
	case t.Length == 0:
		return fmt.Sprint(t.Repeats)
	}
	return fmt.Sprintf("%d × %s", t.Repeats, t.Length.Round(100*time.Millisecond))
}

// whereOf returns a trial's host, plus whatever the host may have several of.
func whereOf(t assay.Trial) string {
	s := t.Subject
	switch {
	case t.Peer != "":
		return fmt.Sprintf("%s → %s on %s", s.Host, t.Peer, s.Network)
	case s.Kind == assay.KindCPU || s.Kind == assay.KindMemory || s.Kind == assay.KindThermal:
		return s.Host
	}
	return s.Host + " " + s.Name
}

// wheres returns where trials of one case run: their hosts, and how many links or
// other subjects if there are more.
func wheres(trials []assay.Trial) string {
	hosts, networks := hostsOf(trials), []string{}
	for _, t := range trials {
		if n := t.Subject.Network; t.Peer != "" && !slices.Contains(networks, n) {
			networks = append(networks, n)
		}
	}
	on := list(hosts)
	if len(hosts) > fewNames {
		on = prose.Plural(len(hosts), "host")
	}
	switch kind := string(trials[0].Subject.Kind); {
	case len(networks) > 0:
		return fmt.Sprintf("%s: %s on %s", on, prose.Plural(len(trials), "link"), list(networks))
	case len(trials) > len(hosts):
		return fmt.Sprintf("%s (%d × %s)", on, len(trials), kind)
	}
	return on
}

// fewNames is the most hosts named on one line.
const fewNames = 4

// hostsOf returns the hosts of trials, peers included.
func hostsOf(trials []assay.Trial) (hosts []string) {
	for _, t := range trials {
		for _, h := range []string{t.Subject.Host, t.Peer} {
			if h != "" && !slices.Contains(hosts, h) {
				hosts = append(hosts, h)
			}
		}
	}
	return hosts
}
