package ingest

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"assay"
)

// endless returns a log of this many bytes, with an output now and then, and
// watches the heap while it is read.
type endless struct {
	left, n int
	rest    []byte
	peak    uint64
}

func (e *endless) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		if e.left <= 0 {
			return 0, io.EOF
		}
		e.n++
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, "Nov 14 20:%02d:%02d host kernel: [%d.%06d] a line of a log that is no output of anything\n", i/60, i%60, e.n, i)
		}
		b.WriteString("counter 1\ntotal 5\n```\n{\n" + strings.Repeat("{\"a\": [\n", 10) + "\n")
		e.rest = []byte(b.String())
		e.left -= len(e.rest)
		if e.n%50 == 0 {
			runtime.GC() // what is held counts, and not what a busy machine has yet to collect
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			e.peak = max(e.peak, m.HeapAlloc)
		}
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// A log is read as a stream: what it takes does not grow with it.
func TestALongLogIsNotHeld(t *testing.T) {
	in := &endless{left: 48 << 20}
	var r Reading
	if err := r.Read("log", in, tools); err != nil {
		t.Fatal(err)
	}
	if len(r.Items) != in.n {
		t.Errorf("%d outputs of %d", len(r.Items), in.n)
	}
	const limit = 24 << 20 // half of the log
	if in.peak == 0 || in.peak > limit {
		t.Errorf("the heap held %d MiB", in.peak>>20)
	}
}

func TestALineWithoutEnd(t *testing.T) {
	var r Reading
	err := r.Read("f", io.MultiReader(strings.NewReader("counter 1\ntotal 5\n"), io.LimitReader(zeros{}, mostLine+1)), tools)
	if err == nil || !strings.Contains(err.Error(), "f: line 3 is longer than 16 MiB and no JSON") {
		t.Errorf("gives %v", err)
	}
	if len(r.Items) != 1 {
		t.Errorf("%d outputs: what stood before it is lost", len(r.Items))
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func TestReparseFindsTheJobAgain(t *testing.T) {
	var r Reading
	r.Keep = true
	if err := r.Read("f", strings.NewReader("\n\ncounter 1\ntotal 5\ntotal 6\n"), tools); err != nil {
		t.Fatal(err)
	}
	for i, it := range r.Items {
		again, err := Reparse(counter{}, it.Trial, it.Repeats[0].Transcript)
		if err != nil || len(again) != 1 || again[0].Value != float64(5+i) || again[0].Line != 4+i {
			t.Errorf("job %q: %+v, %v", it.Trial.Case, again, err)
		}
	}
	lost := assay.Trial{From: "f:3", Case: "7"}
	if _, err := Reparse(counter{}, lost, r.Items[0].Repeats[0].Transcript); err == nil {
		t.Error("a job that is not there is found")
	}
}

// A file with more outputs than are read is not read to its end.
func TestAFileEndsAtItsLimit(t *testing.T) {
	text := strings.NewReader(strings.Repeat("counter 1\ntotal 5\n```\n", mostExcerpts+5) + strings.Repeat("a line of a log\n", 1<<20))
	var r Reading
	if err := r.Read("log", text, tools); err != nil {
		t.Fatal(err)
	}
	if len(r.Items) != mostExcerpts || len(r.Unread) != 1 || !strings.Contains(r.Unread[0].Why, "the rest is ignored") {
		t.Errorf("%d outputs, unread: %v", len(r.Items), r.Unread)
	}
	if text.Len() < 15<<20 {
		t.Errorf("%d bytes were left", text.Len())
	}
}
