package yamldoc

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"assay/internal/nearest"
)

// Node is one value of a file, with its position. The zero value is a missing one.
type Node struct {
	// What the value is called in faults: "port of host pve1"; "" for the whole
	// file.
	What string
	// Key is the value's key, "" for an element of a list.
	Key string
	// At is the position of the value, KeyAt that of its key.
	At, KeyAt Position

	file  *File
	value ast.Node
}

// Fault records a fault at the value.
func (n Node) Fault(format string, args ...any) { n.file.Fault(n.At, format, args...) }

// FaultKey records a fault of the value as a whole, at its key.
func (n Node) FaultKey(format string, args ...any) { n.file.Fault(n.KeyAt, format, args...) }

// There reports whether the file has the value at all.
func (n Node) There() bool { return n.value != nil }

// Empty reports whether the value is missing or null.
func (n Node) Empty() bool { return n.value == nil || n.value.Type() == ast.NullType }

// IsList reports whether the value is a list.
func (n Node) IsList() bool { return n.value != nil && n.value.Type() == ast.SequenceType }

// IsMap reports whether the value is a mapping.
func (n Node) IsMap() bool {
	return n.value != nil && (n.value.Type() == ast.MappingType || n.value.Type() == ast.MappingValueType)
}

// Fields calls the function of each key present, in file order. A key without a
// function is a fault.
func (n Node) Fields(known map[string]func(Node)) {
	var names []string
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, value := range n.Pairs() {
		do, ok := known[value.Key]
		if !ok {
			value.FaultKey("%s has no %.40q%s", n.name(), value.Key, Meant(value.Key, names))
			continue
		}
		if n.What != "" {
			value.What += " of " + n.What
		}
		do(value)
	}
}

// Meant completes a fault about a word that is none of the names: with the
// nearest name, or all of them.
func Meant(word string, names []string) string {
	if near := nearest.Name(word, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	if len(names) == 0 {
		return ""
	}
	return "; known are " + strings.Join(names, ", ")
}

// Get returns the value of a key: a missing value if there is none, or if n is
// not a mapping.
func (n Node) Get(key string) Node {
	if n.IsMap() {
		for _, value := range n.Pairs() {
			if value.Key == key {
				return value
			}
		}
	}
	return Node{What: key, Key: key, file: n.file, At: n.At, KeyAt: n.KeyAt}
}

// Pairs returns the values of a mapping in order. Anything else is a fault.
func (n Node) Pairs() []Node {
	var pairs []*ast.MappingValueNode
	switch m := n.value.(type) {
	case *ast.MappingNode:
		pairs = m.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{m}
	default:
		n.Fault("%s is %s; expected NAME: VALUE", n.name(), n.Kind())
		return nil
	}
	var all []Node
	for _, p := range pairs {
		keyAt := positionOf(p.Key.GetToken())
		key, ok := scalar(p.Key)
		if !ok {
			n.file.Fault(keyAt, "%s: keys must be plain words%s", n.name(), oddity(p.Key))
			continue
		}
		// A scalar has its own position, a mapping that of its key: the parser
		// gives a mapping's position as that of its first colon.
		at := keyAt
		if _, single := scalar(p.Value); single {
			at = positionOf(p.Value.GetToken())
		}
		all = append(all, Node{What: key, Key: key, file: n.file, value: p.Value, At: at, KeyAt: keyAt})
	}
	return all
}

// Items returns the elements of a list. Anything else is a fault.
func (n Node) Items() []Node {
	list, ok := n.value.(*ast.SequenceNode)
	if !ok {
		n.Fault("%s is %s; expected a list, as in [a, b]", n.name(), n.Kind())
		return nil
	}
	var all []Node
	for _, v := range list.Values {
		at := positionOf(v.GetToken())
		all = append(all, Node{What: n.What, file: n.file, value: v, At: at, KeyAt: at})
	}
	return all
}

func (n Node) name() string {
	if n.What == "" {
		return "the file"
	}
	return n.What
}

// Word returns a scalar as written: 2.20 is not parsed as a number, nor yes as a
// boolean. ok is false for anything else, which is not a fault yet.
func (n Node) Word() (word string, ok bool) { return scalar(n.value) }

// Text returns a word that is not a number, boolean or mapping.
func (n Node) Text() (string, bool) {
	if s, ok := n.value.(*ast.StringNode); ok {
		return s.Value, true
	}
	n.Fault("%s is %s; expected a word", n.name(), n.Kind())
	return "", false
}

// Written returns a word, number, boolean or block of text as written.
func (n Node) Written() string {
	if word, ok := n.Word(); ok {
		return strings.TrimSpace(word)
	}
	if block, ok := n.value.(*ast.LiteralNode); ok && block.Value != nil {
		return strings.TrimSpace(block.Value.Value)
	}
	n.Fault("%s is %s; expected a word or a number", n.name(), n.Kind())
	return ""
}

// Truth returns a boolean.
func (n Node) Truth() bool {
	if b, ok := n.value.(*ast.BoolNode); ok {
		return b.Value
	}
	n.Fault("%s is %s; expected true or false", n.name(), n.Kind())
	return false
}

// Integer returns a whole number from least to most.
func (n Node) Integer(least, most int) int {
	if i, ok := n.value.(*ast.IntegerNode); ok {
		// The parser returns uint64 or int64, and another type for larger
		// values.
		if v, err := strconv.Atoi(fmt.Sprint(i.Value)); err == nil && v >= least && v <= most {
			return v
		}
	}
	n.Fault("%s is %s; expected a number from %d to %d", n.name(), n.Kind(), least, most)
	return 0
}

// Number returns a non-negative number.
func (n Node) Number() float64 {
	if word, ok := n.Word(); ok {
		if v, err := strconv.ParseFloat(word, 64); err == nil && v >= 0 && !math.IsInf(v, 0) {
			return v
		}
	}
	n.Fault("%s is %s; expected a number, 0 or more", n.name(), n.Kind())
	return 0
}

// Duration returns a duration such as 90s or 1h30m, above 0.
func (n Node) Duration() time.Duration {
	if word, ok := n.Word(); ok {
		if d, err := time.ParseDuration(word); err == nil && d > 0 {
			return d
		}
	}
	n.Fault("%s is %s; expected a time such as 90s or 1h30m", n.name(), n.Kind())
	return 0
}

// scalar returns a scalar as written.
func scalar(v ast.Node) (string, bool) {
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

// Kind describes a value in words.
func (n Node) Kind() string {
	switch v := n.value.(type) {
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
		return "not a plain value" + oddity(v)
	}
}

// oddity names the YAML feature that is not supported here.
func oddity(v ast.Node) string {
	switch v.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return " (anchors and aliases are not supported: put shared settings under defaults)"
	case *ast.TagNode:
		return " (tags are not supported)"
	case *ast.LiteralNode:
		return " (a block scalar)"
	case *ast.NullNode:
		return " (put null in quotes)"
	}
	return ""
}

// Clip shortens text quoted in a fault.
func Clip(word string) string {
	const most = 60
	if letters := []rune(word); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return word
}
