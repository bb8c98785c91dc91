package yamldoc

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"assay/internal/order"
)

// Position is a position in a file; both fields count from 1.
type Position struct{ Line, Column int }

// Start is the beginning of a file.
var Start = Position{1, 1}

func positionOf(t *token.Token) Position {
	if t == nil || t.Position == nil {
		return Start
	}
	return Position{t.Position.Line, t.Position.Column}
}

// fault is one error and its position. A wrapped error keeps its hint.
type fault struct {
	at  Position
	err error
}

// File collects the faults of a file.
type File struct {
	name   string
	faults []fault
}

// mostFaults is as many as somebody will fix in one go.
const mostFaults = 20

// Fault records a fault at a position in the file. Like fmt.Errorf it supports %w.
func (f *File) Fault(at Position, format string, args ...any) {
	f.faults = append(f.faults, fault{at, fmt.Errorf(format, args...)})
}

// Faults returns the number of faults.
func (f *File) Faults() int { return len(f.faults) }

// Err returns the faults in file order, one per line; nil if there are none.
func (f *File) Err() error {
	order.Stable(f.faults, func(a, b fault) int {
		return cmp.Or(cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.at.Column, b.at.Column))
	})
	f.faults = slices.CompactFunc(f.faults, func(a, b fault) bool { return a.at == b.at && a.err.Error() == b.err.Error() })
	var errs []error
	for i, one := range f.faults {
		if i == mostFaults {
			errs = append(errs, fmt.Errorf("%s: and %d more", f.name, len(f.faults)-mostFaults))
			break
		}
		errs = append(errs, fmt.Errorf("%s:%d:%d: %w", f.name, one.at.Line, one.at.Column, one.err))
	}
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// Limits of a file: far more than people write, but small enough that no text keeps
// the parser busy.
const (
	longestFile = 1 << 20 // B
	deepest     = 16      // values within values
)

// Parse returns the non-empty documents of a file. Invalid YAML is a fault, and
// gives no documents.
func Parse(name string, text []byte) (*File, []Node) {
	f := &File{name: name}
	if len(text) > longestFile {
		f.Fault(Start, "longer than %d KiB", longestFile>>10)
		return f, nil
	}
	if line := tooDeep(text); line > 0 {
		f.Fault(Position{line, 1}, "nested too deeply")
		return f, nil
	}
	parsed, err := parser.ParseBytes(text, 0)
	if err != nil {
		var said yaml.Error
		if errors.As(err, &said) {
			f.Fault(positionOf(said.GetToken()), "%s", strings.TrimSpace(said.GetMessage()))
		} else {
			f.Fault(Start, "%w", err)
		}
		return f, nil
	}
	var docs []Node
	for _, d := range parsed.Docs {
		if d == nil || d.Body == nil {
			continue
		}
		at := Start
		if len(docs) > 0 {
			at = positionOf(d.Start)
		}
		docs = append(docs, Node{file: f, value: d.Body, At: at, KeyAt: at})
	}
	return f, docs
}

// tooDeep returns the first line that opens more brackets or indents further than
// people do; 0 if none does.
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
