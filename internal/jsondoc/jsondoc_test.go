package jsondoc

import (
	"strings"
	"testing"
)

const text = `{
  "a.b": {"list": [
    1,
    {"x": "2.5"}
  ]},
  "bad": -1, "nothing": null,
  "yes": true
}
`

func parse(t *testing.T, s string) Node {
	t.Helper()
	n, err := Parse([]byte(s), 10)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestLinesOfValues(t *testing.T) {
	n := parse(t, text)
	list := n.At("a.b", "list").List()
	for _, c := range []struct {
		name string
		at   Node
		line int
	}{
		{"document", n, 10}, {"object", n.At("a.b"), 11}, {"first", list[0], 12},
		{"in a list", list[1].At("x"), 13}, {"after it", n.At("bad"), 15}, {"last", n.At("yes"), 16},
	} {
		if got := c.at.Line(); got != c.line {
			t.Errorf("%s stands on line %d, want %d", c.name, got, c.line)
		}
	}
}

func TestWhatIsThere(t *testing.T) {
	n := parse(t, text)
	if v, ok := n.At("a.b", "list").List()[1].At("x").Number(); !ok || v != 2.5 {
		t.Errorf("a number in a string is %v, %v", v, ok)
	}
	if n.At("nothing").Exists() || n.At("a", "b").Exists() || n.At("yes", "no").Exists() {
		t.Error("what is null or missing exists")
	}
	if v, ok := n.At("yes").Bool(); !v || !ok {
		t.Error("true is not true")
	}
	if _, ok := n.At("yes").Number(); ok {
		t.Error("true is a number")
	}
	if _, _, err := n.At("bad").NotNegative("bad", 1); err == nil || !strings.Contains(err.Error(), "line 15: bad is -1") {
		t.Errorf("a negative number gives %v", err)
	}
	if _, ok, err := n.At("gone").NotNegative("gone", 1); ok || err != nil {
		t.Errorf("an absent number gives %v, %v", ok, err)
	}
}

func TestObjects(t *testing.T) {
	for text, want := range map[string]int{`{"a": [{}]}`: 1, `[{}, [{}, [[{}]]], 7]`: 3, `[[[[[{}]]]]]`: 0, `[]`: 0, `"a"`: 0} {
		if got := parse(t, text).Objects(); len(got) != want {
			t.Errorf("%s has %d objects, want %d", text, len(got), want)
		}
	}
}

func TestNotADocument(t *testing.T) {
	for _, s := range []string{"", "  \n", `{"a":`, `{"a":1} {"b":2}`, "nan"} {
		if _, err := Parse([]byte(s), 1); err == nil {
			t.Errorf("%q is taken for a document", s)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(text))
	f.Add([]byte(`[[{"a":"\u00e4"}],1e999]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := Parse(b, 1)
		if err != nil {
			return
		}
		lines := strings.Count(string(b), "\n") + 1
		var walk func(n Node, depth int)
		walk = func(n Node, depth int) {
			if line := n.Line(); line < 1 || line > lines {
				t.Fatalf("line %d of %d", line, lines)
			}
			if depth > 20 {
				return
			}
			n.Number()
			for _, e := range n.List() {
				walk(e, depth+1)
			}
			n.Fields(func(_ string, v Node) { walk(v, depth+1) })
		}
		walk(n, 0)
	})
}
