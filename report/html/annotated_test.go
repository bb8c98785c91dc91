package html

import (
	"bytes"
	"os"
	"strings"
	"testing"

	evil "assay/internal/oneline/hostile"
	"assay/report/block"
)

func annotatedSample() block.Document {
	long := strings.Repeat("w", 900)
	return block.Document{Title: "blog.md", Blocks: block.Blocks{block.Heading{Level: 1, Text: "The text"}, block.Annotated{Lines: []block.AnnotatedLine{
		{Number: 1, Text: "  two blanks before"},
		{Number: 2, Text: long, Is: block.Bad, Left: 7, Notes: []block.Sentence{
			{Is: block.Bad, Word: "rejects", Text: "no drive is that fast", Sum: long, Advice: long}, {Is: block.Doubt, Word: "warns", Text: long},
		}},
		{Number: 3, Text: "<script>alert(1)</script>", Notes: []block.Sentence{{Is: block.Doubt, Text: evil.Text}}},
		{Number: 4, Text: evil.Text},
	}}}}
}

func TestATextStandsWithItsNotes(t *testing.T) {
	var b bytes.Buffer
	if err := Render(&b, annotatedSample()); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{
		`<code>  two blanks before</code>`, `7 lines left out`, `class="line read bad" id="part-2-2"`, `no drive is that fast`,
		`<code>&lt;script&gt;alert(1)&lt;/script&gt;</code>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "<script>alert") {
		t.Error("a line of the text became a script")
	}
	for _, r := range page {
		if r == 0x1b || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			t.Fatalf("%U survives", r)
		}
	}
}

// Two texts have lines with the same numbers, and the notes of each link to its
// own.
func TestLinesOfTwoTextsHaveTheirOwnIDs(t *testing.T) {
	d := annotatedSample()
	d.Blocks = append(d.Blocks, d.Blocks[1])
	var b bytes.Buffer
	if err := Render(&b, d); err != nil {
		t.Fatal(err)
	}
	linksLeadSomewhere(t, "two texts", b.String())
}

// Notes taller than the text beside them must not split it: the next line with
// notes joins the same piece.
func TestTallNotesDoNotTearTheText(t *testing.T) {
	tall := block.Sentence{Text: strings.Repeat("long ", 60)}
	v := newAnnotated(block.Annotated{Lines: []block.AnnotatedLine{
		{Number: 1}, {Number: 2, Notes: []block.Sentence{tall}}, {Number: 3, Notes: []block.Sentence{{Text: "short"}}}, {Number: 4},
	}}, "text")
	if len(v.Pieces) != 2 || len(v.Pieces[1].Rest) != 2 || len(v.Pieces[1].Notes) != 2 || v.Pieces[1].Notes[1].Line != 3 {
		t.Errorf("pieces: %+v", v.Pieces)
	}
}

func TestAnnotatedTextFitsAPhone(t *testing.T) {
	for _, columns := range []int{390, 1280} {
		page, _ := widthsOf(t, columns, func(path string) {
			var b bytes.Buffer
			if err := Render(&b, annotatedSample()); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		})
		if page > columns {
			t.Errorf("the page is %d pixels wide in %d", page, columns)
		}
	}
}
