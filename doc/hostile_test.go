package doc_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/audit"
	"assay/ingest"
	"assay/ingest/readers"
	"assay/internal/oneline"
	"assay/report"
	"assay/report/block"
	"assay/report/html"
	"assay/report/markdown"
	"assay/report/term"
)

// attacks are what somebody could put into an output that others paste: text that
// drives a terminal, changes the reading direction, forges a line, or runs in a page.
var attacks = []string{
	"\x1b[2J", "\x1b]0;owned\a", "\u009b31m", "\u202egnp.exe", "\u2066", "\u200f", "\u2028", "\x7f", "\b\b\b", "\r", "\v",
	"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</pre><script>alert(1)</script>", "javascript:alert(1)", "]]><svg onload=alert(1)>",
	"```\n<script>alert(1)</script>\n```", "![x](http://example.com/x.png)", "[x](javascript:alert(1))", "| a | b |\n| --- | --- |",
}

// However captured outputs are spoiled, no voice that shows their audit passes on an
// escape sequence, a direction control, or markup.
func TestNothingHostileComesThroughAnAudit(t *testing.T) {
	dice := rand.New(rand.NewPCG(20, 20))
	shown := 0
	for i, c := range cases(t) {
		if i%6 != 0 || ingest.IsTable(c.File, nil) || isRun(c.File) {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", c.File))
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 20<<10 {
			continue
		}
		for range 2 {
			spoiled := spoil(dice, string(text))
			for name, page := range pagesOf(t, spoiled) {
				shown++
				if found := hostileIn(name, page); found != "" {
					t.Errorf("%s as %s: %s came through from\n%q", c.File, name, found, spoiled)
				}
			}
		}
	}
	if shown < 100 {
		t.Errorf("only %d pages were looked at", shown)
	}
}

func TestHostilePagesAreTold(t *testing.T) {
	for _, c := range []struct{ voice, page string }{
		{"terminal", "a \x1b[2J"}, {"markdown", "a \u202eb"}, {"html", "<p>\u2066"}, {"html", "<p><script>alert(1)"},
		{"markdown", "a <img src=x onerror"}, {"markdown", "```\n<script>alert(1)\n```\n<script>alert(1)"}, {"html", `<a href="javascript:alert(1)">`},
	} {
		if hostileIn(c.voice, c.page) == "" {
			t.Errorf("%s: %q is taken to be harmless", c.voice, c.page)
		}
	}
	if found := hostileIn("markdown", "```\n<script>alert(1)\n```\nand `<script>alert(1)`"); found != "" {
		t.Errorf("code is taken to be hostile: %s", found)
	}
}

// spoil inserts attacks at the ends of some words and lines.
func spoil(dice *rand.Rand, text string) string {
	var b strings.Builder
	for _, r := range text {
		if (r == ' ' || r == '\n' || r == ':' || r == ',') && dice.IntN(60) == 0 {
			b.WriteString(attacks[dice.IntN(len(attacks))])
		}
		b.WriteRune(r)
	}
	return b.String()
}

// pagesOf returns the audit of a text in all voices that people look at, or none if
// nothing could be read.
func pagesOf(t *testing.T, text string) map[string]string {
	t.Helper()
	r := ingest.Reading{KeepTexts: true}
	_ = r.Read("pasted \x1b[31m<script>\u202e.txt", strings.NewReader(text), readers.All())
	run := r.Run(map[string]assay.Facts{})
	in := report.Read{Results: run.Results, Findings: audit.Audit(audit.Of(run)), Known: run.Inventory.Facts}
	for _, u := range r.Unread {
		in.Unread = append(in.Unread, report.Unread(u))
	}
	for _, kept := range r.Texts {
		in.Texts = append(in.Texts, report.Text{File: kept.File, Lines: kept.Lines, More: kept.More})
	}
	d := report.BuildReading(in).Document()
	pages := map[string]string{}
	for name, voice := range map[string]func(io.Writer, block.Document) error{
		"terminal": func(w io.Writer, d block.Document) error { return term.Render(w, d, term.Options{Width: 100}) },
		"markdown": markdown.Render,
		"html":     html.Render,
	} {
		var b bytes.Buffer
		if err := voice(&b, d); err != nil {
			t.Fatal(err)
		}
		pages[name] = b.String()
	}
	return pages
}

// hostileIn returns the first thing in a page that must not be there.
func hostileIn(voice, page string) string {
	for i, r := range page {
		if r != '\n' && oneline.Raw(r) {
			return fmt.Sprintf("%q", page[max(0, i-20):min(len(page), i+20)])
		}
	}
	if voice != "terminal" {
		for _, markup := range []string{"<script>alert", "<img src=x", "<svg onload", "</pre><script"} {
			if strings.Contains(page, markup) && (voice == "html" || !inCode(page, markup)) {
				return markup
			}
		}
	}
	if voice == "html" && strings.Contains(page, `href="javascript:`) {
		return "a link that runs"
	}
	return ""
}

// inCode reports whether every occurrence of a text in a Markdown page is inside
// fences or backticks, where it is shown and not run.
func inCode(page, text string) bool {
	fenced := false
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if at := strings.Index(line, text); at >= 0 && !fenced && strings.Count(line[:at], "`")%2 == 0 {
			return false
		}
	}
	return true
}
