package ingest

import (
	"fmt"
	"strings"

	"assay/ingest/named"
)

// document adds a line to the open JSON document.
func (c *cutter) document(line []byte) (rest []byte, done bool) {
	if rest, done = c.doc.add(line, c.more); done {
		c.dispatch(false)
	}
	return rest, done
}

// dispatch passes the document to the tool that knows its keys.
func (c *cutter) dispatch(cut bool) {
	d, first := c.doc, c.docLine
	c.doc = nil
	if !d.whole() {
		c.fail(first, fmt.Sprintf("a JSON document of %d MB: at most %d are read", d.size/1e6, c.most/1e6), smaller)
		return
	}
	for i, f := range c.formats {
		if f.Accepts == nil || !f.Accepts(d.keys) {
			continue
		}
		if !c.goesOn(f, d.text) {
			c.start(c.readers[i], f, first)
		}
		// Blank lines stay: one line in is one line out.
		for c.open.line+c.open.lines < first {
			c.open.add("")
		}
		c.open.sure, c.open.cut = true, c.open.cut || cut
		c.open.lines += d.lines
		switch {
		case len(c.open.text) == 0:
			c.open.text = d.text
		case len(c.open.text)+len(d.text) <= c.most:
			c.open.text = append(c.open.text, d.text...)
		case !c.open.full:
			c.open.full = true
			c.fail(first, fmt.Sprintf("the documents of one output are larger than %d MB: the rest is ignored", c.most/1e6), smaller)
		}
		return
	}
	if t := named.OfKeys(d.keys); t != nil {
		c.fail(first, whatIs(t), t.Instead)
		return
	}
	why := "JSON from an unsupported tool"
	if len(d.keys) > 0 {
		why = fmt.Sprintf("JSON with the keys %s: from an unsupported tool", strings.Join(d.keys[:min(len(d.keys), 4)], ", "))
	}
	if cut {
		why += ", and truncated"
	}
	c.fail(first, why, "")
}

// smaller is the hint for documents that are too large.
const smaller = "shrink it with jq -c . FILE, or make the tool print less: fio --group_reporting, or json instead of json+; iperf3 -i 10"

// breakOff ends a document that does not close. If a tool knows its keys, it is
// passed on anyway: the reader reports what is missing. Anything else was not
// JSON: its lines are read as text, unless there are too many.
func (c *cutter) breakOff(at string) {
	c.broken++
	d, first := c.doc, c.docLine
	for _, f := range c.formats {
		if f.Accepts != nil && f.Accepts(d.keys) {
			c.dispatch(true)
			return
		}
	}
	c.doc = nil
	if d.size > mostText {
		c.fail(first, fmt.Sprintf("%d MB of JSON, cut off before %s", d.size/1e6, at), "keep the whole output")
		return
	}
	if len(d.keys) > 2 {
		c.fail(first, "JSON that is truncated before "+at, "keep the whole output")
	}
	if c.reread += d.size; c.reread > mostReread {
		c.broken = mostBroken
	}
	line, later, more := c.line, c.later, c.more
	c.line, c.later, c.more = first, false, false
	for text := range strings.Lines(string(d.text)) {
		text = strings.TrimSuffix(text, "\n")
		if c.line == first {
			c.textOnly(text)
		} else {
			c.feed([]byte(text))
		}
		c.line++
	}
	c.line, c.later, c.more = line, later, more
}
