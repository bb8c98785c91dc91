package ingest

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// A document is read whether it is on one line, which comes in pieces, or on many.
func TestALargeDocument(t *testing.T) {
	list := strings.Repeat("1234567, ", mostLine/9+1<<16) + "1"
	for name, text := range map[string]string{
		"on one line":                `{"counter": 1, "list": [` + list + `], "rest": {"a": "}"}}`,
		"behind another on its line": `{"counter": 1} {"counter": 1, "list": [` + list + `]}`,
	} {
		var seen []string
		c := newCutter(tools)
		c.take = func(x excerpt) (int, bool) {
			seen = append(seen, strings.TrimSpace(string(x.text)))
			return 1, true
		}
		lines, err := newLineReader(strings.NewReader("a note\n" + text + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.run(lines); err != nil || len(c.unread) > 0 {
			t.Fatalf("%s: %v, unread: %v", name, err, c.unread)
		}
		got := strings.ReplaceAll(strings.Join(seen, " "), "\n", "")
		if want := strings.ReplaceAll(text, "} {", "}  {"); got != want && strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s: %d bytes became %d", name, len(text), len(got))
		}
	}
	got, r, err := told(t, "{\"counter\": 1,\n\"total\": 5,\n\"list\": ["+list+"],\n\"more\": 1,\n\"x\": {\n\"total\": 6\n}}\ncounter 1\ntotal 7\n")
	if want := "[2: 5 6: 6 9: 7]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, want %s (%v, unread: %v)", got, want, err, r.Unread)
	}
}

// cutAt cuts a text with a small limit on documents.
func cutAt(t *testing.T, most int, text string) (texts []string, unread []Unread) {
	t.Helper()
	c := newCutter(tools)
	c.most = most
	c.take = func(x excerpt) (int, bool) {
		texts = append(texts, string(x.text))
		return 1, true
	}
	lines, err := newLineReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.run(lines); err != nil {
		t.Fatal(err)
	}
	return texts, c.unread
}

// A document beyond the limit is reported with its size, and what follows it is
// read.
func TestADocumentBeyondTheLimit(t *testing.T) {
	list := strings.Repeat("1,\n", 1e6) + "1"
	for _, c := range []struct{ name, text, want string }{
		{"of a tool", "{\"counter\": 1,\n\"list\": [" + list + "]\n}\n", "1 a JSON document of 3 MB: at most 2 are read"},
		{"of no tool", "\n{\"other\": [" + list + "]}\n", "2 a JSON document of 3 MB: at most 2 are read"},
		{"truncated", "{\"counter\": [" + list + "\nno JSON\n", "1 a JSON document of 3 MB: at most 2 are read"},
	} {
		texts, unread := cutAt(t, 2e6, c.text+"counter 1\ntotal 7\n")
		if len(texts) != 1 || texts[0] != "counter 1\ntotal 7\n" {
			t.Errorf("%s: %d outputs behind it", c.name, len(texts))
		}
		if len(unread) != 1 || fmt.Sprint(unread[0].Line, " ", unread[0].Why) != c.want || !strings.Contains(unread[0].Hint, "jq -c") {
			t.Errorf("%s: unread is %+v, want %q", c.name, unread, c.want)
		}
	}
}

// The documents of one output share one limit.
func TestDocumentsBeyondTheLimit(t *testing.T) {
	c := newCutter(tools)
	c.most = 1000
	for i, f := range c.formats {
		if f.Tool == "counter" {
			c.formats[i].Splits = func([]byte, string) bool { return false }
		}
	}
	size := 0
	c.take = func(x excerpt) (int, bool) { size = len(x.text); return 1, true }
	lines, err := newLineReader(strings.NewReader(strings.Repeat("{\"counter\": 1, \"total\": 5}\n", 500)))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.run(lines); err != nil || size == 0 || size > c.most {
		t.Errorf("%d bytes kept, %v", size, err)
	}
	if len(c.unread) != 1 || !strings.Contains(c.unread[0].Why, "the rest is ignored") {
		t.Errorf("unread: %+v", c.unread)
	}
}

// An unclosed document larger than a text is not read twice.
func TestALargeDocumentThatDoesNotClose(t *testing.T) {
	texts, unread := cutAt(t, mostDocument, "{\n\"list\": [\n"+strings.Repeat("1,\n", mostText/3+1)+"counter 1\ntotal 7\n")
	if len(texts) != 1 || len(unread) != 1 || !strings.Contains(unread[0].Why, "8 MB of JSON, cut off before line 27962") {
		t.Errorf("%d outputs, unread: %+v", len(texts), unread)
	}
}

// counted counts the bytes read from an endless input.
type counted struct {
	what byte
	n    int
}

func (c *counted) Read(p []byte) (int, error) {
	if c.n > 1<<30 {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = c.what
	}
	c.n += len(p)
	return len(p), nil
}

// A gigabyte of brackets is refused after one piece, using little memory.
func TestAGigabyteOfBrackets(t *testing.T) {
	for _, what := range []byte("[{") {
		in := &counted{what: what}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var r Reading
		err := r.Read("f", in, tools)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "f: line 1 is longer than 16 MiB and no JSON") {
			t.Errorf("%c: gives %v", what, err)
		}
		if in.n > 2*mostLine {
			t.Errorf("%c: %d MiB were read", what, in.n>>20)
		}
		if made := after.TotalAlloc - before.TotalAlloc; made > 16*mostLine {
			t.Errorf("%c: %d MiB were allocated", what, made>>20)
		}
	}
}

// A document nested too deep for any output is text, whatever tool accepts its
// keys.
func TestATooDeepDocument(t *testing.T) {
	deep := strings.Repeat("[", deepest+1)
	for _, text := range []string{"[" + deep + "\n", strings.ReplaceAll(deep, "[", "[\n"), "{\"other\": 1,\n\"list\":" + deep + "\n"} {
		got, _, err := told(t, text+"counter 1\ntotal 5\n")
		if err != nil || len(got) != 1 {
			t.Errorf("%.20q: %v, %v", text, got, err)
		}
	}
	_, r, err := told(t, "{\"counter\": 1,\n\"list\":"+deep+"\n")
	var unread UnreadError
	if !errors.As(err, &unread) || len(r.Unread) != 1 {
		t.Errorf("gives %v, unread: %v", err, r.Unread)
	}
}

// Documents on one line are read one after the other, not each with all that follow.
func TestManyDocumentsOnOneLine(t *testing.T) {
	for _, c := range []struct {
		name, one string
		n, unread int
	}{
		{"of no tool", "{}", 300_000, mostUnread},
		{"with text between them", "{}> ", 100_000, mostUnread},
		{"of a tool", `{"counter": 1} `, 1000, 0},
	} {
		texts, unread := cutAt(t, mostDocument, strings.Repeat(c.one, c.n)+"\ncounter 1\ntotal 7\n")
		if len(texts) == 0 || texts[len(texts)-1] != "counter 1\ntotal 7\n" || len(unread) != c.unread {
			t.Errorf("%s: %d outputs, %d unread", c.name, len(texts), len(unread))
		}
	}
}
