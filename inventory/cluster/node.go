package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"assay/internal/nearest"
)

// node is one value of the file that knows where it stands.
type node struct {
	what  string // for faults: "port of host pve1"; "" for the whole file
	key   string // that it stands under, "" for an element of a list
	value ast.Node
	at    position
	keyAt position
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
			r.fault(value.keyAt, "%s has no %.40q%s", n.name(), value.key, meant(value.key, names))
			continue
		}
		if n.what != "" {
			value.what += " of " + n.what
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
		r.fault(n.at, "%s is %s; expected NAME: VALUE", n.name(), kindOf(n.value))
		return nil
	}
	var all []node
	for _, p := range pairs {
		keyAt := positionOf(p.Key.GetToken())
		key, ok := word(p.Key)
		if !ok {
			r.fault(keyAt, "%s: a key that is no plain word%s", n.name(), oddity(p.Key))
			continue
		}
		// A word is found where it stands, a mapping by its key: its own
		// position is that of its first colon.
		at := keyAt
		if _, single := word(p.Value); single {
			at = positionOf(p.Value.GetToken())
		}
		all = append(all, node{what: key, key: key, value: p.Value, at: at, keyAt: keyAt})
	}
	return all
}

// items gives the elements of a list. Anything else is a fault.
func (r *reader) items(n node) []node {
	list, ok := n.value.(*ast.SequenceNode)
	if !ok {
		r.fault(n.at, "%s is %s; expected a list, as in [a, b]", n.name(), kindOf(n.value))
		return nil
	}
	var all []node
	for _, v := range list.Values {
		at := positionOf(v.GetToken())
		all = append(all, node{what: n.what, value: v, at: at, keyAt: at})
	}
	return all
}

func (n node) name() string {
	if n.what == "" {
		return "the file"
	}
	return n.what
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
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
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
