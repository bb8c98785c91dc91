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

// Position is a place in a file, both from 1.
type Position struct{ Line, Column int }

// Start is where a file begins.
var Start = Position{1, 1}

func positionOf(t *token.Token) Position {
	if t == nil || t.Position == nil {
		return Start
	}
	return Position{t.Position.Line, t.Position.Column}
}

// fault is one thing that is wrong, and where. An error as cause keeps its hint.
type fault struct {
	at  Position
	err error
}

// File collects what is wrong with a file.
type File struct {
	name   string
	faults []fault
}

// mostFaults is as many as somebody will mend in one go.
const mostFaults = 20

// Fault records what is wrong at a place of the file. Like fmt.Errorf it knows %w.
func (f *File) Fault(at Position, format string, args ...any) {
	f.faults = append(f.faults, fault{at, fmt.Errorf(format, args...)})
}

// Faults returns how many there are.
func (f *File) Faults() int { return len(f.faults) }

// Err returns the faults in the order of the file, one a line; nil without any.
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

// Bounds on a file: far more than people write, and little enough that no text keeps
// the parser busy.
const (
	longestFile = 1 << 20 // B
	deepest     = 16      // values within values
)

// Parse returns the documents of a file that hold anything. What is not YAML is a
// fault: then there are none.
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

// tooDeep returns the first line that opens more brackets, or indents further, than
// people do; 0 where none does.
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
