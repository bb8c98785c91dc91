package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"assay"
	"assay/ingest/named"
)

// Limits for one file.
const (
	mostText     = 8 << 20  // B of text per output
	usualText    = 6 << 10  // B, room for most outputs
	mostExcerpts = 2000     // outputs per file
	mostFigures  = 40_000   // figures per file
	mostBroken   = 64       // unclosed documents, after which a brace is just a brace
	mostOnLine   = 64       // documents in one line, with text in between
	mostReread   = 16 << 20 // B reread as text because a document did not close
	mostLater    = 12       // lines allowed between a command and its output
	mostBelow    = 3        // lines from a heading to its output
	mostUnread   = 50       // per file, reported individually
	leastBegins  = 3        // letters in a line that starts an output or is a command
)

// Unread is a place that could not be read, and why.
type Unread struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Why  string `json:"why"`
	Hint string `json:"hint,omitempty"`
}

// cutter cuts a text into excerpts.
type cutter struct {
	readers []assay.Reader
	formats []assay.Format
	heads   []func(line string) bool // of all formats that have headings
	byProg  map[string]assay.Reader
	take    func(excerpt) (figures int, read bool) // how many figures were read, and whether anything was
	typed   func(command)
	plain   func(line int, text string) // lines outside any output
	seen    func(raw []byte)            // every line; may be nil

	most     int  // B of one JSON document, and of one whole output
	line     int  // the present one
	later    bool // this is a later piece of the line
	more     bool // it continues in the next piece
	open     *excerpt
	pending  *command // typed, without output yet
	untold   *command // typed, may continue on the next line
	heading  heading  // the last
	doc      *document
	docLine  int
	broken   int
	reread   int // B of unclosed documents
	excerpts int
	figures  int
	full     bool // too many outputs
	unread   []Unread
	dropped  int // unread places not kept
}

func newCutter(readers []assay.Reader) *cutter {
	c := &cutter{readers: readers, most: mostDocument, byProg: map[string]assay.Reader{}}
	for _, r := range readers {
		f := r.Format()
		c.formats = append(c.formats, f)
		if f.Heads != nil {
			c.heads = append(c.heads, f.Heads)
		}
		for _, program := range f.Commands {
			if c.byProg[program] == nil {
				c.byProg[program] = r
			}
		}
	}
	return c
}

func (c *cutter) known(program string) bool { return c.byProg[program] != nil }

// run cuts a whole input.
func (c *cutter) run(in *lineReader) error {
	for {
		raw, err := in.next()
		if errors.Is(err, io.EOF) {
			c.finish()
			return nil
		}
		if err != nil {
			c.finish()
			return err
		}
		c.line, c.later, c.more = in.n, in.later, in.more
		if c.seen != nil && !c.later {
			c.seen(raw)
		}
		c.feed(raw)
		if c.full {
			return nil
		}
		if c.more && c.doc == nil {
			c.finish()
			return tooLong(c.line)
		}
	}
}

func (c *cutter) finish() {
	for c.doc != nil {
		c.breakOff("the end of the file")
	}
	c.close()
	c.tell()
}

// tell reports the last typed command once it is complete.
func (c *cutter) tell() {
	if c.untold != nil && c.typed != nil {
		c.typed(*c.untold)
	}
	c.untold = nil
}

// feed takes a line, or a piece of a long one.
func (c *cutter) feed(raw []byte) {
	begun := c.later // not the start of a line: prefixes and escapes are done
	for range mostOnLine {
		for c.doc != nil {
			line := raw
			if !begun {
				if line = cleanJSON(raw); !canGoOn(line) {
					c.breakOff(fmt.Sprintf("line %d", c.line))
					continue
				}
			}
			rest, done := c.document(line)
			switch {
			case done:
			case c.doc.depth > deepest:
				c.broken = mostBroken
				c.breakOff(fmt.Sprintf("line %d", c.line))
				continue
			default:
				return
			}
			if len(bytes.TrimSpace(rest)) == 0 {
				return
			}
			raw, begun = rest, c.opens(string(rest[:min(len(rest), usualText)]))
		}
		if c.more && !c.mayOpen(string(raw[:min(len(raw), usualText)])) {
			return
		}
		line := clean(raw)
		if c.text(line); c.doc == nil {
			return
		}
		raw, begun = []byte(line), true
	}
	c.doc = nil
}

func (c *cutter) mayOpen(line string) bool { return c.broken < mostBroken && opensDocument(line) }

// opens starts a document if the line opens one.
func (c *cutter) opens(line string) bool {
	if !c.mayOpen(line) {
		return false
	}
	c.doc, c.docLine = &document{most: c.most}, c.line
	return true
}

// text processes a line outside JSON documents. It may be the first line of one.
func (c *cutter) text(line string) {
	if c.open != nil && c.open.sure {
		if within := c.open.format.Within; within != nil && within(line) {
			c.add(line)
			return
		}
	}
	if isFence(line) {
		c.close()
		if line = besideFence(line); line == "" {
			return
		}
	}
	if before, closes := strings.CutSuffix(line, "```"); closes {
		line = before
		defer c.close()
	}
	if isHeading(line) {
		c.close()
	}
	if u := c.untold; u != nil && c.line == u.line+u.more+1 && strings.HasSuffix(u.text, `\`) {
		u.text = strings.TrimSuffix(u.text, `\`) + " " + strings.TrimSpace(line)
		u.more++
		c.running(line)
		if c.open != nil && c.open.command == u {
			c.open.line = c.line + 1
		}
		return
	}
	if c.opens(line) {
		return
	}
	if c.open == nil && len(line) < leastBegins {
		c.running(line)
		return
	}
	if reader, f := c.beginning(line); reader != nil {
		c.begin(reader, f, line)
		return
	}
	c.noteHeading(line)
	if typed, ok := promptIn(line, c.known); ok {
		c.prompt(typed)
		c.running(line)
		return
	}
	if dropsCaches(line) {
		c.close() // what was read or written before it
		c.tell()
		if c.typed != nil {
			c.typed(command{text: line, line: c.line})
		}
		c.running(line)
		return
	}
	if t := named.Of(line); t != nil && !t.Log {
		c.close()
	}
	if c.open != nil {
		c.add(line)
		return
	}
	c.running(line)
}

// add adds a line to the open output: one line in is one line out.
func (c *cutter) add(line string) {
	if c.open.line+c.open.lines > c.line {
		c.open.addRest(line)
		return
	}
	c.open.add(line)
}

// running passes a line on as running text. Commands are part of it: their
// results may be in a table below.
func (c *cutter) running(line string) {
	if c.plain != nil {
		c.plain(c.line, line)
	}
}

// beginning finds the tool whose output starts with a line. The tool of the
// open output is tried first.
func (c *cutter) beginning(line string) (assay.Reader, assay.Format) {
	if line == "" {
		return nil, assay.Format{}
	}
	if c.open != nil {
		if f := c.open.format; f.Begins != nil && f.Begins(line) {
			return c.open.reader, f
		}
	}
	for i, f := range c.formats {
		if f.Begins != nil && f.Begins(line) {
			return c.readers[i], f
		}
	}
	return nil, assay.Format{}
}

func (c *cutter) begin(reader assay.Reader, f assay.Format, line string) {
	if c.goesOn(f, []byte(line)) {
		c.open.sure = true
		c.add(line)
		return
	}
	c.start(reader, f, c.line)
	c.open.sure = true
	c.add(line)
}

// goesOn reports whether a new piece belongs to the open output.
func (c *cutter) goesOn(f assay.Format, next []byte) bool {
	if c.open == nil || c.open.format.Tool != f.Tool {
		return false
	}
	if !c.open.sure {
		return false // text between the command and this is not its output
	}
	return f.Splits != nil && !f.Splits(c.open.text, string(next))
}

// start opens an output and attaches the command typed before it.
func (c *cutter) start(reader assay.Reader, f assay.Format, line int) {
	typed := c.pending
	last := c.open
	if last != nil && !last.sure {
		typed, c.open = last.command, nil
		c.giveBack(last)
	}
	c.close()
	c.open = &excerpt{reader: reader, format: f, line: line}
	if typed != nil && line-typed.line-typed.more <= mostLater && c.runs(typed, f) {
		c.open.command = typed
	}
	if h := c.heading; h.line != 0 && line-h.line <= mostBelow && f.Heads != nil && f.Heads(h.text) {
		c.open.under(h)
		if last != nil && last.sure && last.format.Tool == f.Tool {
			c.open.command = last.command // which has a heading for each of its outputs
		}
	}
	c.pending, c.heading = nil, heading{}
}

// runs reports whether a command line starts the tool whose output follows.
func (c *cutter) runs(typed *command, f assay.Format) bool {
	argv := programIn(typed.text, c.known)
	return argv != nil && c.byProg[argv[0]] != nil && contains(f.Commands, argv[0])
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// prompt closes the open output. If the command starts a readable tool, its
// output is expected from the next line on.
func (c *cutter) prompt(typed command) {
	c.heading = heading{}
	c.close()
	c.tell()
	typed.line, typed.text = c.line, strings.TrimSpace(typed.text)
	c.pending, c.untold = &typed, &typed
	argv := programIn(typed.text, c.known)
	if argv != nil {
		reader := c.byProg[path.Base(argv[0])]
		c.open = &excerpt{reader: reader, format: reader.Format(), line: c.line + 1, command: &typed}
	}
}

// close hands on the open output.
func (c *cutter) close() {
	x := c.open
	c.open = nil
	if x == nil || x.reader == nil {
		return
	}
	if !x.sure && len(bytes.TrimSpace(x.text)) == 0 {
		return // no output yet; it may come in the next block
	}
	if c.pending == x.command {
		c.pending = nil
	}
	c.tell()
	if c.excerpts++; c.excerpts > mostExcerpts || c.figures > mostFigures {
		if !c.full {
			c.full = true
			c.fail(x.line, fmt.Sprintf("more than %d outputs or %d figures in one file: the rest is ignored", mostExcerpts, mostFigures), "split the file")
		}
		return
	}
	figures, read := c.take(*x)
	c.figures += figures
	if !read && !x.sure {
		c.giveBack(x)
	}
}

// giveBack turns text that merely followed a command into running text: there
// may be a table in it.
func (c *cutter) giveBack(x *excerpt) {
	if c.plain == nil || len(x.text) == 0 {
		return
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(x.text), "\n"), "\n") {
		c.plain(x.line+i, line)
	}
}

// textOnly processes a line that has a brace but opens no document.
func (c *cutter) textOnly(line string) {
	broken := c.broken
	c.broken = mostBroken
	c.text(line)
	c.broken = broken
}

// whatIs names the tool that printed an unsupported output.
func whatIs(t *named.Tool) string { return "this is " + t.Name + ": " + t.About }

func (c *cutter) fail(line int, why, hint string) {
	if len(c.unread) >= mostUnread {
		c.dropped++
		return
	}
	c.unread = append(c.unread, Unread{Line: line, Why: why, Hint: hint})
}
