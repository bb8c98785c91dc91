package html

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/report"
)

// browse loads a report from its file in a headless Chromium and returns the
// page after its scripts have run.
func browse(t *testing.T, d report.Document) string {
	t.Helper()
	return browsed(t, func(path string) { save(t, path, d) })
}

// browsed does the same for any page that saved writes to a file.
func browsed(t *testing.T, saved func(path string)) string {
	t.Helper()
	if built(dist).script == "" {
		t.Skip("dist/report.js.gz is not built: run npm ci && npm run build in report/html/web")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	path := filepath.Join(t.TempDir(), "report.html")
	saved(path)
	return dump(t, chromium, path)
}

func save(t *testing.T, path string, d report.Document) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Render(f, report.Blocks(d)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// dump returns a page after its scripts have run.
func dump(t *testing.T, chromium, path string, more ...string) string {
	t.Helper()
	// Chromium's helpers may still write into their folder after it has ended,
	// and t.TempDir would fail to remove it.
	profile, err := os.MkdirTemp("", "assay-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(profile)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir=" + profile, "--window-size=1280,900"}, more...)
	dom, err := exec.CommandContext(ctx, chromium, append(args, "--dump-dom", "file://"+path)...).Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	return string(dom)
}

// measuring is a page that shows a report in a frame of a given width, and writes
// the widths of the report and of its widest table.
const measuring = `<!DOCTYPE html><html><body><iframe id="f" src="report.html" style="border:0;width:%dpx;height:900px"></iframe><script>
document.getElementById('f').onload = function () {
  var d = this.contentDocument, frames = [...d.querySelectorAll('.scroll')];
  document.documentElement.dataset.widths = d.documentElement.scrollWidth + ' ' + Math.max(0, ...frames.map(f => f.scrollWidth));
};
</script></body></html>`

var measured = regexp.MustCompile(`data-widths="(\d+) (\d+)"`)

// widths renders a report this many pixels wide and returns its width and that
// of its widest scroller.
func widths(t *testing.T, d report.Document, columns int) (page, frame int) {
	t.Helper()
	return widthsOf(t, columns, func(path string) { save(t, path, d) })
}

func widthsOf(t *testing.T, columns int, saved func(path string)) (page, frame int) {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	dir := t.TempDir()
	saved(filepath.Join(dir, "report.html"))
	path := filepath.Join(dir, "measuring.html")
	if err := os.WriteFile(path, fmt.Appendf(nil, measuring, columns), 0o600); err != nil {
		t.Fatal(err)
	}
	// Otherwise pages from files cannot access each other.
	m := measured.FindStringSubmatch(dump(t, chromium, path, "--allow-file-access-from-files", "--window-size=1400,1000"))
	if m == nil {
		t.Fatal("chromium did not say how wide the page is")
	}
	page, _ = strconv.Atoi(m[1])
	frame, _ = strconv.Atoi(m[2])
	return page, frame
}

var root = regexp.MustCompile(`<html[^>]*>`)

func TestChromiumDrawsEveryPlot(t *testing.T) {
	dom := browse(t, sample())
	head := root.FindString(dom)
	if strings.Contains(head, "data-errors") {
		t.Errorf("the page reports errors: %s", head)
	}
	if !strings.Contains(head, `data-plots="8"`) {
		t.Errorf("want the latency plot, six timelines and the heat plot; the page says %s", head)
	}
	plots := strings.Split(dom, "data-plot=")[1:]
	if len(plots) != 8 {
		t.Fatalf("%d frames, want 8", len(plots))
	}
	for i, p := range plots {
		svg, _, _ := strings.Cut(p[strings.Index(p, "<svg"):], "</svg>")
		if n := strings.Count(svg, "<path"); n < 5 || !strings.Contains(svg, "var(--c") {
			t.Errorf("plot %d has %d paths: nothing was drawn", i, n)
		}
		if strings.Contains(svg, "NaN") {
			t.Errorf("plot %d has a coordinate that is no number", i)
		}
	}
	if n := strings.Count(dom, `aria-pressed="true"`); n != 7+3 {
		t.Errorf("%d legend buttons, want 7 curves and 3 sensors", n)
	}
}

func TestChromiumRunsNoWord(t *testing.T) {
	dom := browse(t, hostile())
	head := root.FindString(dom)
	if strings.Contains(head, "data-errors") || !strings.Contains(head, "data-plots") {
		t.Errorf("the page says %s", head)
	}
	if n := strings.Count(dom, "<script"); n != 2 {
		t.Errorf("%d scripts after loading, want 2", n)
	}
	if strings.Contains(dom, "<img") {
		t.Error("a name became an image")
	}
}

func TestChromiumShowsAnEmptyReport(t *testing.T) {
	head := root.FindString(browse(t, report.Document{}))
	if strings.Contains(head, "data-errors") || !strings.Contains(head, `class="js"`) {
		t.Errorf("the page says %s", head)
	}
}

func TestTheBundleCanStandInAPage(t *testing.T) {
	b := built(dist)
	if b.script == "" {
		t.Skip("dist/report.js.gz is not built: run npm ci && npm run build in report/html/web")
	}
	for _, never := range []string{"</script", "<!--", "\r", "\x00"} {
		if strings.Contains(b.script, never) {
			t.Errorf("the bundle holds %q: the page would end it there or its hash would differ", never)
		}
	}
	for _, notice := range []string{"Apache ECharts", "zrender"} {
		if !strings.Contains(strings.ToLower(b.script), strings.ToLower(notice)) {
			t.Errorf("the bundle lacks the notice of %s", notice)
		}
	}
	for _, licence := range []string{"Apache License", "NOTICE", "Redistribution and use in source and binary forms"} {
		if !strings.Contains(b.licences, licence) {
			t.Errorf("dist/licences.txt lacks %q", licence)
		}
	}
}
