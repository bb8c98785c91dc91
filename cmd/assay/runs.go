package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/audit"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/report/block"
	"assay/store"
)

func (a *app) runsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "runs",
		Short: "List the stored runs, newest first",
		Args:  exactly(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.listRuns(cmd.Context()) },
	}
}

func (a *app) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "show [RUN]",
		Short:   "Show a run, or list the runs if none is given",
		Example: "  assay show\n  assay show latest\n  assay show 20261121-2005",
		Args:    exactly(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listRuns(cmd.Context())
			}
			r, err := a.loadRun(cmd.Context(), args)
			if err != nil {
				return err
			}
			return a.report(r)
		},
	}
}

// openStore opens the database and reports runs that it leaves out.
func (a *app) openStore(ctx context.Context) (*store.Store, error) {
	path, err := a.database()
	if err != nil {
		return nil, err
	}
	st, err := store.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	const named = 5
	skipped := 0
	st.OnSkip(func(run string, why error) {
		switch skipped++; {
		case skipped <= named:
			a.stderr.say("run %s cannot be read and is left out: %v\n", run, why)
		case skipped == named+1:
			a.stderr.say("more runs are left out, for such reasons\n")
		}
	})
	return st, nil
}

// openRun opens the database and finds the run that word names. The caller closes
// the database.
func (a *app) openRun(ctx context.Context, word string) (st *store.Store, id string, err error) {
	if st, err = a.openStore(ctx); err != nil {
		return nil, "", err
	}
	if id, err = st.Resolve(ctx, word); err != nil {
		_ = st.Close()
		return nil, "", usage(err)
	}
	return st, id, nil
}

// loadRun loads the run that args name, or the newest one.
func (a *app) loadRun(ctx context.Context, args []string) (assay.Run, error) {
	st, err := a.openStore(ctx)
	if err != nil {
		return assay.Run{}, err
	}
	defer st.Close()
	return findRun(ctx, st, strings.Join(args, ""))
}

func findRun(ctx context.Context, st *store.Store, name string) (assay.Run, error) {
	id, err := st.Resolve(ctx, name)
	if err != nil {
		return assay.Run{}, usage(err)
	}
	r, err := st.Find(ctx, id)
	if err != nil {
		return r, err
	}
	return judged(ctx, st, r), nil
}

// judged returns the run with its findings, and stores them if there were none and the
// run is over, for histories and lists.
func judged(ctx context.Context, st *store.Store, r assay.Run) assay.Run {
	if len(r.Findings) > 0 {
		return r
	}
	r = audited(r)
	if len(r.Findings) > 0 {
		_ = st.Judge(ctx, r.ID, r.Findings) // a read-only database can still be shown
	}
	return r
}

// judgeKilled stores the findings of runs that were killed before their audit, for what
// reads stored findings. What cannot be read or written stays as it is.
func judgeKilled(ctx context.Context, st *store.Store) {
	ids, _ := st.Unjudged(ctx)
	for _, id := range ids {
		if r, err := st.Load(ctx, id); err == nil {
			judged(ctx, st, r)
		}
	}
}

// audited returns the run with its findings. A run that was killed before its audit has
// none stored.
func audited(r assay.Run) assay.Run {
	if len(r.Findings) == 0 {
		r.Findings = audit.Audit(audit.Of(r))
	}
	return r
}

// runLine is the JSON form of a run in a list.
type runLine struct {
	ID       string          `json:"id"`
	Suite    string          `json:"suite"`
	Hosts    []string        `json:"hosts"`
	Started  time.Time       `json:"started"`
	Elapsed  float64         `json:"elapsed"` // s
	Status   assay.RunStatus `json:"status"`
	Trials   int             `json:"trials"`
	Repeats  int             `json:"repeats"`
	Rejected int             `json:"rejected"`        // findings of severity E
	Names    []string        `json:"names,omitempty"` // that it was given with assay pin
	// Labels are those of assay run --label, Remarks those of assay note.
	Labels  map[string]string `json:"labels,omitempty"`
	Remarks []assay.Remark    `json:"remarks,omitempty"`
	// Imported marks a run from another database or from tool output; it is never the
	// latest.
	Imported bool `json:"imported,omitempty"`
}

// named returns what people call a run: its names, then its labels. An imported run
// is marked first.
func (l runLine) named() string {
	var words []string
	if l.Imported {
		words = append(words, "(imported)")
	}
	words = append(words, l.Names...)
	for _, name := range slices.Sorted(maps.Keys(l.Labels)) {
		words = append(words, name+"="+l.Labels[name])
	}
	return list(words)
}

// fewHosts names as many hosts as leave room for the runs' names, and counts the
// rest.
func fewHosts(hosts []string) string {
	const room = 16
	for n := len(hosts); n > 1; n-- {
		text := list(hosts[:n])
		if n < len(hosts) {
			text += fmt.Sprintf(" +%d", len(hosts)-n)
		}
		if len(text) <= room {
			return text
		}
	}
	if len(hosts) > 1 {
		return fmt.Sprintf("%s +%d", hosts[0], len(hosts)-1)
	}
	return list(hosts)
}

func (a *app) listRuns(ctx context.Context) error {
	st, err := a.openStore(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	judgeKilled(ctx, st)
	runs, err := st.Runs(ctx)
	if err != nil {
		return err
	}
	misnamed, err := st.Misnamed(ctx)
	if err != nil {
		return err
	}
	if misnamed > 0 {
		a.stderr.say("%s with an invalid id left out: assay did not write that\n", prose.Plural(misnamed, "run"))
	}
	for _, r := range runs {
		if now := time.Now(); !r.Imported && !r.InTurn(now) {
			a.stderr.say("run %s is dated %s, in the future: it does not count as the latest\n", r.ID, r.Started.Format(time.DateOnly))
		}
	}
	lines := make([]runLine, 0, len(runs))
	for _, r := range runs {
		lines = append(lines, runLine{
			ID: r.ID, Suite: r.Suite, Hosts: r.Hosts, Started: r.Started, Elapsed: r.Elapsed.Seconds(),
			Status: r.StatusNow(), Trials: r.Trials, Repeats: r.Repeats, Rejected: r.Rejected, Names: r.Names,
			Labels: r.Labels, Remarks: r.Remarks, Imported: r.Imported,
		})
	}
	if len(lines) == 0 {
		a.stderr.say("no runs yet; start one with: assay run\n")
		if a.format == formatText {
			return nil
		}
	}
	return a.show(runsDocument(lines))
}

func runsDocument(lines []runLine) block.Document {
	rows := [][]string{}
	named := false
	for _, l := range lines {
		named = named || l.named() != ""
		rows = append(rows, []string{
			l.ID, l.Suite, fewHosts(l.Hosts), quantity.Span(time.Duration(l.Elapsed * float64(time.Second)).Round(time.Second)),
			string(l.Status), fmt.Sprint(l.Rejected),
		})
	}
	// Few enough columns to keep names whole within 80: users copy them from
	// here.
	header := []string{"run", "suite", "host", "took", "status", "rejected"}
	if named {
		header = append(header, "named")
		for i, l := range lines {
			rows[i] = append(rows[i], l.named())
		}
	}
	d := block.Document{Name: "Runs", Data: map[string]any{"runs": lines}}
	if len(rows) > 0 {
		d.Add(block.Texts(header, rows))
	}
	for _, l := range lines {
		for _, r := range l.Remarks {
			d.Add(block.Sentence{Is: block.Note, Word: l.ID, Text: r.Text})
		}
	}
	return d
}
