package jsondoc

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Node is one value of a document, possibly absent.
type Node struct {
	value gjson.Result
	lines *[]int // offsets at which lines after the first begin
	first int    // line on which the document begins
}

// Parse parses one document with nothing after it. first is the line of the
// output on which it begins, from 1.
func Parse(text []byte, first int) (Node, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return Node{}, errors.New("an empty document")
	}
	if !gjson.ValidBytes(text) {
		return Node{}, errors.New("not a whole JSON document")
	}
	var lines []int
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		lines = append(lines, at)
	}
	// gjson does not set the Index of a document's outermost value: it is 0,
	// which is a line or two early if blanks come first.
	return Node{value: gjson.ParseBytes(text), lines: &lines, first: first}, nil
}

// At follows keys down; the result does not exist if one is missing. Keys are
// literal: dots and stars mean nothing.
func (n Node) At(keys ...string) Node {
	for _, key := range keys {
		found := gjson.Result{}
		if n.value.IsObject() {
			n.value.ForEach(func(k, v gjson.Result) bool {
				if k.Str == key {
					found = v
					return false
				}
				return true
			})
		}
		n.value = found
	}
	return n
}

// Exists reports whether the value is there; null counts as absent.
func (n Node) Exists() bool { return n.value.Exists() && n.value.Type != gjson.Null }

// IsObject reports whether it is an object.
func (n Node) IsObject() bool { return n.value.IsObject() }

// IsList reports whether it is an array.
func (n Node) IsList() bool { return n.value.IsArray() }

// Line returns the line of the output that the value is on.
func (n Node) Line() int {
	if n.lines == nil {
		return n.first
	}
	return n.first + sort.SearchInts(*n.lines, n.value.Index+1)
}

// List returns the elements of an array; none for anything else.
func (n Node) List() []Node {
	if !n.IsList() {
		return nil
	}
	var all []Node
	n.value.ForEach(func(_, v gjson.Result) bool {
		all = append(all, Node{value: v, lines: n.lines, first: n.first})
		return true
	})
	return all
}

// Objects returns n, or the objects in its lists: their nesting depth depends on the version
// of the tool.
func (n Node) Objects() []Node { return n.objects(4) }

func (n Node) objects(depth int) []Node {
	if n.IsObject() {
		return []Node{n}
	}
	var all []Node
	if depth > 0 {
		for _, e := range n.List() {
			all = append(all, e.objects(depth-1)...)
		}
	}
	return all
}

// Fields calls each with the fields of an object in order; not at all for
// anything else.
func (n Node) Fields(each func(key string, value Node)) {
	if !n.IsObject() {
		return
	}
	n.value.ForEach(func(k, v gjson.Result) bool {
		each(k.Str, Node{value: v, lines: n.lines, first: n.first})
		return true
	})
}

// Text returns a string without surrounding blanks; "" for anything else.
func (n Node) Text() string {
	if n.value.Type != gjson.String {
		return ""
	}
	return strings.TrimSpace(n.value.Str)
}

// Bool returns a boolean; ok is false for anything else.
func (n Node) Bool() (value, ok bool) {
	return n.value.Type == gjson.True, n.value.Type == gjson.True || n.value.Type == gjson.False
}

// Number returns a finite number. A string that holds one counts: some tools
// quote what others print as a number.
func (n Node) Number() (float64, bool) {
	word := n.value.Raw
	switch n.value.Type {
	case gjson.Number:
	case gjson.String:
		word = strings.TrimSpace(n.value.Str)
	default:
		return 0, false
	}
	v, err := strconv.ParseFloat(word, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// NotNegative returns a number that cannot be below zero, times unit. ok is false
// if it is absent; an impossible value is an error with its line.
func (n Node) NotNegative(name string, unit float64) (v float64, ok bool, err error) {
	if !n.Exists() {
		return 0, false, nil
	}
	v, ok = n.Number()
	if !ok || v < 0 || math.IsInf(v*unit, 0) {
		return 0, false, fmt.Errorf("line %d: %s is %.40s, which is impossible", n.Line(), name, n.value.Raw)
	}
	return v * unit, true, nil
}
