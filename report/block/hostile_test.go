package block_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/internal/oneline"
	"assay/internal/oneline/hostile"
	"assay/report/block"
)

// hostileDocument has hostile text in every field of every block.
func hostileDocument() block.Document {
	var d block.Document
	hostile.Fill(&d, hostile.Text)
	told := map[string]bool{}
	for _, b := range kinds {
		all := block.Blocks{b}
		hostile.Fill(&all, hostile.Text)
		if details, is := all[0].(block.Details); is {
			details.Blocks = block.Blocks{block.Sentence{Text: hostile.Text}, block.Code{Text: hostile.Text}}
			details.Brief = ""
			d.Add(details)
		}
		d.Add(all...)
		told[b.Kind()] = true
	}
	// Pictures that a table beside them repeats are left out: here none is.
	for _, b := range []block.Block{block.Plot{}, block.Bars{}, block.Intervals{}, block.Timeline{}} {
		all := block.Blocks{b}
		hostile.Fill(&all, hostile.Text)
		switch b := all[0].(type) {
		case block.Plot:
			b.Told = false
			d.Add(b)
		case block.Bars:
			b.Told = false
			b.Bars[0].Absent = nil
			d.Add(b)
		case block.Intervals:
			b.Told = false
			d.Add(b)
		}
	}
	d.Add(block.Table{
		Title: hostile.Text, Columns: []block.Column{{Heading: hostile.Text}, {Heading: hostile.Text}},
		Rows: []block.Row{{Cells: []block.Cell{{Text: hostile.Text}, {Text: hostile.Text, Under: []string{hostile.Text}}}, Remarks: []block.Sentence{{Text: hostile.Text}}}},
	})
	d.Data = map[string]any{"data": hostile.Text}
	return d
}

var code = regexp.MustCompile("(?s)```.*?```|<pre.*?</pre>")

func TestNoVoiceSpeaksRawText(t *testing.T) {
	d := hostileDocument()
	for name, voice := range voices {
		var b bytes.Buffer
		if err := voice(&b, d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text := b.String()
		if i := strings.IndexFunc(code.FindString(text), func(r rune) bool { return r != '\n' && oneline.Raw(r) }); i >= 0 {
			t.Errorf("%s: code is raw: %q", name, code.FindString(text))
		}
		if name == "csv" {
			text = strings.ReplaceAll(text, "\r\n", "\n") // record separators
		}
		text = code.ReplaceAllString(text, "") // code blocks may contain line breaks
		if found := hostile.Found(text); found != "" {
			t.Errorf("%s: %s", name, found)
		}
		if name == "json" && !json.Valid(b.Bytes()) {
			t.Errorf("not JSON: %s", text)
		}
	}
}

// JSON loses nothing: programs get the original text.
func TestJSONKeepsHostileTextAsEscapes(t *testing.T) {
	var b bytes.Buffer
	if err := voices["json"](&b, block.Document{Title: hostile.Text, Data: map[string]any{"data": hostile.Text}}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Data     string
		Document struct{ Title string }
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Data != hostile.Text || got.Document.Title != hostile.Text {
		t.Errorf("%q and %q came back", got.Data, got.Document.Title)
	}
	if !strings.Contains(b.String(), `\u009b`) || !strings.Contains(b.String(), `\u202e`) {
		t.Errorf("no escapes in %s", b.String())
	}
}

// Every package that renders documents is on the list of voices that these tests
// cover.
func TestEveryVoiceIsTested(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			if e != nil && e.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return err
		}
		if e.Name() == "web" || e.Name() == "testdata" {
			return filepath.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		for _, file := range files {
			f, perr := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if perr != nil {
				return perr
			}
			name := f.Name.Name
			if name == "term" {
				name = "text"
			}
			if f.Scope.Lookup("Render") != nil && !strings.HasSuffix(file, "_test.go") && voices[name] == nil {
				t.Errorf("%s renders documents, and is no voice in these tests", path)
			}
		}
		if err != nil {
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A spreadsheet must see text as text, and a number as a number.
func TestCSVDefusesFormulasAndKeepsNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+1+1": "'+1+1", "-1+1": "'-1+1", "@SUM(A1)": "'@SUM(A1)", "\t=1+1": "'=1+1", "\r=1+1": "'=1+1", "\u200b=1+1": "'=1+1",
		"\uff1d1+1": "'\uff1d1+1", "-cmd|' /C calc'!A0": "'-cmd|' /C calc'!A0", "-3.5 %": "'-3.5 %", "-Inf": "'-Inf", "-0x1p-2": "'-0x1p-2",
		"-3.5": "-3.5", "+12": "+12", "-1e-9": "-1e-9", "-.5": "-.5", "3.5": "3.5", "a=b": "a=b", "-": "'-",
	} {
		var b bytes.Buffer
		d := block.Document{Blocks: block.Blocks{block.Texts([]string{"what", text}, [][]string{{text, text}})}}
		if err := voices["csv"](&b, d); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(records) != 2 {
			t.Fatalf("%q: %v, %v", text, records, err)
		}
		if got := fmt.Sprint(records[1][2], "|", records[1][3], "|", records[1][5]); got != fmt.Sprint(want, "|", want, "|", want) {
			t.Errorf("%q became %s, want %s in row, column and text", text, got, want)
		}
	}
}
