package assay

import (
	"fmt"
	"slices"
	"time"
)

// Case is one line of a suite: one probe, one thing to measure, its settings.
type Case struct {
	Probe string            `json:"probe" yaml:"probe"`
	Name  string            `json:"name" yaml:"name"`   // short and stable: randread-4k
	Title string            `json:"title" yaml:"title"` // for people: 4 KiB random read
	On    SubjectKind       `json:"on" yaml:"on"`
	Set   map[string]string `json:"set,omitempty" yaml:"set"`
	// Seconds is the length of one repeat at the suite's default budget. Zero for
	// work of unknown length, such as reading SMART data.
	Seconds float64 `json:"seconds" yaml:"seconds"`
	// Shortest is what one repeat needs for a meaningful result, as far as the
	// budget allows; zero if a second is enough.
	Shortest float64 `json:"shortest,omitempty" yaml:"shortest"`
	// Longest is the maximum length of one repeat; zero for no limit.
	Longest float64 `json:"longest,omitempty" yaml:"longest"`
	// Warmup is the length of the uncounted first repeat in seconds, 0 for none.
	Warmup float64 `json:"warmup,omitempty" yaml:"warmup"`
	Once   bool    `json:"once,omitempty" yaml:"once"` // a second repeat would tell nothing new
	// Order places the case in each round: "first", "" or "last". Idle
	// temperatures are read first.
	Order string `json:"order,omitempty" yaml:"order"`
	// Lend says how its scratch space is lent, if that differs from the storage's
	// setup.
	Lend Way `json:"lend,omitempty" yaml:"lend"`
	// Together measures the case on 1, 2, … n hosts of a tier simultaneously, if the
	// tier has several.
	Together bool `json:"together,omitempty" yaml:"together"`
}

// Check refuses a case that a probe cannot measure: one without a name, without a valid
// length, or on any other kind of subject than on, whose plural is for the message.
func (c Case) Check(probe string, on SubjectKind, plural string) error {
	switch {
	case c.Name == "":
		return fmt.Errorf("a case of probe %s has no name", probe)
	case c.On != on:
		return WithHint("on: "+string(on), "case %s: on: %s measures %s, not %q", c.Name, probe, plural, c.On)
	case !(c.Seconds > 0 && c.Seconds < 1e6):
		return fmt.Errorf("case %s: seconds: %g is not a valid duration", c.Name, c.Seconds)
	}
	return nil
}

// QuickBelow is how long the repeats of a figure measure together, at least, for more than
// a quick look: half a minute, of which a tenth may be missing.
const QuickBelow = 27 * time.Second

// Risk says what a trial does to its subject.
type Risk string

// The risks, by effect.
const (
	Reads  Risk = "reads"  // only reads
	Writes Risk = "writes" // writes into its own scratch space
)

// Absence is the reason why there is no number. It is shown as a row, never as zero.
type Absence struct {
	Word AbsenceWord `json:"word"`
	Why  string      `json:"why"`
	Hint string      `json:"hint,omitempty"`
	// Gone is the host whose loss during the run is the reason, if any: resuming the
	// run may still give the number.
	Gone string `json:"gone,omitempty"`
}

// NoteHostGone is the id of a run's note about a host that went away; its text is
// WentAway's.
const NoteHostGone = "host-gone"

// NoteLeft is the id of a run's note about what could not be removed.
const NoteLeft = "left"

// WentAway returns the text that a host was lost during a run, and why. The text
// for an empty reason is a prefix of that for any reason.
func WentAway(host, why string) string { return host + " went away: " + why }

// AbsenceWord is one of four kinds of absence.
type AbsenceWord string

// The four words.
const (
	NotSupported AbsenceWord = "not supported" // this machine has no such thing
	NoData       AbsenceWord = "no data"       // it was queried and returned nothing
	Failed       AbsenceWord = "failed"        // it was tried and failed
	Unknown      AbsenceWord = "unknown"       // it could not be queried
)

// Trial is one case of one probe on one subject.
type Trial struct {
	ID       string            `json:"id"` // probe/case@subject
	Probe    string            `json:"probe"`
	Case     string            `json:"case"`
	Title    string            `json:"title"`
	Subject  Subject           `json:"subject"`
	Settings map[string]string `json:"settings,omitempty"` // as requested
	Claims   []string          `json:"claims,omitempty"`   // subjects it needs exclusively
	Risk     Risk              `json:"risk"`
	// Peer is the host at the other end of a link.
	Peer string `json:"peer,omitempty"`
	// Helpers are further hosts on which the probe runs commands, such as those that
	// observe what happens.
	Helpers []string `json:"helpers,omitempty"`
	// Others are subjects on other hosts that are measured simultaneously with
	// Subject; the measurements cover all of them together.
	Others []Subject `json:"others,omitempty"`
	// Scratch is how many bytes of scratch space it needs, 0 for none; Volume
	// is the kind of volume that lends them.
	Scratch int64  `json:"scratch,omitempty"`
	Volume  string `json:"volume,omitempty"`
	Lend    Way    `json:"lend,omitempty"` // how it is lent
	// FilledBy is the probe that prepares its scratch space and shares it; "" is its own.
	FilledBy string        `json:"filled_by,omitempty"`
	Repeats  int           `json:"repeats"`             // counted ones; a warm-up may come before
	Warmup   time.Duration `json:"warmup_ns,omitempty"` // length of the uncounted first repeat, 0 for none
	Length   time.Duration `json:"length_ns,omitempty"` // how long each repeat measures
	// Overhead is the time that a repeat takes beyond Length, if the probe knows it:
	// starting the tool, an idle phase. Zero: use the planner's estimate.
	Overhead time.Duration `json:"overhead_ns,omitempty"`
	Bound    time.Duration `json:"bound_ns,omitempty"` // when a hanging repeat is given up
	Order    string        `json:"order,omitempty"`
	// Precision is the target half-width of the figure's interval, as a share of the
	// figure. Repeats are added, or end early, accordingly. 0: run the planned repeats.
	Precision float64 `json:"precision,omitempty"`
	// Comparison names the comparison, such as a row of a table, that this trial and
	// others with the same name here belong to.
	Comparison string `json:"comparison,omitempty"`
	// From is the source (file:line) of results that others measured; "" for a trial
	// that assay ran.
	From string `json:"from,omitempty"`
	// Decides is the suspect that the trial is to confirm or clear, a host or "host1 →
	// host2", if it was added during the run because several causes were left; "" for a
	// planned one.
	Decides string `json:"decides,omitempty"`
	// Quick marks what was planned as a quick look: too short to settle an argument, and
	// labelled so unless added repeats made it longer.
	Quick  bool     `json:"quick,omitempty"`
	Absent *Absence `json:"absent,omitempty"` // set: not run, but shown as a row
}

// Step is one command of a trial: what was actually run and what it actually
// printed.
type Step struct {
	Name string `json:"name"` // what the step is for: "measure", "drop-caches"
	// Host is where the step of a trial on several hosts ran; "" is the trial's host.
	Host   string   `json:"host,omitempty"`
	Argv   []string `json:"argv"`
	Stdin  []byte   `json:"stdin,omitempty"`
	Output Output   `json:"output"`
}

// Transcript is all that was run for one repeat, byte for byte.
type Transcript struct {
	Probe    string            `json:"probe"`
	Settings map[string]string `json:"settings,omitempty"` // the trial's, as requested
	Steps    []Step            `json:"steps"`
}

// Step returns the first step of that name, or nil.
func (tr Transcript) Step(name string) *Step {
	for i := range tr.Steps {
		if tr.Steps[i].Name == name {
			return &tr.Steps[i]
		}
	}
	return nil
}

// Sample is one value at a moment of a repeat.
type Sample struct {
	At    float64 `json:"t"` // seconds since the repeat began
	Value float64 `json:"v"`
}

// Bin is one bin of a latency histogram: Count operations took up to Upper seconds.
type Bin struct {
	Upper float64 `json:"le"`
	Count int64   `json:"n"`
}

// Measurement is one metric of one repeat, in base units.
type Measurement struct {
	Metric    string            `json:"metric"`
	Value     float64           `json:"value"`
	Unit      Unit              `json:"unit"`
	Labels    map[string]string `json:"labels,omitempty"` // as it happened, not as requested
	Samples   []Sample          `json:"samples,omitempty"`
	Histogram []Bin             `json:"histogram,omitempty"`
	Line      int               `json:"line,omitempty"` // where in the output, from 1; 0 unknown
}

// Note is a warning that a tool or a step gave about itself.
type Note struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Outcome is how a repeat ended.
type Outcome string

// The outcomes.
const (
	Done        Outcome = "done"
	Broke       Outcome = "failed"
	Interrupted Outcome = "interrupted"
)

// Repeat is one execution of a trial with all that is known about it.
type Repeat struct {
	N            int           `json:"n"` // from 1; 0 is the warm-up
	Started      time.Time     `json:"started"`
	Elapsed      time.Duration `json:"elapsed"`
	Outcome      Outcome       `json:"outcome"`
	Error        string        `json:"error,omitempty"`
	Hint         string        `json:"hint,omitempty"`
	Transcript   Transcript    `json:"-"`
	Measurements []Measurement `json:"measurements,omitempty"`
	Watch        *Watch        `json:"watch,omitempty"` // of the trial's own host
	// Watches are those of the trial's other hosts, and of hosts that store its
	// data, by name.
	Watches map[string]*Watch `json:"watches,omitempty"`
}

// Measurement returns the first measurement of that metric, or nil.
func (r Repeat) Measurement(metric string) *Measurement {
	for i := range r.Measurements {
		if r.Measurements[i].Metric == metric {
			return &r.Measurements[i]
		}
	}
	return nil
}

// Counted reports whether the repeat counts: it is done and not the warm-up.
func (r Repeat) Counted() bool { return r.N > 0 && r.Outcome == Done }

// Result is a trial with its repeats.
type Result struct {
	Trial   Trial    `json:"trial"`
	Scratch Scratch  `json:"scratch,omitzero"` // what was really lent and prepared
	Repeats []Repeat `json:"repeats,omitempty"`
}

// Counted returns the repeats that count. The caller must not change them.
func (r Result) Counted() []Repeat {
	n := 0
	for i := range r.Repeats { // not copied: reports of many links ask this often
		if r.Repeats[i].Counted() {
			n++
		}
	}
	if n == len(r.Repeats) {
		return slices.Clip(r.Repeats)
	}
	out := make([]Repeat, 0, n)
	for i := range r.Repeats {
		if r.Repeats[i].Counted() {
			out = append(out, r.Repeats[i])
		}
	}
	return out
}

// Values returns one metric over the counted repeats, in their order.
func (r Result) Values(metric string) []float64 {
	var out []float64
	for i := range r.Repeats {
		if rep := &r.Repeats[i]; rep.Counted() {
			if m := rep.Measurement(metric); m != nil {
				out = append(out, m.Value)
			}
		}
	}
	return out
}

// RunStatus is the state of a run.
type RunStatus string

// The states of a run.
const (
	RunRunning     RunStatus = "running"
	RunDone        RunStatus = "done"
	RunPartial     RunStatus = "partial" // some of what was planned has no result
	RunInterrupted RunStatus = "interrupted"
	RunFailed      RunStatus = "failed"
)

// ImportSuite is the suite of a run that was made of imported tool output.
const ImportSuite = "import"

// Run is one invocation of assay run: its inventory and what was measured.
type Run struct {
	ID        string        `json:"id"`
	Suite     string        `json:"suite"`
	Version   string        `json:"version"` // of assay
	Started   time.Time     `json:"started"`
	Elapsed   time.Duration `json:"elapsed"`
	Status    RunStatus     `json:"status"`
	Seed      int64         `json:"seed"` // of the order of repeats
	Budget    time.Duration `json:"budget"`
	Inventory Inventory     `json:"inventory"`
	Results   []Result      `json:"results"`
	Findings  []Finding     `json:"findings,omitempty"`
	Notes     []Note        `json:"notes,omitempty"`
	// Labels are the user's labels for the run, Remarks the remarks on it.
	Labels  map[string]string `json:"labels,omitempty"`
	Remarks []Remark          `json:"remarks,omitempty"`
}
