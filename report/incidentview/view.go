package incidentview

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/incident"
	"assay/incident/alike"
	"assay/incident/blame"
	"assay/incident/decide"
	"assay/report/block"
)

// Collected is what one kind of record of a host yielded: the number of lines, or why
// there are none.
type Collected struct {
	Host   string `json:"host"`
	What   string `json:"what"`
	Lines  int    `json:"lines"`
	Told   string `json:"told,omitempty"`   // what it was, where it is one fact
	Absent string `json:"absent,omitempty"` // "not supported: …", "no data", "failed: …"
}

// Data is what JSON has besides the blocks.
type Data struct {
	Verdict   blame.Verdict     `json:"verdict"`
	Events    []incident.Event  `json:"events"`
	Lines     int               `json:"lines"`
	Collected []Collected       `json:"collected,omitempty"`
	Measured  []decide.Measured `json:"measured,omitempty"`
	Since     *Since            `json:"since,omitempty"`
	Pods      []Pod             `json:"pods,omitempty"`
	// Alike are known incidents with similar lines.
	Alike []alike.Match `json:"alike,omitempty"`
}

// Besides is everything besides the log and the verdict on it.
type Besides struct {
	Collected []Collected
	Measured  []decide.Measured
	Since     Since // without a run where there is none
	Pods      []Pod // that fail, if Kubernetes was queried
	Alike     []alike.Match
}

// Build returns the document of a diagnosis.
func Build(log incident.Log, v blame.Verdict, besides Besides) block.Document {
	data := Data{v, log.Events, log.Lines, besides.Collected, besides.Measured, nil, besides.Pods, Known(besides.Alike)}
	if besides.Since.Run != "" {
		data.Since = &besides.Since
	}
	d := block.Document{Name: "Diagnosis", Data: data}
	d.Add(headline(log, v))
	d.Add(shown(besides.Measured)...)
	switch {
	case v.Cause != nil:
		if len(besides.Collected) == 0 {
			d.Add(record(v.Cause.How))
		}
		d.Add(causeBlocks(*v.Cause)...)
		for _, c := range v.Rivals {
			d.Add(block.Heading{Level: 1, Text: "Less likely: " + c.Says, Aside: place(c)})
			d.Add(causeBlocks(c)...)
		}
	case len(v.Between) > 0:
		for _, c := range v.Between {
			d.Add(block.Heading{Level: 1, Text: capital(c.Says), Aside: place(c)})
			d.Add(causeBlocks(c)...)
		}
	}
	d.Add(pods(besides.Pods)...)
	d.Add(others(v)...)
	d.Add(since(data.Since)...)
	d.Add(missing(v, besides.Collected)...)
	d.Add(known(data.Alike)...)
	d.Add(timeline(log)...)
	return d
}

// headline is the verdict in one sentence.
func headline(log incident.Log, v blame.Verdict) block.Sentence {
	switch {
	case v.Cause != nil:
		said := block.Sentence{Is: block.Bad, Word: v.Cause.How.String(), Text: capital(v.Cause.Says) + where(*v.Cause) + ". Layer: " + string(v.Cause.Layer) + "."}
		if len(v.Rivals) > 0 {
			said.Text += " Less likely: " + strings.Join(words(v.Rivals), "; or ") + "."
		}
		if len(v.Open) > 0 {
			said.Text += " If it isn't that, check: " + layers(v.Open) + "."
		}
		return said
	case len(v.Between) > 0:
		causes := words(v.Between)
		if len(causes) == 1 {
			return block.Sentence{Is: block.Doubt, Word: "undecided", Text: "Undecided: possibly " + causes[0] + ". These lines aren't enough evidence to be sure; the commands below can settle it."}
		}
		return block.Sentence{Is: block.Doubt, Word: "undecided", Text: "Undecided between: " + strings.Join(causes, "; or ") + ". The commands below can tell them apart."}
	case len(log.Events) > 0:
		return block.Sentence{Is: block.Note, Word: "nothing", Text: "Nothing in " + lines(log.Lines) + " shows a fault."}
	default:
		return block.Sentence{Is: block.Note, Word: "nothing", Text: "Nothing in " + lines(log.Lines) + " is a known sign of a fault.", Advice: "give the kernel's log (journalctl -k -b all), smartctl -x of the drives and lsblk"}
	}
}

// record says how far to trust a verdict on hand-picked lines. Queried hosts show what
// such lines leave out.
func record(how blame.Sureness) block.Sentence {
	of := blame.Unseen(how)
	return block.Sentence{Is: block.Note, Word: "note", Text: fmt.Sprintf("Check before you act: in tests on logs that were new to assay, %d of %d verdicts this confident (%.0f %%) named the right layer.", of.Right, of.Verdicts(), 100*float64(of.Right)/float64(of.Verdicts()))}
}

// words returns what causes say, each once.
func words(causes []blame.Cause) []string {
	var all []string
	for _, c := range causes {
		if word := c.Says + where(c); !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

func place(c blame.Cause) string {
	return strings.Trim(where(c), " ()")
}

// where returns the device and host of a cause, in brackets.
func where(c blame.Cause) string {
	switch {
	case c.Device != "" && c.Host != "":
		return " (" + c.Device + " on " + c.Host + ")"
	case c.Device != "":
		return " (" + c.Device + ")"
	case c.Host != "":
		return " (on " + c.Host + ")"
	}
	return ""
}

func causeBlocks(c blame.Cause) block.Blocks {
	blocks := block.Blocks{block.Sentence{Text: c.Why}, evidence("Evidence", c.Evidence)}
	for _, s := range c.Cleared {
		blocks = append(blocks, block.Sentence{Is: block.Good, Word: "cleared", Text: capital(s) + "."})
	}
	return append(blocks, steps(c.Next)...)
}

func steps(all []blame.Step) block.Blocks {
	var blocks block.Blocks
	for _, s := range all {
		blocks = append(blocks, block.Sentence{Is: block.Next, Word: "next", Text: capital(s.What) + ":"})
		if s.Command != "" {
			blocks = append(blocks, block.Code{Text: s.Command})
		}
	}
	return blocks
}

// evidence quotes lines with their locations.
func evidence(title string, events []incident.Event) block.Block {
	t := block.Table{Title: title, Columns: []block.Column{{Heading: "where"}, {Heading: "when"}, {Heading: "lines", Right: true}, {Heading: "what it says"}}}
	for _, e := range events {
		t.Rows = append(t.Rows, block.Row{Cells: block.Words(source(e), when(e.First), count(e), e.Text)})
	}
	return t
}

func source(e incident.Event) string {
	if e.Source.File == "" {
		return fmt.Sprint(e.Source.Line)
	}
	return fmt.Sprintf("%s:%d", e.Source.File, e.Source.Line)
}

func count(e incident.Event) string { return fmt.Sprint(e.Count) }

func when(w incident.When) string {
	switch {
	case w.HasYear():
		return w.Wall.Format("2006-01-02 15:04:05")
	case !w.Wall.IsZero():
		return w.Wall.Format(time.Stamp)
	case w.Up > 0:
		return fmt.Sprintf("+%.1f s", w.Up.Seconds())
	}
	return "-"
}

// others says what else was found.
func others(v blame.Verdict) block.Blocks {
	var blocks block.Blocks
	if len(v.Leads) > 0 {
		blocks = append(blocks, block.Heading{Level: 1, Text: "What was done before"},
			block.Sentence{Text: "A lead, and no cause by itself: nothing here joins it to the errors."}, evidence("", v.Leads))
	}
	if len(v.Others) > 0 {
		blocks = append(blocks, block.Heading{Level: 1, Text: "Also seen"})
	}
	for _, c := range v.Others {
		blocks = append(blocks, block.Sentence{Is: block.Doubt, Word: c.How.String(), Text: capital(c.Says) + where(c) + ". " + c.Why, Sum: first(c)})
	}
	if len(v.Follows) > 0 {
		all := words(v.Follows)
		blocks = append(blocks, block.Details{Summary: "Considered, and explained by the above", Brief: "Considered, and explained by the above: " + strings.Join(all, "; ") + ".", Apart: true, Blocks: block.Blocks{block.List{Items: all}}})
	}
	return blocks
}

// first quotes the first line of a cause.
func first(c blame.Cause) string {
	if len(c.Evidence) == 0 {
		return ""
	}
	return source(c.Evidence[0]) + " " + c.Evidence[0].Text
}

// missing says what is missing: what would decide, and which records the queried
// hosts lack.
func missing(v blame.Verdict, collected []Collected) block.Blocks {
	var blocks block.Blocks
	if len(v.Missing) > 0 {
		blocks = append(blocks, block.Heading{Level: 1, Text: "What else would help"})
		blocks = append(blocks, steps(v.Missing)...)
	}
	if len(collected) == 0 {
		return blocks
	}
	t := block.Table{Title: "What was read", Columns: []block.Column{{Heading: "host"}, {Heading: "record"}, {Heading: "lines", Right: true}, {Heading: ""}}, Grouped: true}
	for _, c := range collected {
		row := block.Row{Cells: block.Words(c.Host, c.What, fmt.Sprint(c.Lines), c.Absent+c.Told)}
		if c.Absent != "" || c.Told != "" {
			row.Cells[2].Text = "-"
		}
		t.Rows = append(t.Rows, row)
	}
	return append(blocks, t)
}

// longestTimeline is the most events that a timeline shows.
const longestTimeline = 60

// timeline is what happened, in order, folded.
func timeline(log incident.Log) block.Blocks {
	if len(log.Events) == 0 {
		return nil
	}
	events := log.Events[:min(len(log.Events), longestTimeline)]
	t := block.Table{Columns: []block.Column{{Heading: "first"}, {Heading: "last", Minor: true}, {Heading: "host", Minor: true}, {Heading: "lines", Right: true}, {Heading: "what"}, {Heading: "device"}, {Heading: "where", Minor: true}}}
	for _, e := range events {
		last := "-"
		if e.Count > 1 {
			last = when(e.Last)
		}
		t.Rows = append(t.Rows, block.Row{Cells: block.Words(when(e.First), last, e.Host, count(e), string(e.Kind), e.Device, source(e))})
	}
	if n := len(log.Events) - len(events) + log.Dropped; n > 0 {
		t.Legend = fmt.Sprintf("%d later events are left out; --format json has them.", n)
	}
	return append(block.Blocks{block.Heading{Level: 1, Text: "What happened, in order"}, t}, drawn(log.Events)...)
}

// mostLanes is the most kinds of events, by device, that are drawn.
const mostLanes = 24

// drawn draws the events with comparable times, each kind and device in a lane, and each
// host apart if there are several.
func drawn(events []incident.Event) block.Blocks {
	start := slices.IndexFunc(events, func(e incident.Event) bool { return e.First.Known() })
	if start < 0 {
		return nil
	}
	zero := events[start].First
	several := slices.ContainsFunc(events, func(e incident.Event) bool { return e.Host != events[0].Host })
	first, last := 0., 0.
	var lanes []block.Lane
	var counts []int
	for _, e := range events {
		from, ok := e.First.Since(zero)
		to, tok := e.Last.Since(zero)
		if !ok || !tok {
			continue
		}
		name := strings.TrimSpace(string(e.Kind) + " " + e.Device)
		if several && e.Host != "" {
			name = e.Host + ": " + name
		}
		at := slices.IndexFunc(lanes, func(l block.Lane) bool { return l.Title == name })
		if at < 0 {
			if len(lanes) >= mostLanes {
				continue
			}
			at = len(lanes)
			lanes, counts = append(lanes, block.Lane{Title: name}), append(counts, 0)
		}
		first, last = min(first, from.Seconds()), max(last, to.Seconds())
		counts[at] += e.Count
		l := &lanes[at]
		l.Words = lines(counts[at])
		l.Stretches = append(l.Stretches, block.Stretch{From: block.Number(from.Seconds()), To: block.Number(to.Seconds()), Is: block.Bad, Text: lines(e.Count)})
	}
	if len(lanes) < 2 {
		return nil
	}
	margin := max((last-first)/20, .01)
	return block.Blocks{block.Heading{Level: 2, Text: "Drawn over time", Aside: "seconds since " + when(zero)}, block.Lanes{From: block.Number(first - margin), To: block.Number(last + margin), Lanes: lanes}}
}

// lines returns a count of lines in words.
func lines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
