package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// position is a place in the file, both from 1.
type position struct{ line, column int }

func positionOf(t *token.Token) position {
	if t == nil || t.Position == nil {
		return position{1, 1}
	}
	return position{t.Position.Line, t.Position.Column}
}

// fault is one thing that is wrong, and where.
type fault struct {
	at   position
	text string
}

// reader collects faults: a file is told all that is wrong with it at once.
type reader struct {
	file   string
	faults []fault
}

// mostFaults is as many as somebody will mend in one go.
const mostFaults = 20

func (r *reader) fault(at position, format string, args ...any) {
	r.faults = append(r.faults, fault{at, fmt.Sprintf(format, args...)})
}

// err gives the faults in the order of the file, one a line; nil without any.
func (r *reader) err() error {
	slices.SortStableFunc(r.faults, func(a, b fault) int {
		return cmp.Or(cmp.Compare(a.at.line, b.at.line), cmp.Compare(a.at.column, b.at.column))
	})
	r.faults = slices.Compact(r.faults)
	var errs []error
	for i, f := range r.faults {
		if i == mostFaults {
			errs = append(errs, fmt.Errorf("%s: and %d more", r.file, len(r.faults)-mostFaults))
			break
		}
		errs = append(errs, fmt.Errorf("%s:%d:%d: %s", r.file, f.at.line, f.at.column, f.text))
	}
	return errors.Join(errs...)
}

// Bounds on a file: far more than a cluster needs, and little enough that no
// text keeps the parser busy.
const (
	longestFile = 1 << 20 // B
	deepest     = 16      // values within values
)

// parse gives the one value that the file is; ok is false after a fault.
func (r *reader) parse(text []byte) (root node, ok bool) {
	start := position{1, 1}
	if len(text) > longestFile {
		r.fault(start, "longer than %d KiB", longestFile>>10)
		return node{}, false
	}
	if line := tooDeep(text); line > 0 {
		r.fault(position{line, 1}, "nested too deeply")
		return node{}, false
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		var said yaml.Error
		if errors.As(err, &said) {
			r.fault(positionOf(said.GetToken()), "%s", strings.TrimSpace(said.GetMessage()))
		} else {
			r.fault(start, "%v", err)
		}
		return node{}, false
	}
	var docs []*ast.DocumentNode
	for _, d := range file.Docs {
		if d != nil && d.Body != nil {
			docs = append(docs, d)
		}
	}
	switch len(docs) {
	case 0:
		r.fault(start, "there are no hosts in it; for example %q", "hosts: {pve1: 10.0.0.1}")
		return node{}, false
	case 1:
		return node{value: docs[0].Body, at: start, keyAt: start}, true
	}
	r.fault(positionOf(docs[1].Start), "a second document; one file is one cluster")
	return node{}, false
}

// tooDeep gives the first line that opens more brackets, or indents further,
// than any cluster.yaml does; 0 where none does.
func tooDeep(text []byte) int {
	open, n := 0, 0
	for line := range strings.Lines(string(text)) {
		n++
		if strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " -?:"))
		for _, c := range line {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open = max(open-1, 0)
			}
		}
		if open > deepest || indent > 8*deepest {
			return n
		}
	}
	return 0
}
