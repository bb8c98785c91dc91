package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"assay"
	"assay/internal/nearest"
)

// node is one value of a YAML document that knows where it stands. One that is
// not there has no fields, no items and no text.
type node struct {
	doc          string // the document's name
	key          string // of the mapping that it is in
	value        ast.Node
	line, column int
}

// deepest is how far values may be nested: a document has five levels.
const deepest = 32

// parseYAML gives the mapping that a document is.
func parseYAML(name string, text []byte) (node, error) {
	if deep(text) {
		return node{}, fmt.Errorf("%s: nested too deeply", name)
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		var at yaml.Error
		if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
			p := at.GetToken().Position
			return node{}, fault(name, p.Line, p.Column, "%s", at.GetMessage())
		}
		return node{}, fmt.Errorf("%s: %w", name, err)
	}
	var bodies []ast.Node
	for _, d := range file.Docs {
		if d != nil && d.Body != nil {
			bodies = append(bodies, d.Body)
		}
	}
	switch len(bodies) {
	case 0:
		return node{}, fmt.Errorf("%s: %w", name, assay.ErrNoOutput)
	case 1:
	default:
		return node{}, fmt.Errorf("%s: contains more than one document", name)
	}
	root := at(name, "", bodies[0])
	if !root.isMap() {
		return node{}, root.fault("expected title, source, facts, defaults and rows")
	}
	return root, nil
}

// deep says that a text opens more flow brackets, or indents further, than any
// table does.
func deep(text []byte) bool {
	open := 0
	for line := range strings.Lines(string(text)) {
		if len(line)-len(strings.TrimLeft(line, " -?:")) > 4*deepest {
			return true
		}
		for _, c := range line {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open = max(open-1, 0)
			}
			if open > deepest {
				return true
			}
		}
	}
	return false
}

func at(doc, key string, value ast.Node) node {
	n := node{doc: doc, key: key, value: value, line: 1, column: 1}
	if value != nil && value.GetToken() != nil && value.GetToken().Position != nil {
		n.line, n.column = value.GetToken().Position.Line, value.GetToken().Position.Column
	}
	return n
}

func (n node) fault(format string, args ...any) error {
	return fault(n.doc, n.line, n.column, format, args...)
}

func (n node) there() bool { return n.value != nil && n.value.Type() != ast.NullType }

func (n node) isList() bool { return n.there() && n.value.Type() == ast.SequenceType }

func (n node) isMap() bool {
	return n.there() && (n.value.Type() == ast.MappingType || n.value.Type() == ast.MappingValueType)
}

func (n node) pairs() []*ast.MappingValueNode {
	switch v := n.value.(type) {
	case *ast.MappingNode:
		return v.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{v}
	}
	return nil
}

// get gives the value of a key, or one that is not there.
func (n node) get(key string) node {
	for _, p := range n.pairs() {
		if scalar(p.Key) == key {
			return n.under(p)
		}
	}
	return node{doc: n.doc, key: key, line: n.line, column: n.column}
}

// under is the value of a pair; errors about it point at its key.
func (n node) under(p *ast.MappingValueNode) node {
	found := at(n.doc, scalar(p.Key), p.Value)
	if t := p.Key.GetToken(); t != nil && t.Position != nil {
		found.line, found.column = t.Position.Line, t.Position.Column
	}
	return found
}

// fields gives the pairs of a mapping in their order; none where it is not
// there. Anything else, and a key that comes twice, is an error.
func (n node) fields() ([]node, error) {
	if !n.there() {
		return nil, nil
	}
	if !n.isMap() {
		return nil, n.fault("%sexpected keys and values", n.called())
	}
	var all []node
	seen := map[string]bool{}
	for _, p := range n.pairs() {
		f := n.under(p)
		if f.key == "" {
			return nil, f.fault("a key that is not a word")
		}
		if seen[f.key] {
			return nil, f.fault("duplicate key %q", f.key)
		}
		seen[f.key] = true
		all = append(all, f)
	}
	return all, nil
}

// items gives the elements of a list; none where it is not there.
func (n node) items() ([]node, error) {
	if !n.there() {
		return nil, nil
	}
	list, ok := n.value.(*ast.SequenceNode)
	if !ok {
		return nil, n.fault("%sexpected a list", n.called())
	}
	var all []node
	for _, v := range list.Values {
		all = append(all, at(n.doc, n.key, v))
	}
	return all, nil
}

// text gives a word or number as it is written; "" where it is not there.
func (n node) text() (string, error) {
	if !n.there() {
		return "", nil
	}
	switch n.value.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.LiteralNode, *ast.InfinityNode, *ast.NanNode:
		return strings.TrimSpace(scalar(n.value)), nil
	}
	return "", n.fault("%sexpected a word or a number", n.called())
}

func (n node) called() string {
	if n.key == "" {
		return ""
	}
	return n.key + " "
}

// scalar is what a value is written as.
func scalar(v ast.Node) string {
	switch v := v.(type) {
	case *ast.StringNode:
		return v.Value
	case *ast.LiteralNode:
		if v.Value == nil {
			return ""
		}
		return v.Value.Value
	case nil:
		return ""
	}
	if t := v.GetToken(); t != nil {
		return t.Value
	}
	return ""
}

// only says which key of a mapping does not belong there.
func (n node) only(what string, keys []string) error {
	fields, err := n.fields()
	if err != nil {
		return err
	}
	for _, f := range fields {
		if !slices.Contains(keys, f.key) {
			return f.fault("unknown key %.40q in %s%s", f.key, what, meant(nearest.Name(f.key, keys)))
		}
	}
	return nil
}
