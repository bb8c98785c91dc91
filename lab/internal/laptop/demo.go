package laptop

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var demo = flag.String("demo", "", "show what assay does, and write the pages to this directory")

// Demo marks a test that only shows what assay does, and skips it unless a demo was requested.
func Demo(t testing.TB) {
	t.Helper()
	if *demo == "" {
		t.Skip("a demonstration, which make demo-vms begins")
	}
}

// Show runs assay on the laptop, prints the verdict and writes the page NAME.html.
func (l *Laptop) Show(name string, words ...string) {
	l.T.Helper()
	fmt.Printf("\n$ assay %s\n", strings.Join(words, " "))
	began := time.Now()
	// The audit may reject a figure if the machine has other work, and emulation is slow.
	if r := l.Begin(words...).Wait(30 * time.Minute); r.Exit != 0 && r.Exit != 3 && r.Exit != 5 {
		l.T.Errorf("status %d: %s", r.Exit, Brief(r.Said))
	}
	page := filepath.Join(*demo, name+".html")
	if r := l.Do("report", "latest", "-o", page); r.Exit != 0 {
		l.T.Fatalf("no page: %s", Brief(r.Said))
	}
	text := l.Do("show", "latest").Stdout
	if at := strings.Index(text, "\n\n"); at >= 0 {
		text = text[at:] // its name and time
	}
	verdict, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n\n")
	fmt.Printf("%s\n%s, in %s\n", verdict, page, time.Since(began).Round(time.Second))
}
