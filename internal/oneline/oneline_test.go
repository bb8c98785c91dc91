package oneline

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain text":                            "plain text",
		"  two\t\tspaces\n ":                    "two spaces",
		"\x1b[31mred\x1b[0m":                    "[31mred [0m",
		"\x1b]0;title\x07after":                 "]0;title after",
		"c1 \u009b31m \u0090q":                  "c1 31m q",
		"bidi \u202egnp.exe \u2066x\u2069":      "bidi gnp.exe x",
		"line\u2028and paragraph\u2029ends\r\n": "line and paragraph ends",
		"bad \xff\xfe bytes":                    "bad \ufffd\ufffd bytes",
		"µs, 漢字, é":                             "µs, 漢字, é",
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestLinesOfATextStayButForgeNone(t *testing.T) {
	const text = "no such file\r\nassay: all is well\n\x1b[2J\u2028third\n"
	if got, want := Lines(text, "  "), "no such file\n  assay: all is well\n  [2Jthird"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A JSON reader gets back the original text, and none of it was raw.
func TestJSONEscapesAndLosesNothing(t *testing.T) {
	const text = "a\u009b2J\u202e\u2066\u200f\u2028\x7f\x1b\r\n\U000e0041 → µ <&>"
	for _, indent := range []string{"", "  "} {
		got, err := JSON(map[string]string{text: text}, indent)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range strings.TrimSpace(string(got)) {
			if r != '\n' && Raw(r) {
				t.Errorf("%U is raw in %q", r, got)
			}
		}
		if !strings.Contains(string(got), `\u009b2J\u202e\u2066`) || !strings.Contains(string(got), `\udb40\udc41 → µ <&>`) {
			t.Errorf("%s", got)
		}
		var back map[string]string
		if err := json.Unmarshal(got, &back); err != nil || back[text] != text {
			t.Errorf("%q came back as %q, %v", text, back, err)
		}
	}
}

type word string

type tree struct {
	Name   string
	Kind   word
	Below  []any
	Next   *tree
	Words  map[string][]string
	When   time.Time
	Code   string `oneline:"lines"`
	Exact  string `oneline:"-"`
	hidden string
	Points [2]float64
}

func TestDeepCleansEveryField(t *testing.T) {
	const evil = "a\x1b\nb"
	at := time.Unix(1, 0)
	was := tree{Name: evil, Kind: evil, Below: []any{evil, tree{Name: evil}, 7, nil}, Next: &tree{Name: evil}, Words: map[string][]string{evil: {evil}},
		When: at, Code: evil, Exact: evil, hidden: evil, Points: [2]float64{1, 2}}
	want := tree{Name: "a b", Kind: "a b", Below: []any{"a b", tree{Name: "a b"}, 7, nil}, Next: &tree{Name: "a b"}, Words: map[string][]string{"a b": {"a b"}},
		When: at, Code: "a\nb", Exact: evil, hidden: evil, Points: [2]float64{1, 2}}
	if got := Deep(was); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if was.Name != evil || was.Below[0] != evil || was.Next.Name != evil || was.Words[evil][0] != evil {
		t.Error("the original was changed")
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[2Jb\u202e\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, got := range []string{Clean(text), Keep(text, -1)} {
			if !utf8.ValidString(got) {
				t.Errorf("%q became %q, no UTF-8", text, got)
			}
			for _, r := range got {
				if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
					t.Errorf("%q became %q with %U", text, got, r)
				}
			}
		}
	})
}

func TestBriefIsBounded(t *testing.T) {
	for _, text := range []string{strings.Repeat("é", 1<<20), strings.Repeat("\x1b", 1<<20) + "x", strings.Repeat("a\n", 1<<20), strings.Repeat("x", 301)} {
		got := Brief([]byte(text))
		if n := utf8.RuneCountInString(got); n > 301 || !strings.HasSuffix(got, "…") || Clean(got) != got || strings.Contains(got, "\ufffd") {
			t.Errorf("%d runes: %.40q", n, got)
		}
	}
	if got := Brief([]byte(" no such\nfile\x1b[2J ")); got != "no such file [2J" {
		t.Errorf("%q", got)
	}
}
