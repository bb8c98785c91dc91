package smart

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
)

// node is a place in a JSON document that may not be there. smartctl's fields
// come and go with version, protocol and drive, and change type now and then
// (a log is a list in one version and an object in the next), so they are
// looked up one by one instead of being decoded into a struct.
type node struct{ value any }

// parseTree reads one JSON document, with nothing after it.
func parseTree(doc []byte) (node, error) {
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return node{}, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return node{}, errors.New("more than one JSON document")
	}
	return node{value}, nil
}

// at follows keys down; the result is empty where one is missing.
func (n node) at(keys ...string) node {
	for _, key := range keys {
		fields, _ := n.value.(map[string]any)
		n = node{fields[key]}
	}
	return n
}

func (n node) exists() bool { return n.value != nil }

// list gives the elements of an array; none for anything else.
func (n node) list() []node {
	values, _ := n.value.([]any)
	nodes := make([]node, len(values))
	for i, v := range values {
		nodes[i] = node{v}
	}
	return nodes
}

// text gives a string without surrounding space; "" for anything else.
func (n node) text() string {
	s, _ := n.value.(string)
	return strings.TrimSpace(s)
}

// truth gives a boolean; ok is false for anything else.
func (n node) truth() (value, ok bool) {
	value, ok = n.value.(bool)
	return value, ok
}

// number gives a finite number. A decimal string counts: that is how smartctl
// writes what a JSON number cannot hold, and the gigabytes of SCSI drives.
func (n node) number() (float64, bool) {
	var word string
	switch v := n.value.(type) {
	case json.Number:
		word = v.String()
	case string:
		word = strings.TrimSpace(v)
	default:
		return 0, false
	}
	f, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, false
	}
	return f, true
}

// leadingNumber gives the number that an attribute's printed raw value begins
// with: "25 (Min/Max 19/39)" is 25, while the raw 48 bits also hold the rest.
func leadingNumber(s string) (float64, bool) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	f, err := strconv.ParseFloat(s[:end], 64)
	return f, err == nil
}
