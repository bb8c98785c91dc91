package ingest

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"assay"
	"assay/ingest/named"
	"assay/ingest/table"
	"assay/internal/lazyregexp"
)

// Item is one result that was read, and its position.
type Item struct {
	assay.Result
	File string
	Line int // in the file, where the output begins
}

// Reading is what was found in one or several inputs.
type Reading struct {
	Items  []Item
	Facts  map[string]assay.Facts // that outputs told, by host; "" where none is named
	Unread []Unread
	Tables []Table // as they were published
	Texts  []Text  // the inputs themselves; none unless KeepTexts
	// Keep keeps the output texts in their transcripts, for the store.
	Keep bool
	// KeepTexts fills Texts.
	KeepTexts bool

	ids map[string]int
}

// ErrNothing means that nothing in an input was recognised.
var ErrNothing = errors.New("nothing in it was recognised")

// UnreadError is why an input in which something was recognised gave nothing:
// the first place that could not be read. Reading.Unread has all.
type UnreadError struct{ Unread }

func (e UnreadError) Error() string { return place(e.File, e.Line) + ": " + e.Why }

// Read reads one input. Figures carry their line in the file. An error says why
// the whole input gave nothing or could not be read to its end; what was found
// before is kept. Memory is bounded for any input.
func (r *Reading) Read(file string, in io.Reader, readers []assay.Reader) error {
	lines, err := newLineReader(in)
	if err != nil {
		return fmt.Errorf("%s %w", file, err)
	}
	f := reading{to: r, file: file, seen: newHistory(), looks: newLooks()}
	c, rest := newCutter(readers), plain{}
	c.take, c.typed = f.take, f.seen.typed
	c.plain = func(line int, text string) {
		f.looks.line(line, text)
		f.name(line, text)
		rest.add(line, text)
	}
	found, doubted := len(r.Items), len(r.Unread)
	if r.KeepTexts {
		r.Texts = append(r.Texts, Text{File: file})
		c.seen = r.Texts[len(r.Texts)-1].add
	}
	err = c.run(lines)
	r.addTable(file, table.Blog(rest.text))
	f.fail = append(f.fail, c.unread...)
	if c.dropped > 0 {
		f.fail = append(f.fail, Unread{Line: lines.n, Why: fmt.Sprintf("%d more parts that could not be read", c.dropped)})
	}
	for _, u := range f.fail {
		u.File = file
		r.Unread = append(r.Unread, u)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", file, err)
	case len(r.Items) == found && f.learned == 0 && len(r.Unread) > doubted:
		u := r.Unread[doubted]
		return assay.WithHint(u.Hint, "%w", UnreadError{u})
	case len(r.Items) == found && f.learned == 0:
		return assay.WithHint("paste the output of a tool with the command line before it: assay audit --help lists the tools",
			"%s: %w; it looks like %s", file, ErrNothing, f.looks.words())
	}
	return nil
}

// reading is the state of reading one file.
type reading struct {
	to      *Reading
	file    string
	seen    *history
	looks   *looks
	learned int
	fail    []Unread
	named   map[string]bool // unread tools that were already reported
}

// name reports a tool whose output is not read, once per file.
func (f *reading) name(line int, text string) {
	if len(text) < leastBegins {
		return
	}
	t := named.Of(text)
	if t == nil || f.named[t.Name] || len(f.fail) >= mostUnread {
		return
	}
	if f.named == nil {
		f.named = map[string]bool{}
	}
	f.named[t.Name] = true
	f.fail = append(f.fail, Unread{Line: line, Why: whatIs(t), Hint: t.Instead})
}

// take reads one excerpt and reports whether it held anything.
func (f *reading) take(x excerpt) (figures int, read bool) {
	tool := x.format.Tool
	tr := assay.Transcript{Probe: tool, Steps: []assay.Step{{
		Name: "measure", Argv: argvOf(x), Output: assay.Output{Stdout: x.text},
	}}}
	host := ""
	if x.command != nil {
		host = x.command.host
	}
	if learner, ok := x.reader.(assay.Learner); ok {
		facts := f.to.Facts[host]
		if err := learner.Learn(tr, &facts); err == nil {
			f.remember(host, facts)
			read = true
		} else if x.sure {
			f.unread(x, err)
		}
	}
	if measurer, ok := x.reader.(assay.Measurer); ok {
		measurements, err := parse(measurer, tr)
		if figures = len(measurements); figures > 0 {
			f.add(x, tr, host, measurements)
			read = true
		}
		if err != nil && (x.sure || read) {
			f.unread(x, err)
		}
	}
	if !read && !x.sure {
		f.complaint(x)
	}
	return figures, read
}

// parse calls a parser. A panic is a bug in assay: the output then counts as
// unread, and the rest of the file is still read.
func parse(m assay.Measurer, tr assay.Transcript) (found []assay.Measurement, err error) {
	defer func() {
		if p := recover(); p != nil {
			found, err = nil, assay.WithHint("please report it with the output", "the reader of %s failed: %v", tr.Probe, p)
		}
	}()
	return m.Parse(tr)
}

func argvOf(x excerpt) []string {
	if x.command == nil {
		return nil
	}
	f := x.format
	return programIn(x.command.text, func(program string) bool { return contains(f.Commands, program) })
}

func (f *reading) remember(host string, facts assay.Facts) {
	if f.to.Facts == nil {
		f.to.Facts = map[string]assay.Facts{}
	}
	f.to.Facts[host] = facts
	f.learned++
}

func (f *reading) unread(x excerpt, err error) {
	if errors.Is(err, assay.ErrNoOutput) && asksAboutItself(argvOf(x)) {
		return
	}
	if len(f.fail) < mostUnread {
		f.fail = append(f.fail, Unread{Line: x.line, Why: inFile(err.Error(), x.line), Hint: assay.Hint(err)})
	}
}

// lineNumber matches how readers name a line of their input.
var lineNumber = lazyregexp.New(`\bline (\d{1,9})\b`)

// inFile converts a reader's line numbers to those of the file; first is where
// its excerpt begins.
func inFile(why string, first int) string {
	return lineNumber.ReplaceAllStringFunc(why, func(text string) string {
		n, _ := strconv.Atoi(text[len("line "):])
		return "line " + strconv.Itoa(n+first-1)
	})
}

// complaint reports a program's own error message where its output should be.
// Anything else there is prose or from a sub-command that measures nothing.
func (f *reading) complaint(x excerpt) {
	argv := argvOf(x)
	if len(argv) == 0 {
		return
	}
	for i, line := range strings.SplitN(string(x.text), "\n", mostLater+1) {
		if i < mostLater && complains(line, argv[0]) {
			f.unread(excerpt{line: x.line + i}, errors.New(cut(strings.TrimSpace(line), 200)))
			return
		}
	}
}

// add turns the figures of one output into results, one per job and host.
func (f *reading) add(x excerpt, tr assay.Transcript, host string, all []assay.Measurement) {
	for i := range all {
		all[i].Line += x.line - 1
	}
	groups := byJob(all)
	for i, group := range groups {
		on, job := host, group[0].Labels["job"]
		if named := group[0].Labels["host"]; named != "" {
			on = named
		}
		kept := tr
		if !f.to.Keep || i > 0 && len(groups)*len(x.text) > mostCopies {
			kept = withoutText(tr)
		}
		f.to.Items = append(f.to.Items, f.to.item(f.file, x.line, kept, on, job, group))
		f.seen.result(on, f.to.Items[len(f.to.Items)-1])
	}
}

// withoutText returns a transcript with only its command line.
func withoutText(tr assay.Transcript) assay.Transcript {
	return assay.Transcript{Probe: tr.Probe, Steps: []assay.Step{{Name: tr.Steps[0].Name, Argv: tr.Steps[0].Argv}}}
}

// mostCopies bounds the total size of the transcripts of one output's jobs, in
// bytes: each holds the whole output.
const mostCopies = 32 << 20

// byJob groups figures by the labels job and host, in order.
func byJob(all []assay.Measurement) [][]assay.Measurement {
	type key struct{ job, host string }
	var groups [][]assay.Measurement
	at := map[key]int{}
	for from := 0; from < len(all); {
		k := key{all[from].Labels["job"], all[from].Labels["host"]}
		to := from + 1
		for to < len(all) && all[to].Labels["job"] == k.job && all[to].Labels["host"] == k.host {
			to++
		}
		if i, seen := at[k]; seen {
			groups[i] = append(groups[i], all[from:to]...)
		} else {
			at[k] = len(groups)
			groups = append(groups, all[from:to:to])
		}
		from = to
	}
	return groups
}

// Reparse parses the transcript of a result again, with the reader of its tool.
func Reparse(m assay.Measurer, t assay.Trial, tr assay.Transcript) ([]assay.Measurement, error) {
	all, err := parse(m, tr)
	if len(all) == 0 {
		return nil, err
	}
	_, word, _ := strings.Cut(t.From[max(0, strings.LastIndexByte(t.From, ':')):], ":")
	first, err := strconv.Atoi(word)
	if err != nil {
		return nil, fmt.Errorf("%s: no line of a file", t.From)
	}
	for _, group := range byJob(all) {
		if host := group[0].Labels["host"]; group[0].Labels["job"] != t.Case || host != "" && host != t.Subject.Host {
			continue
		}
		for i := range group {
			group[i].Line += first - 1
		}
		return group, nil
	}
	return nil, fmt.Errorf("%s: job %q is no longer in it: %w", t.From, t.Case, assay.ErrNoOutput)
}

// item builds one result. Its id states its position.
func (r *Reading) item(file string, line int, tr assay.Transcript, host, job string, all []assay.Measurement) Item {
	at := place(file, line)
	title := strings.TrimSpace(tr.Probe + " " + job)
	id := r.id(at + " " + title)
	return Item{File: file, Line: line, Result: assay.Result{
		Trial: assay.Trial{
			ID: id, Probe: tr.Probe, Case: job, Title: title, From: at,
			Subject: subjectOf(host, all), Risk: assay.Reads,
		},
		Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Transcript: tr, Measurements: all}},
	}}
}

// id makes a name unique among the results.
func (r *Reading) id(name string) string {
	if r.ids == nil {
		r.ids = map[string]int{}
	}
	if r.ids[name]++; r.ids[name] > 1 {
		return r.id(name + " #" + strconv.Itoa(r.ids[name]))
	}
	return name
}

func place(file string, line int) string { return file + ":" + strconv.Itoa(line) }

// subjectOf returns the subject of figures. Storage figures belong to the
// directory of the given facts, or to the drive if a device was named.
func subjectOf(host string, all []assay.Measurement) assay.Subject {
	kind, name := assay.KindDirectory, given
	for _, m := range all {
		family, _, _ := strings.Cut(m.Metric, ".")
		if k, ok := kinds[family]; ok {
			kind, name = k, string(k)
			break
		}
		if family == "storage" && strings.HasPrefix(m.Labels["file"], "/dev/") {
			kind, name = assay.KindDrive, disk
		}
	}
	return assay.Subject{ID: host + "/" + string(kind) + "/" + name, Kind: kind, Host: host, Name: name}
}

// The names that given facts use.
const (
	given = "given" // the directory that was measured
	disk  = "disk"  // the drive under it
)

var kinds = map[string]assay.SubjectKind{
	"cpu": assay.KindCPU, "memory": assay.KindMemory, "smart": assay.KindDrive, "thermal": assay.KindThermal,
	"net": assay.KindNetwork, "pool": assay.KindPool, "object": assay.KindBucket, "migration": assay.KindGuest, "failover": assay.KindFailover,
}

// label sets a label on figures without changing others that share the map.
func label(all []assay.Measurement, metricStem, key, value string) {
	changed := map[uintptr]map[string]string{} // copies by original map, so sharing is kept
	for i := range all {
		if !strings.HasPrefix(all[i].Metric, metricStem) || all[i].Labels[key] == value {
			continue
		}
		shared := reflect.ValueOf(all[i].Labels).Pointer()
		labels := changed[shared]
		if labels == nil {
			labels = maps.Clone(all[i].Labels)
			if labels == nil {
				labels = map[string]string{}
			}
			if value == "" {
				delete(labels, key)
			} else {
				labels[key] = value
			}
			changed[shared] = labels
		}
		all[i].Labels = labels
	}
}
