package archive

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"assay"
	"assay/store"
	"assay/store/storetest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func fresh(t testing.TB) *store.Store {
	t.Helper()
	st, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "assay.db"))
	must(t, err)
	t.Cleanup(func() { st.Close() })
	return st
}

// held is a Taker that keeps whole runs.
type held struct{ runs []assay.Run }

func (h *held) last() *assay.Run         { return &h.runs[len(h.runs)-1] }
func (h *held) Head(run assay.Run) error { h.runs = append(h.runs, run); return nil }
func (h *held) Trial(r assay.Result) error {
	h.last().Results = append(h.last().Results, r)
	return nil
}
func (h *held) Repeat(r assay.Repeat) error {
	of := &h.last().Results[len(h.last().Results)-1]
	of.Repeats = append(of.Repeats, r)
	return nil
}

func fileOf(t testing.TB, runs ...assay.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b)
	must(t, err)
	for _, run := range runs {
		must(t, store.Pass(run, w))
	}
	must(t, w.Close())
	return b.Bytes()
}

func keep(t testing.TB, st *store.Store, runs ...assay.Run) {
	t.Helper()
	for _, run := range runs {
		must(t, st.Take(context.Background(), func(to store.Taker) error { return store.Pass(run, to) }))
	}
}

func whole(t testing.TB, st *store.Store) []assay.Run {
	t.Helper()
	var all held
	runs, err := st.Runs(context.Background())
	must(t, err)
	for _, r := range runs {
		must(t, st.Give(context.Background(), r.ID, &all))
	}
	return all.runs
}

func example(id string) assay.Run {
	run := assay.Run{
		ID: id, Suite: "quick", Version: "test", Started: time.Unix(1_700_000_000, 7).UTC(), Elapsed: time.Minute, Status: assay.RunDone,
		Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "alpha"}}, Facts: map[string]assay.Facts{"alpha": {Host: "alpha"}}},
		Findings:  []assay.Finding{{Rule: "x", Severity: assay.Warns}}, Notes: []assay.Note{{ID: "n", Text: "<a note>"}},
	}
	for _, id := range []string{"a", "b"} {
		r := assay.Result{Trial: assay.Trial{ID: id}, Scratch: assay.Scratch{File: "/srv/x", Bytes: 1 << 30}}
		for n := range 3 {
			r.Repeats = append(r.Repeats, assay.Repeat{
				N: n, Started: run.Started, Outcome: assay.Done,
				Transcript: assay.Transcript{Probe: "fio", Steps: []assay.Step{{Name: "measure", Argv: []string{"fio", "\xfe"},
					Output: assay.Output{Stdout: []byte("\x00\xff\n"), Stderr: []byte(strings.Repeat("so and so\n", 100))}}}},
				Measurements: []assay.Measurement{{Metric: "storage.read.iops", Value: .1, Unit: assay.PerSecond,
					Samples: []assay.Sample{{At: 1. / 3, Value: 1e-300}}, Histogram: []assay.Bin{{Upper: 1e-6, Count: 1 << 60}}}},
				Watch: &assay.Watch{ToolCPU: -1},
			})
		}
		run.Results = append(run.Results, r)
	}
	return run
}

// Out of one store, through a file, into another: any run arrives unchanged, and
// the same file again changes nothing.
func TestAnyRunTravels(t *testing.T) {
	from, to, ctx, count := fresh(t), fresh(t), context.Background(), 0
	rapid.Check(t, func(rt *rapid.T) {
		count++
		run := storetest.AnyRun(rt, fmt.Sprintf("run-%d", count))
		if err := from.Take(ctx, func(to store.Taker) error { return store.Pass(run, to) }); err != nil {
			rt.Fatal(err)
		}
		var file bytes.Buffer
		if err := Export(ctx, from, []string{run.ID}, &file, nil); err != nil {
			rt.Fatal(err)
		}
		for again := range 2 {
			out, err := Import(ctx, to, bytes.NewReader(file.Bytes()))
			if err != nil || len(out) != 1 || out[0].Err != nil || out[0].Run != run.ID || out[0].Skipped != (again == 1) || out[0].Trials != len(run.Results) {
				rt.Fatalf("import: %+v, %v", out, err)
			}
			var got held
			if err := to.Give(ctx, run.ID, &got); err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(run, got.runs[0], cmpopts.EquateEmpty()); diff != "" {
				rt.Fatal(diff)
			}
		}
	})
}

func TestImportMerges(t *testing.T) {
	ctx, st := context.Background(), fresh(t)
	a, b, c := example("a"), example("b"), example("c")
	judged := a
	judged.Findings = nil // the audit's findings are not measurements
	other := b
	other.Notes = nil
	keep(t, st, judged, other)
	before := whole(t, st)
	out, err := Import(ctx, st, bytes.NewReader(fileOf(t, a, b, c, c)))
	must(t, err)
	var got []string
	for _, o := range out {
		word := "stored"
		switch {
		case o.Err != nil:
			t.Error(o.Err)
		case o.Skipped:
			word = "skipped"
		}
		got = append(got, fmt.Sprint(o.Run, " ", word, " ", o.Trials, " ", o.Repeats))
	}
	if diff := cmp.Diff([]string{"a skipped 2 6", "b stored 2 6", "c stored 2 6", "c skipped 2 6"}, got); diff != "" {
		t.Error(diff)
	}
	// Another run with the same id gets its own id.
	b.ID = out[1].As
	if form := regexp.MustCompile(`^imported-[0-9a-f]{12}$`); !form.MatchString(b.ID) || out[0].As+out[2].As+out[3].As != "" {
		t.Errorf("ids in the store: %+v", out)
	}
	want := append(before[:2:2], b, c)
	sorted := cmpopts.SortSlices(func(a, b assay.Run) bool { return a.ID < b.ID })
	if diff := cmp.Diff(want, whole(t, st), cmpopts.EquateEmpty(), sorted); diff != "" {
		t.Error(diff)
	}
}

// An import takes no word that refers to a user's run, and a second one stores
// nothing again.
func TestImportTakesNobodysName(t *testing.T) {
	ctx, st := context.Background(), fresh(t)
	own := example("20261121-200512-abcdef")
	must(t, st.Import(ctx, own))
	must(t, st.Pin(ctx, own.ID, "base"))
	file := fileOf(t, example("base"), example("bas"), example("20261121-2005"), example("other"))
	var ids []string
	for again := range 3 {
		out, err := Import(ctx, st, bytes.NewReader(file))
		must(t, err)
		for i, o := range out {
			if o.Err != nil || (o.As != "") != (i < 3) || o.Skipped != (again > 0) {
				t.Errorf("import %d: %+v", again, o)
			}
			if again == 0 {
				ids = append(ids, o.As)
			} else if o.As != ids[i] {
				t.Errorf("%s is %s, then %s", o.Run, ids[i], o.As)
			}
		}
		if again == 1 { // even if its own id is free now
			_, err := st.Unpin(ctx, "base")
			must(t, err)
		}
	}
	if got := whole(t, st); len(got) != 5 {
		t.Errorf("%d runs are stored", len(got))
	}
	for _, name := range []string{"20261121-2005", "2026", "latest", ""} {
		if id, err := st.Resolve(ctx, name); id != own.ID || err != nil {
			t.Errorf("%q is %q, %v", name, id, err)
		}
	}
}

// A note about a run, here or where it was measured, makes it no other run.
func TestImportSkipsARunWithANote(t *testing.T) {
	ctx, st := context.Background(), fresh(t)
	plain := example("a")
	noted := plain
	noted.Remarks = []assay.Remark{{At: time.Unix(1_700_000_100, 0).UTC(), Text: "new cable before this one"}}
	for i, run := range []assay.Run{plain, plain, noted} {
		out, err := Import(ctx, st, bytes.NewReader(fileOf(t, run)))
		must(t, err)
		if len(out) != 1 || out[0].Err != nil || out[0].As != "" || out[0].Skipped != (i > 0) {
			t.Errorf("import %d: %+v", i, out)
		}
		must(t, st.Remark(ctx, "a", fmt.Sprint("remark ", i)))
	}
	if got := whole(t, st); len(got) != 1 || len(got[0].Remarks) != 3 {
		t.Errorf("stored: %d runs", len(got))
	}
}

// A run that was killed says to this day that it is running. Nothing here executes it.
func TestImportedRunsAreNotRunning(t *testing.T) {
	ctx, st, killed := context.Background(), fresh(t), example("a")
	killed.Status = assay.RunRunning
	for i := range 2 {
		out, err := Import(ctx, st, bytes.NewReader(fileOf(t, killed)))
		must(t, err)
		if len(out) != 1 || out[0].Err != nil || out[0].Skipped != (i > 0) {
			t.Errorf("import %d: %+v", i, out)
		}
	}
	if got := whole(t, st); len(got) != 1 || got[0].Status != assay.RunInterrupted {
		t.Errorf("stored: %+v", got)
	}
}

// A run dated in the future would stay the newest for good.
func TestImportRefusesTheFuture(t *testing.T) {
	st, run := fresh(t), example("a")
	run.Started = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	out, err := Import(context.Background(), st, bytes.NewReader(fileOf(t, run, example("b"))))
	must(t, err)
	if len(out) != 2 || out[0].Err == nil || !strings.Contains(out[0].Err.Error(), "run a is dated 9999-01-01") || out[1].Err != nil {
		t.Errorf("outcomes: %+v", out)
	}
}

// A run that the store refuses does not affect the others in the file.
func TestImportRefusesARunAndTakesTheOthers(t *testing.T) {
	st := fresh(t)
	bad := example("bad")
	bad.Results[1].Trial.ID = bad.Results[0].Trial.ID
	out, err := Import(context.Background(), st, bytes.NewReader(fileOf(t, example("a"), bad, example("z"))))
	must(t, err)
	if len(out) != 3 || out[0].Err != nil || !errors.Is(out[1].Err, store.ErrExists) || out[2].Err != nil {
		t.Errorf("outcomes: %+v", out)
	}
	if got := whole(t, st); len(got) != 2 {
		t.Errorf("%d runs are stored", len(got))
	}
}

func TestImportHeedsItsContext(t *testing.T) {
	st := fresh(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Import(ctx, st, bytes.NewReader(fileOf(t, example("a")))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if got := whole(t, st); len(got) != 0 {
		t.Errorf("%d runs are stored", len(got))
	}
}

// The same run gives the same bytes, and the zstd tool can read them.
func TestTheFileIsPlainZstd(t *testing.T) {
	file := fileOf(t, example("a"))
	if !bytes.Equal(file, fileOf(t, example("a"))) {
		t.Error("the same run gave two files")
	}
	if !Is(file[:19]) || Is(file[:18]) {
		t.Error("19 bytes tell what it is")
	}
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("no zstd here: ", err)
	}
	path := filepath.Join(t.TempDir(), "runs.assay")
	must(t, os.WriteFile(path, file, 0o600))
	text, err := exec.Command("zstd", "-dc", path).Output()
	must(t, err)
	if lines := strings.Split(string(text), "\n"); len(lines) != 1+2*(1+3*2)+1+1 || !strings.HasPrefix(lines[0], `{"run":{"id":"a",`) {
		t.Errorf("%d lines, the first: %.80s", len(lines), lines[0])
	}
}

// A file of many runs takes no more memory than a file of one: what has been
// read is freed.
func TestReadingIsBounded(t *testing.T) {
	r, w := io.Pipe()
	const runs = 40
	random := make([]byte, 512<<10)
	_, _ = rand.NewChaCha8([32]byte{}).Read(random)
	noise := hex.AppendEncode(nil, random)
	go func() {
		out, err := NewWriter(w)
		for i := 0; i < runs && err == nil; i++ {
			run := example(fmt.Sprint("r", i))
			run.Results[0].Repeats[0].Transcript.Steps[0].Output.Stdout = noise
			err = store.Pass(run, out)
		}
		if err == nil {
			err = out.Close()
		}
		w.CloseWithError(err)
	}()
	var meter meter
	in, err := NewReader(r)
	must(t, err)
	defer in.Close()
	for err = nil; err == nil; {
		err = in.Next(&meter)
	}
	if !errors.Is(err, io.EOF) || meter.runs != runs || meter.bytes < runs<<20 {
		t.Fatalf("%d runs, %d bytes, %v", meter.runs, meter.bytes, err)
	}
	if grown := int64(meter.heap[runs-1]) - int64(meter.heap[4]); grown > 16<<20 {
		t.Errorf("35 runs of 1 MiB each made the heap grow by %d MiB", grown>>20)
	}
}

// meter counts, and samples the heap at each run.
type meter struct {
	runs, bytes int
	heap        []uint64
}

func (m *meter) Head(assay.Run) error {
	m.runs++
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	m.heap = append(m.heap, now.HeapAlloc)
	return nil
}

func (m *meter) Trial(assay.Result) error { return nil }
func (m *meter) Repeat(r assay.Repeat) error {
	m.bytes += len(r.Transcript.Steps[0].Output.Stdout)
	return nil
}
