package linstor

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

func learn(text string, f assay.Facts) (assay.Facts, error) {
	return captured.Learn(New(), text, "", f)
}

func TestLearn(t *testing.T) {
	for _, c := range []struct {
		file string
		want assay.StackFacts
	}{
		{"node-list.txt", assay.StackFacts{Kind: "drbd", Nodes: 3, Health: "Online"}},
		{"node-list.json", assay.StackFacts{Kind: "drbd", Nodes: 2, Health: "OFFLINE"}},
		{"resource-list.txt", assay.StackFacts{Kind: "drbd", Nodes: 2, Copies: 2, Remote: 2, Health: "UpToDate"}},
		{"resource-list.json", assay.StackFacts{Kind: "drbd", Nodes: 2, Copies: 2, Remote: 1, Health: "UpToDate"}},
		{"resource-list-0.7.json", assay.StackFacts{Kind: "drbd", Nodes: 2, Copies: 2, Remote: 1, Health: "UpToDate"}},
		{"volume-list.txt", assay.StackFacts{Kind: "drbd", Nodes: 2, Copies: 2, Remote: 2, Health: "UpToDate"}},
		{"volume-list-ascii.txt", assay.StackFacts{Kind: "drbd", Nodes: 1, Copies: 1, Health: "UpToDate"}},
	} {
		for name, text := range map[string]string{
			"as it is": captured.Text(t, c.file), "CRLF": strings.ReplaceAll(captured.Text(t, c.file), "\n", "\r\n"), "with prose after it": captured.Text(t, c.file) + "\nAll nodes | are online.\n",
		} {
			f, err := learn(text, assay.Facts{})
			if err != nil || f.Stack == nil || !reflect.DeepEqual(*f.Stack, c.want) {
				t.Errorf("%s %s: %v, %+v", c.file, name, err, f.Stack)
			}
		}
	}
}

// A list of nodes adds to the facts from a list of resources, and removes
// nothing.
func TestNodesAfterResources(t *testing.T) {
	f, err := learn(captured.Text(t, "resource-list.txt"), assay.Facts{Stack: &assay.StackFacts{Kind: "drbd", Local: 1e-3, Protocol: "C"}})
	if err != nil {
		t.Fatal(err)
	}
	before := *f.Stack
	if f, err = learn(captured.Text(t, "node-list.txt"), f); err != nil || !reflect.DeepEqual(*f.Stack, before) || before.Local != 1e-3 {
		t.Errorf("%v, %+v", err, f.Stack)
	}
	if f, err = learn(captured.Text(t, "node-list.json"), f); err != nil || f.Stack.Health != "OFFLINE" || f.Stack.Copies != 2 {
		t.Errorf("%v, %+v", err, f.Stack)
	}
}

func TestLearnRefuses(t *testing.T) {
	whole := captured.Text(t, "resource-list.json")
	for name, c := range map[string]struct{ text, says string }{
		"cut off":       {whole[:len(whole)/2], "truncated JSON"},
		"empty list":    {"[[]]\n", "no node and no resource"},
		"a header":      {strings.Join(strings.Split(captured.Text(t, "resource-list.txt"), "\n")[:3], "\n"), "no node and no resource"},
		"without DRBD":  {`[[{"name":"raw","node_name":"a","layer_object":{"type":"STORAGE"},"volumes":[]}]]`, "no node and no resource"},
		"nothing":       {"", "no node and no resource"},
		"another table": {"| Node | Score |\n| a | 1 |\n", "no node and no resource"},
	} {
		f, err := learn(c.text, assay.Facts{})
		if err == nil || !strings.Contains(err.Error(), c.says) || f.Stack != nil {
			t.Errorf("%s: %v, %+v", name, err, f.Stack)
		}
	}
}

func TestFormat(t *testing.T) {
	f := New().Format()
	for file, line := range map[string]int{"node-list.txt": 1, "resource-list.txt": 1, "volume-list.txt": 1, "volume-list-ascii.txt": 0} {
		for i, text := range strings.Split(captured.Text(t, file), "\n") {
			if f.Begins(text) != (i == line) {
				t.Errorf("%s, line %d: begins: %v: %s", file, i+1, f.Begins(text), text)
			}
		}
	}
	if f.Begins("| Node | State |") || f.Begins("") {
		t.Error("another table begins one")
	}
	for _, keys := range [][]string{{"name", "type", "net_interfaces"}, {"layer_object", "name", "node_name"}, {"resource_states", "resources"}} {
		if !f.Accepts(keys) {
			t.Errorf("%v is not accepted", keys)
		}
	}
	if f.Accepts([]string{"name", "node_name"}) || f.Accepts(nil) {
		t.Error("other JSON is accepted")
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.*")
	for _, file := range files {
		f.Add(captured.Text(f, filepath.Base(file)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		facts, err := learn(text, assay.Facts{})
		if (err == nil) != (facts.Stack != nil) {
			t.Fatalf("%+v and error %v", facts.Stack, err)
		}
		if s := facts.Stack; s != nil && (s.Copies < 0 || s.Remote < 0 || s.Health == "") {
			t.Errorf("%+v", s)
		}
	})
}
