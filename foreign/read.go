package foreign

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"assay"
	"assay/table"
)

// Item is one result that was read, with where it stood.
type Item struct {
	assay.Result
	File string
	Line int // of the file, where the output begins
}

// Reading is what was found in one or several inputs.
type Reading struct {
	Items  []Item
	Facts  map[string]assay.Facts // that outputs told, by host; "" where none is named
	Unread []Unread

	ids map[string]int
}

// Why an input as a whole gave nothing.
var (
	// ErrNothing: nothing in it was recognised.
	ErrNothing = errors.New("nothing in it was recognised")
	// ErrUnread: what was recognised could not be read; the error has the words
	// of the first such place, and Unread has all of them.
	ErrUnread = errors.New("")
)

// Read reads one input. Figures have the lines of the file. An error says why
// the input as a whole gave nothing, or why it could not be read to its end;
// what was found before is kept. Memory is bounded, whatever the input is.
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
		rest.add(line, text)
	}
	found := len(r.Items)
	err = c.run(lines)
	r.addTable(file, table.Blog(rest.text))
	f.fail = append(f.fail, c.unread...)
	if c.dropped > 0 {
		f.fail = append(f.fail, Unread{Line: lines.n, Why: fmt.Sprintf("%d more places that could not be read", c.dropped)})
	}
	for _, u := range f.fail {
		u.File = file
		r.Unread = append(r.Unread, u)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", file, err)
	case len(r.Items) == found && f.learned == 0 && len(f.fail) > 0:
		u := f.fail[0]
		return assay.WithHint(u.Hint, "%s: %s%w", place(file, u.Line), u.Why, ErrUnread)
	case len(r.Items) == found && f.learned == 0:
		return assay.WithHint("paste the output of a tool with the command line before it: assay audit --help lists the tools",
			"%s: %w; it looks like %s", file, ErrNothing, f.looks.words())
	}
	return nil
}

// reading is the work on one file.
type reading struct {
	to      *Reading
	file    string
	seen    *history
	looks   *looks
	learned int
	fail    []Unread
}

// take reads one excerpt.
func (f *reading) take(x excerpt) {
	tool := x.reader.Format().Tool
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
		} else if x.sure {
			f.unread(x, err)
		}
	}
	measurer, ok := x.reader.(assay.Measurer)
	if !ok {
		return
	}
	measurements, err := parse(measurer, tr)
	if err != nil {
		f.unread(x, err)
	}
	if len(measurements) > 0 {
		f.add(x, tr, host, measurements)
	}
}

// parse calls a parser. One that panics is a fault of assay's: the output is
// then unread like any other, and the rest of the file is not lost.
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
	f := x.reader.Format()
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
	if len(f.fail) < mostUnread {
		f.fail = append(f.fail, Unread{Line: x.line, Why: inFile(err.Error(), x.line), Hint: assay.Hint(err)})
	}
}

// lineNumber is how readers name a line of what they were given.
var lineNumber = regexp.MustCompile(`\bline (\d{1,9})\b`)

// inFile makes the lines that a reader names lines of the file; first is where
// its excerpt begins.
func inFile(why string, first int) string {
	return lineNumber.ReplaceAllStringFunc(why, func(text string) string {
		n, _ := strconv.Atoi(text[len("line "):])
		return "line " + strconv.Itoa(n+first-1)
	})
}

// add makes results of the figures of one output: one for each job and host.
func (f *reading) add(x excerpt, tr assay.Transcript, host string, all []assay.Measurement) {
	type key struct{ job, host string }
	var order []key
	byKey := map[key][]assay.Measurement{}
	for _, m := range all {
		m.Line += x.line - 1
		k := key{m.Labels["job"], m.Labels["host"]}
		if byKey[k] == nil {
			order = append(order, k)
		}
		byKey[k] = append(byKey[k], m)
	}
	for _, k := range order {
		on := host
		if k.host != "" {
			on = k.host
		}
		f.to.Items = append(f.to.Items, f.to.item(f.file, x.line, tr, on, k.job, byKey[k]))
		f.seen.result(on, f.to.Items[len(f.to.Items)-1])
	}
}

// item makes one result. Its id says where it stands.
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

// id is a name that no other result has.
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

// subjectOf says what kind of thing figures are of. Storage is what the given
// facts are about, a directory, or a drive where a device was named.
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
	"net": assay.KindNetwork, "pool": assay.KindPool, "object": assay.KindBucket, "migration": assay.KindGuest,
}

// label sets a label of figures without touching those that share the map.
func label(all []assay.Measurement, metricStem, key, value string) {
	for i := range all {
		if !strings.HasPrefix(all[i].Metric, metricStem) {
			continue
		}
		labels := maps.Clone(all[i].Labels)
		if labels == nil {
			labels = map[string]string{}
		}
		if value == "" {
			delete(labels, key)
		} else {
			labels[key] = value
		}
		all[i].Labels = labels
	}
}
