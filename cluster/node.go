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

	"assay/internal/nearest"
)

// node is one value of the file. what names it in faults: "port of host pve1".
type node struct {
	what         string
	key          string // that it stands under, "" for an element of a list
	keyed        bool   // the key is a word
	value        ast.Node
	line, column int
}

// fault is one thing that is wrong, and where.
type fault struct {
	line, column int
	text         string
}

// reader collects faults: a file is told all that is wrong with it at once.
type reader struct {
	file   string
	faults []fault
}

// mostFaults is as many as somebody will mend in one go.
const mostFaults = 20

func (r *reader) fault(n node, format string, args ...any) {
	r.faults = append(r.faults, fault{n.line, n.column, fmt.Sprintf(format, args...)})
}

// err gives the faults in the order of the file, one a line; nil without any.
func (r *reader) err() error {
	slices.SortStableFunc(r.faults, func(a, b fault) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
	r.faults = slices.Compact(r.faults)
	var errs []error
	for i, f := range r.faults {
		if i == mostFaults {
			errs = append(errs, fmt.Errorf("%s: and %d more", r.file, len(r.faults)-mostFaults))
			break
		}
		errs = append(errs, fmt.Errorf("%s:%d:%d: %s", r.file, f.line, f.column, f.text))
	}
	return errors.Join(errs...)
}

// Bounds on a file: far more than a cluster needs, and little enough that no
// text keeps the parser busy.
const (
	longestFile = 1 << 20 // B
	deepest     = 16      // values within values
)

// parse gives the one mapping that the file is; ok is false after a fault.
func (r *reader) parse(text []byte) (root node, ok bool) {
	start := node{what: "the file", line: 1, column: 1}
	if len(text) > longestFile {
		r.fault(start, "longer than %d KiB", longestFile>>10)
		return start, false
	}
	if line := tooDeep(text); line > 0 {
		r.fault(node{line: line, column: 1}, "nested too deeply")
		return start, false
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		var said yaml.Error
		if errors.As(err, &said) {
			r.fault(start.at(said.GetToken()), "%s", strings.TrimSpace(said.GetMessage()))
		} else {
			r.fault(start, "%v", err)
		}
		return start, false
	}
	var bodies []ast.Node
	for _, d := range file.Docs {
		if d != nil && d.Body != nil {
			bodies = append(bodies, d.Body)
		}
	}
	switch len(bodies) {
	case 0:
		r.fault(start, "there are no hosts in it; for example %q", "hosts: {pve1: 10.0.0.1}")
		return start, false
	case 1:
		start.value = bodies[0]
		return start, true
	}
	r.fault(start.at(bodies[1].GetToken()), "a second document; one file is one cluster")
	return start, false
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

func (n node) at(t *token.Token) node {
	if t != nil && t.Position != nil {
		n.line, n.column = t.Position.Line, t.Position.Column
	}
	return n
}

// fields are what may stand in a mapping, each with what reads it.
type fields map[string]func(node)

// read calls the function of each key that is there, in the order of the file.
func (r *reader) read(n node, known fields) {
	var names []string
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, value := range r.pairs(n) {
		do, ok := known[value.key]
		if !ok {
			value = value.onKey(n)
			r.fault(value, "%s has no %.40q%s", n.what, value.key, meant(value.key, names))
			continue
		}
		value.what = value.key + " of " + n.what
		if n.value.GetToken() != nil && n.key == "" && n.what == "the file" {
			value.what = value.key
		}
		do(value)
	}
}

func meant(word string, names []string) string {
	if near := nearest.Name(word, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	if len(names) == 0 {
		return ""
	}
	return "; known are " + strings.Join(names, ", ")
}

// pairs gives the values of a mapping in their order. Anything else is a fault.
func (r *reader) pairs(n node) []node {
	var pairs []*ast.MappingValueNode
	switch m := n.value.(type) {
	case *ast.MappingNode:
		pairs = m.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{m}
	default:
		r.fault(n, "%s is %s; expected NAME: VALUE", n.what, kindOf(n.value))
		return nil
	}
	var all []node
	for _, p := range pairs {
		key, ok := word(p.Key)
		place := node{what: n.what, key: key, value: p.Value}.at(p.Key.GetToken())
		if !ok {
			r.fault(place, "%s: a key that is no plain word%s", n.what, oddity(p.Key))
			continue
		}
		// A value on its own is found by itself, a mapping by its key: its own
		// position is that of its first colon.
		if _, single := word(p.Value); single {
			place = place.at(p.Value.GetToken())
		}
		all = append(all, place)
	}
	return all
}

// onKey points a value's node at its key again.
func (n node) onKey(parent node) node {
	pairs, _ := parent.value.(*ast.MappingNode)
	single, _ := parent.value.(*ast.MappingValueNode)
	if single != nil {
		return n.at(single.Key.GetToken())
	}
	for _, p := range pairs.Values {
		if p.Value == n.value {
			return n.at(p.Key.GetToken())
		}
	}
	return n
}

// items gives the elements of a list. Anything else is a fault.
func (r *reader) items(n node) []node {
	list, ok := n.value.(*ast.SequenceNode)
	if !ok {
		r.fault(n, "%s is %s; expected a list, as in [a, b]", n.what, kindOf(n.value))
		return nil
	}
	var all []node
	for _, v := range list.Values {
		all = append(all, node{what: n.what, value: v, line: n.line, column: n.column}.at(v.GetToken()))
	}
	return all
}

func (n node) empty() bool { return n.value == nil || n.value.Type() == ast.NullType }

func (n node) isMap() bool {
	return n.value != nil && (n.value.Type() == ast.MappingType || n.value.Type() == ast.MappingValueType)
}

// word gives a single value as it is written.
func word(v ast.Node) (string, bool) {
	switch v := v.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		if t := v.GetToken(); t != nil {
			return t.Value, true
		}
	}
	return "", false
}

// kindOf says what a value is, in words.
func kindOf(v ast.Node) string {
	switch v := v.(type) {
	case nil, *ast.NullNode:
		return "empty"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "the number " + v.GetToken().Value
	case *ast.BoolNode:
		return v.GetToken().Value
	case *ast.StringNode:
		return fmt.Sprintf("the word %.40q", v.Value)
	default:
		return "no plain value" + oddity(v)
	}
}

// oddity names what of YAML is not read here.
func oddity(v ast.Node) string {
	switch v.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return " (anchors and aliases are not read: put what hosts have in common under defaults)"
	case *ast.TagNode:
		return " (tags are not read)"
	case *ast.LiteralNode:
		return " (a block of text)"
	case *ast.NullNode:
		return " (put null in quotes)"
	}
	return ""
}
