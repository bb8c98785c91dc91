package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/audit"
	"assay/ingest"
	"assay/ingest/readers"
	"assay/ingest/userfacts"
	"assay/report"
	"assay/report/term"
)

// given holds the flags that describe the machine that some output came from.
type given struct {
	file  string
	words []string
}

func (g *given) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&g.file, "facts", "", "YAML file with facts about the machines that produced the output")
	cmd.Flags().StringArrayVar(&g.words, "fact", nil, "a fact that holds for all of these machines, for example pcie=gen3x4 or ram=32GiB; may be repeated")
}

// read returns the facts by host; "" applies to all.
func (g *given) read() (map[string]assay.Facts, error) {
	known := map[string]assay.Facts{}
	if g.file != "" {
		text, err := os.ReadFile(g.file)
		if err != nil {
			return nil, usage(fmt.Errorf("--facts: %w", err))
		}
		if known, err = userfacts.Read(g.file, text); err != nil {
			return nil, usage(err)
		}
	}
	for _, word := range g.words {
		all := known[""]
		if err := userfacts.Set(&all, word); err != nil {
			return nil, usage(assay.WithHint(assay.Hint(err), "--fact: %w", err))
		}
		known[""] = all
	}
	return known, nil
}

// factsHelp lists the facts that can be given.
func factsHelp() string {
	var b strings.Builder
	b.WriteString("Facts that --fact takes, and --facts FILE, one per line:\n")
	const left, right = 30, 49
	for _, w := range userfacts.Words() {
		example := w.Example
		for _, line := range term.Wrap(w.Help, right) {
			fmt.Fprintf(&b, "  %-*s%s\n", left-2, example, line)
			example = ""
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// toolsHelp lists the tools whose output can be read.
func toolsHelp() string {
	var names []string
	for _, r := range readers.All() {
		names = append(names, r.Format().Tool)
	}
	text := "Supported output: " + strings.Join(names, ", ") + " (smart is smartctl, migrate the log of a " +
		"Proxmox VE migration), and tables in Markdown, CSV and YAML."
	return strings.Join(term.Wrap(text, 79), "\n")
}

// namesFiles reports whether the arguments of audit are files rather than a run. A name
// of a run may look like that of a file, but is no path.
func namesFiles(args []string) bool {
	if len(args) != 1 {
		return len(args) > 1
	}
	_, err := os.Stat(args[0])
	return err == nil || args[0] == "-" || strings.Contains(args[0], "/")
}

// usualMemory is the size in bytes above which memory of finished documents is freed at
// once, not only after as much again has been allocated.
const usualMemory = 800 << 20

// readFiles reads every input. Unreadable ones are reported at once, and do not
// stop the others from being read; failed reports whether there were any. keep
// also keeps the output texts.
func (a *app) readFiles(names []string, keep bool) (all ingest.Reading, failed bool) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(usualMemory)
	}
	all.Keep, all.KeepTexts = keep, a.format == formatHTML && !keep
	for _, name := range names {
		err := a.readFile(&all, name)
		if err == nil {
			continue
		}
		failed = true
		a.stderr.complain(err)
		var unread ingest.UnreadError
		if !errors.As(err, &unread) {
			all.Unread = append(all.Unread, ingest.Unread{File: name, Line: 1, Why: strings.TrimPrefix(err.Error(), name+": "), Hint: assay.Hint(err)})
		}
	}
	return all, failed
}

func (a *app) readFile(all *ingest.Reading, name string) error {
	in := bufio.NewReaderSize(a.stdin, 64<<10)
	if name != "-" {
		f, err := a.openText(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in.Reset(f)
	} else {
		name = "stdin"
	}
	head, _ := in.Peek(4 << 10)
	if ingest.IsTable(name, head) {
		const most = 16 << 20
		text, err := io.ReadAll(io.LimitReader(in, most+1))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if len(text) > most {
			return fmt.Errorf("%s: table larger than %d MiB", name, most>>20)
		}
		return all.ReadTable(name, text)
	}
	return all.Read(name, in, readers.All())
}

// auditFiles reads other people's output, judges it and prints both, or explains
// one of its findings.
func (a *app) auditFiles(names []string, g given, explained string) error {
	known, err := g.read()
	if err != nil {
		return err
	}
	all, failed := a.readFiles(names, false)
	run := all.Run(known)
	run.Findings = judge(run)
	if explained != "" {
		return a.explain(all, run, explained)
	}
	if err := a.printReading(all, run); err != nil {
		return err
	}
	switch {
	case rejects(run.Findings):
		return &statusError{exitRejected, nil}
	case failed:
		return &statusError{exitUsage, nil}
	}
	return nil
}

// judge applies the rules to what was read.
func judge(run assay.Run) []assay.Finding {
	e := audit.Of(run)
	e.Give = userfacts.For
	return audit.Audit(e)
}

func (a *app) printReading(all ingest.Reading, run assay.Run) error {
	var unread []report.Unread
	for _, u := range all.Unread {
		unread = append(unread, report.Unread(u))
	}
	in := report.Read{Results: run.Results, Findings: run.Findings, Unread: unread, Known: run.Inventory.Facts}
	for _, t := range all.Tables {
		in.Tables = append(in.Tables, asPublished(t))
	}
	for _, t := range all.Texts {
		in.Texts = append(in.Texts, report.Text{File: t.File, Lines: t.Lines, More: t.More})
	}
	r := report.BuildReading(in)
	if len(r.Outputs) == 0 && len(all.Facts) == 0 && a.format == formatText {
		return nil // already explained
	}
	d := r.Document()
	if a.format == formatJSON {
		d.Data = readingData(all, run)
	}
	return a.show(d)
}

// asPublished converts a table, as it was read, for the report.
func asPublished(t ingest.Table) report.PrintedTable {
	p := report.PrintedTable{File: t.File, Line: t.Line, Caption: t.Caption, Header: t.Header}
	for _, r := range t.Rows {
		p.Rows = append(p.Rows, r.Cells)
	}
	for _, c := range t.Read {
		p.Cells = append(p.Cells, report.PrintedCell{Row: c.Row, Column: c.Column, Output: t.ID(c), Metric: c.Metric})
	}
	return p
}

// readData is what was read, in JSON output.
type readData struct {
	Measurements []readFigure    `json:"measurements"`
	Findings     []assay.Finding `json:"findings"`
	Facts        []assay.Facts   `json:"facts"`
	Unparsed     []ingest.Unread `json:"unparsed"`
}

// readFigure is a figure in JSON output.
type readFigure struct {
	Metric string            `json:"metric"`
	Value  float64           `json:"value"`
	Unit   assay.Unit        `json:"unit"`
	Labels map[string]string `json:"labels"`
	Source source            `json:"source"`
	// Subject is the subject of the findings about it.
	Subject string `json:"subject"`
}

type source struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

func readingData(all ingest.Reading, run assay.Run) readData {
	d := readData{Measurements: []readFigure{}, Findings: []assay.Finding{}, Facts: []assay.Facts{}, Unparsed: []ingest.Unread{}}
	for _, it := range all.Items {
		for _, rep := range it.Repeats {
			for _, m := range rep.Measurements {
				d.Measurements = append(d.Measurements, readFigure{m.Metric, m.Value, m.Unit, m.Labels, source{it.File, m.Line}, it.Trial.ID})
			}
		}
	}
	d.Findings = append(d.Findings, run.Findings...)
	for _, h := range run.Inventory.Hosts {
		d.Facts = append(d.Facts, run.Inventory.Facts[h.Name])
	}
	d.Unparsed = append(d.Unparsed, all.Unread...)
	return d
}
