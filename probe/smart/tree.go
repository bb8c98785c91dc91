package smart

import (
	"math"
	"strconv"
	"strings"

	"assay/internal/jsondoc"
)

// node is a place in smartctl's output that may be missing. Its fields come and
// go with version, protocol and drive, and sometimes change type (a log is a
// list in one version and an object in the next), so they are looked up one by
// one instead of being decoded into a struct. Text is converted to the form of
// the JSON document, and read by the same code.
//
// value is nil, a bool, a float64, a string, an object or a []node.
type node struct {
	value any
	line  int // where in the output, from 1; 0 unknown
}

// object holds the fields of a node by name.
type object map[string]node

// deepest is more levels than any document of smartctl has: anything nested
// deeper is ignored.
const deepest = 12

// fromJSON converts a document.
func fromJSON(doc jsondoc.Node, depth int) node {
	n := node{line: doc.Line()}
	if depth > deepest {
		return n
	}
	switch {
	case doc.IsObject():
		fields := object{}
		doc.Fields(func(key string, value jsondoc.Node) { fields[key] = fromJSON(value, depth+1) })
		n.value = fields
	case doc.IsList():
		var list []node
		for _, element := range doc.List() {
			list = append(list, fromJSON(element, depth+1))
		}
		n.value = list
	default:
		n.value = scalar(doc)
	}
	return n
}

// scalar keeps a string a string even if it holds a number: a firmware may be
// called 100.
func scalar(doc jsondoc.Node) any {
	if b, ok := doc.Bool(); ok {
		return b
	}
	if text := doc.Text(); text != "" {
		return text
	}
	if v, ok := doc.Number(); ok {
		return v
	}
	return nil
}

// set stores a value at the end of keys, unless there is one: the first counts.
func (n node) set(value any, line int, keys ...string) {
	fields, _ := n.value.(object)
	for _, key := range keys[:len(keys)-1] {
		next, ok := fields[key].value.(object)
		if !ok {
			next = object{}
			fields[key] = node{next, line}
		}
		fields = next
	}
	last := keys[len(keys)-1]
	if _, there := fields[last]; !there {
		fields[last] = node{value, line}
	}
}

// grow appends an element to the list at the end of keys.
func (n node) grow(element node, keys ...string) {
	n.set([]node(nil), element.line, keys...)
	parent, last := n.at(keys[:len(keys)-1]...), keys[len(keys)-1]
	fields, _ := parent.value.(object)
	list, _ := fields[last].value.([]node)
	fields[last] = node{append(list, element), fields[last].line}
}

// at follows keys down; the result is empty if one is missing.
func (n node) at(keys ...string) node {
	for _, key := range keys {
		fields, _ := n.value.(object)
		n = fields[key]
	}
	return n
}

func (n node) exists() bool { return n.value != nil }

// list returns the elements of an array; none for anything else.
func (n node) list() []node {
	values, _ := n.value.([]node)
	return values
}

// text returns a string without surrounding space; "" for anything else.
func (n node) text() string {
	s, _ := n.value.(string)
	return strings.TrimSpace(s)
}

// truth returns a boolean; ok is false for anything else.
func (n node) truth() (value, ok bool) {
	value, ok = n.value.(bool)
	return value, ok
}

// number returns a finite number. A decimal string counts: smartctl writes
// values that a JSON number cannot hold that way, and the gigabytes of SCSI
// drives.
func (n node) number() (float64, bool) {
	switch v := n.value.(type) {
	case float64:
		return v, true
	case string:
		f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
	}
	return 0, false
}

// leadingNumber returns the number at the start of an attribute's printed raw
// value: "25 (Min/Max 19/39)" is 25, while the raw 48 bits also hold the rest.
// smartctl -v 197,hex48 prints it in hexadecimal.
func leadingNumber(s string) (float64, bool) {
	if digits, isHex := strings.CutPrefix(s, "0x"); isHex {
		v, err := strconv.ParseUint(digits, 16, 64)
		return float64(v), err == nil
	}
	end := 0
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	f, err := strconv.ParseFloat(s[:end], 64)
	return f, err == nil
}
