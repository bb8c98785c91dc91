package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/internal/marked"
	"assay/lab/faults/matrix"
	"assay/report"
)

const (
	// diagnosisBound is how long a case may take beyond assay's budget: the lab,
	// connections.
	diagnosisBound = 2 * time.Minute

	// diagnosisShort is the time after which no more faults are planted if all
	// parts are measured.
	diagnosisShort = 4 * time.Minute

	diagnosisPairs, diagnosisControls = 3, 4 // per half and round
)

// share is the part of suite cluster to measure, in assay's words, within a budget
// that fits three repeats of a second if the machine does little else.
type share struct {
	words  []string
	budget time.Duration
}

// The shares. Heating the CPUs takes long and shows one kind of fault; the hosts
// have no measured device.
var (
	linksShare = share{[]string{"--only", "iperf3"}, 50 * time.Second}
	hostsShare = share{[]string{"--skip", "iperf3,soak,device-randread-4k"}, 40 * time.Second}
	hotShare   = share{[]string{"--skip", "iperf3,device-randread-4k"}, 55 * time.Second}
	demoShare  = share{nil, 3 * time.Minute} // of the suite
	wholeShare = share{[]string{"--skip", "soak,device-randread-4k"}, 100 * time.Second}
)

// shares are what to measure where faults of each kind can show.
type shares struct{ links, hosts, hot, demo, whole share }

// shareOf returns where faults can show: for one fault, a part; for several or
// none, everything.
func (d diagnosis) shareOf(c matrix.Case) share {
	switch len(c.Faults) {
	case 1:
	case matrix.DemoFaults:
		return d.ground.shares.demo
	default:
		return d.ground.shares.whole
	}
	k, err := matrix.Named(d.kinds, c.Faults[0].Kind)
	switch {
	case err != nil:
		return d.ground.shares.whole
	case k.Layer == "network":
		return d.ground.shares.links
	case k.Hot:
		return d.ground.shares.hot
	}
	return d.ground.shares.hosts
}

// ground is where faults are planted.
type ground struct {
	name   string
	hosts  []string
	pairs  int
	checks int // controls
	shares shares
	boots  time.Duration // extra time for its hosts
	// plant creates the faults of a case and returns the cluster.yaml of its hosts;
	// undo removes them.
	plant func(ctx context.Context, d diagnosis, t measured) (file string, undo func(context.Context) error, err error)
}

// namespaces are four hosts in network namespaces, new for each case.
var namespaces = ground{
	name: "diagnosis", hosts: matrix.Hosts, pairs: diagnosisPairs, checks: diagnosisControls,
	shares: shares{linksShare, hostsShare, hotShare, demoShare, wholeShare},
	plant: func(ctx context.Context, d diagnosis, t measured) (string, func(context.Context) error, error) {
		up := matrix.Up
		if t.Half == demo {
			up = matrix.UpDemo
		}
		bed, err := up(ctx, d.matrix.out, d.kinds, t.Case)
		if err != nil {
			return "", nil, err
		}
		return bed.File, bed.Down, nil
	},
}

// matrixWish says which cases are planted.
type matrixWish struct {
	out    string // keeps what was measured; a later bench resumes there
	kinds  string // names, separated by commas; "" for all of the half
	half   string
	seed   uint64
	rounds uint64
	bound  time.Duration // after which no more cases begin
	demos  int           // runs of make demo's lab, besides
}

// block names the table to write into a document: chosen kinds have a table of their
// own.
func (d diagnosis) block() string {
	if d.matrix.kinds != "" {
		return "bench " + d.ground.name + " of some kinds"
	}
	return "bench " + d.ground.name
}

// measured is a measured case, kept as a line of JSON.
type measured struct {
	matrix.Case
	Half  matrix.Half `json:"half"`
	Error string      `json:"error,omitempty"` // why it has no report
	Took  float64     `json:"took"`            // s
	When  time.Time   `json:"when"`
}

// diagnosis is a benchmark of the verdict: it plants, measures and scores
// faults.
type diagnosis struct {
	wish
	ground ground
	kinds  []matrix.Kind
	say    func(string)
}

// measureDiagnosis plants one fault after another, has assay measure it and scores
// the report. Cases measured by an earlier bench are only scored again.
func measureDiagnosis(ctx context.Context, w wish, dir string, say func(string)) ([]row, []string, error) {
	if missing := noLab(row{what: "diagnosis"}); missing != nil {
		return missing, nil, nil
	}
	kinds, err := matrix.Kinds()
	if err != nil {
		return nil, nil, err
	}
	if w.only == "" {
		w.matrix.out, w.matrix.bound = filepath.Join(dir, "diagnosis"), min(w.matrix.bound, diagnosisShort)
	}
	return nil, nil, diagnosis{wish: w, ground: namespaces, kinds: kinds, say: say}.measure(ctx)
}

// measure measures the requested cases, and prints and writes the table of everything
// measured.
func (d diagnosis) measure(ctx context.Context) (err error) {
	if d.matrix.out, err = filepath.Abs(d.matrix.out); err != nil {
		return err
	}
	if err := os.MkdirAll(d.matrix.out, 0o700); err != nil {
		return err
	}
	if err := d.cases(ctx); err != nil {
		return err
	}
	text, err := d.table(ctx)
	if err != nil {
		return err
	}
	fmt.Print(text)
	if d.document == "" {
		return nil
	}
	return marked.Write(d.document, d.block(), text)
}

// cases measures all requested cases that were not measured before.
func (d diagnosis) cases(ctx context.Context) error {
	done, err := d.done()
	if err != nil {
		return err
	}
	began := time.Now()
	for _, m := range d.wished() {
		if slices.ContainsFunc(done, func(t measured) bool { return t.ID == m.ID && t.Half == m.Half && t.Error == "" }) {
			continue
		}
		if time.Since(began) > d.matrix.bound {
			d.say(d.ground.name + ": time is up; the same command goes on")
			return nil
		}
		if err := d.try(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// wished returns all requested cases, in the order in which they are measured.
func (d diagnosis) wished() (all []measured) {
	for i := range d.matrix.demos {
		all = append(all, measured{Case: matrix.Demo(i + 1), Half: demo})
	}
	for _, half := range d.halves() {
		for round := range d.matrix.rounds {
			for _, c := range d.drawn(half, round+1) {
				all = append(all, measured{Case: c, Half: half})
			}
		}
	}
	return all
}

// demo replaces the half in cases that belong to both.
const demo matrix.Half = "demo"

func (d diagnosis) halves() []matrix.Half {
	switch d.matrix.half {
	case "":
		return []matrix.Half{matrix.Tuned, matrix.Kept}
	case "none":
		return nil
	}
	return []matrix.Half{matrix.Half(d.matrix.half)}
}

// drawn returns the cases of a half; if kinds are named, only single faults of
// those.
func (d diagnosis) drawn(half matrix.Half, round uint64) []matrix.Case {
	of := slices.DeleteFunc(slices.Clone(d.kinds), func(k matrix.Kind) bool { return k.Half != half })
	all := matrix.Draw(d.matrix.seed, round, of, d.ground.hosts, matrix.Amount{Pairs: d.ground.pairs, Controls: d.ground.checks})
	if d.matrix.kinds == "" {
		return all
	}
	named := strings.Split(d.matrix.kinds, ",")
	return slices.DeleteFunc(all, func(c matrix.Case) bool {
		return len(c.Faults) != 1 || !slices.Contains(named, c.Faults[0].Kind)
	})
}

func (d diagnosis) list() string { return filepath.Join(d.matrix.out, "cases.jsonl") }

// db returns where a case's run is kept: both halves have controls of the same
// names.
func (d diagnosis) db(t measured) string {
	return filepath.Join(d.matrix.out, fmt.Sprintf("%s-%s.db", t.Half, t.ID))
}

// done returns the cases measured before, with the last try of each.
func (d diagnosis) done() ([]measured, error) {
	text, err := os.ReadFile(d.list())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []measured
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var t measured
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			continue // the line that an interrupted bench was writing
		}
		all = append(slices.DeleteFunc(all, func(b measured) bool { return b.ID == t.ID && b.Half == t.Half }), t)
	}
	return all, lines.Err()
}

// try plants a case, has it measured and keeps the result. A failure to plant a
// fault, or of assay, is a result; the end of ctx is not.
func (d diagnosis) try(ctx context.Context, t measured) error {
	d.say(fmt.Sprintf("%s: %s", d.ground.name, t.ID))
	t.When = time.Now()
	bounded, cancel := context.WithTimeout(ctx, d.shareOf(t.Case).budget+diagnosisBound+d.ground.boots)
	err := d.plantAndMeasure(bounded, t)
	cancel()
	if ctx.Err() != nil {
		return errors.Join(context.Cause(ctx), err)
	}
	if err != nil {
		t.Error = err.Error()
		d.say(fmt.Sprintf("%s: %s: %v", d.ground.name, t.ID, err))
	}
	t.Took = time.Since(t.When).Seconds()
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(d.list(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

func (d diagnosis) plantAndMeasure(ctx context.Context, t measured) (err error) {
	for _, end := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(d.db(t) + end)
	}
	short, err := os.MkdirTemp("", "assay-bench-") // socket paths must be short
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(short)) }()
	file, undo, err := d.ground.plant(ctx, d, t)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), labBound)
		defer cancel()
		err = errors.Join(err, undo(ctx))
	}()
	words := []string{"run", "-i", file, "--db", d.db(t), "--suite", "cluster", "--format", "json"}
	if t.Half != demo {
		part := d.shareOf(t.Case)
		words = append(append(words, "--seed", "1", "--time-budget", part.budget.String(), "--length", "1s", "--repeats", "3", "--investigate"), part.words...)
	}
	run := site{binary: d.binary, short: short}.assay(words...)
	run.fine = []int{statusRejected, statusPartial}
	_, err = run.run(ctx)
	return err
}

// inShort returns why a case failed, without the command in front and its output.
func inShort(failure string) string {
	const most = 120
	text := []rune(failure[max(0, strings.Index(failure, "exit status")):])
	if end := slices.Index(text, '\n'); end >= 0 {
		text = text[:end]
	}
	return string(text[:min(len(text), most)])
}

// table scores everything measured, with the reports that this program builds.
func (d diagnosis) table(ctx context.Context) (string, error) {
	done, err := d.done()
	if err != nil {
		return "", err
	}
	var all []matrix.Outcome
	var failed []string
	for _, t := range done {
		if t.Error != "" {
			failed = append(failed, t.ID+": "+inShort(t.Error))
			continue
		}
		run, err := loadLatest(ctx, d.db(t))
		if err != nil {
			return "", fmt.Errorf("%s: %w", t.ID, err)
		}
		all = append(all, matrix.Judge(d.kinds, t.Case, report.Build(run)))
	}
	return matrix.Table(d.kinds, all, failed), nil
}
