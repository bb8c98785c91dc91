package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"assay"
	"assay/store"
)

// bomb packs a lot into a small file: before, a piece n times, and after.
func bomb(t testing.TB, before, piece string, n int, after string) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(header(format))
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(window), zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	must(t, err)
	_, err = io.WriteString(w, before)
	must(t, err)
	const atOnce = 1 << 20
	for chunk := strings.Repeat(piece, max(1, atOnce/len(piece))); n > 0; n -= len(chunk) / len(piece) {
		_, err := io.WriteString(w, chunk[:min(len(chunk), n*len(piece))])
		must(t, err)
	}
	_, err = io.WriteString(w, after)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

// bombs are small files that would take gigabytes, or hours.
func bombs(t testing.TB) map[string][]byte {
	const run, trial = `{"run":{"id":"a"}}` + "\n", `{"trial":{"trial":{"id":"t"}}}` + "\n"
	const repeat = `{"repeat":{"n":1}}` + "\n"
	const size = 40 << 20 // B of text, in those that are many bytes
	return map[string][]byte{
		"one line":                  bomb(t, `{"run":{"id":"a","version":"`, "x", size, `"}}`+"\n"),
		"a line that never ends":    bomb(t, `{"run":{"id":"a","version":"`, "x", size, ""),
		"lines":                     bomb(t, run+trial, `{"repeat":{"n":1}}`+"\n"+`{"transcript":{}}`+"\n", size/37, ""),
		"trials":                    bomb(t, run, trial, size/len(trial), ""),
		"runs":                      bomb(t, "", run, size/len(run), ""),
		"empty lines":               bomb(t, run, "\n", size, ""),
		"blanks":                    bomb(t, "", " ", size, run),
		"deep":                      bomb(t, `{"run":{"id":"a","labels":`, "[", size, ""),
		"numbers":                   bomb(t, run+trial+`{"repeat":{"measurements":[0`, ",0", 3<<20, `]}}`+"\n"+`{"transcript":{}}`+"\n"),
		"steps":                     bomb(t, run+trial+repeat+`{"transcript":{"steps":[{}`, ",{}", 3<<20, `]}}`+"\n"),
		"steps that are null":       bomb(t, run+trial+repeat+`{"transcript":{"steps":[null`, ",null", 3<<20, `]}}`+"\n"),
		"bins":                      bomb(t, run+trial+`{"repeat":{"measurements":[{"histogram":[{}`, ",{}", 10<<20, `]}]}}`+"\n"+`{"transcript":{}}`+"\n"),
		"seconds":                   bomb(t, run+trial+`{"repeat":{"watch":{"ticks":[{}`, ",{}", 3<<20, `]}}}`+"\n"+`{"transcript":{}}`+"\n"),
		"findings":                  bomb(t, `{"run":{"id":"a","findings":[{}`, ",{}", 3<<20, `]}}`+"\n"),
		"subjects":                  bomb(t, `{"run":{"id":"a","inventory":{"subjects":[0`, ",0", 3<<20, `]}}}`+"\n"),
		"subjects in another case":  bomb(t, `{"RUN":{"id":"a","INVENTORY":{"\u0073ubjects":[0`, ",0", 3<<20, `]}}}`+"\n"),
		"facts of one host, always": bomb(t, `{"run":{"id":"a","inventory":{"facts":{"a":{}`, `,"a":{}`, 1<<20, `}}}}`+"\n"),
	}
}

// Whatever a small file unpacks to, it is refused before that costs much.
func TestBombsAreRefused(t *testing.T) {
	const allowed = 400 << 20 // B more of memory from the system
	for name, file := range bombs(t) {
		t.Run(name, func(t *testing.T) {
			if len(file) > 512<<10 {
				t.Errorf("%d bytes are not few", len(file))
			}
			st := fresh(t)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out, err := Import(context.Background(), st, bytes.NewReader(file))
			runtime.ReadMemStats(&after)
			if !errors.Is(err, store.ErrDamaged) || len(out) > 0 || assay.Hint(err) == "" {
				t.Errorf("%d runs, %v (hint %q)", len(out), err, assay.Hint(err))
			}
			if spent := after.Sys - before.Sys; spent > allowed {
				t.Errorf("%d MiB for %d bytes: %v", spent>>20, len(file), err)
			}
		})
	}
}
