package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"assay"
	"assay/store"
)

// A file cut anywhere, or with any byte changed, is refused, and nothing of it
// is stored.
func TestDamagedFilesAreRefused(t *testing.T) {
	ctx, st, file := context.Background(), fresh(t), fileOf(t, example("a"), example("b"))
	sound, err := look(ctx, bytes.NewReader(file))
	must(t, err)
	refused := func(what string, bad []byte) {
		t.Helper()
		out, err := Import(ctx, st, bytes.NewReader(bad))
		if err == nil || len(out) > 0 || assay.Hint(err) == "" {
			t.Errorf("%s: %v, %v (hint %q)", what, out, err, assay.Hint(err))
		}
	}
	for n := range file {
		refused(fmt.Sprintf("cut at %d of %d", n, len(file)), file[:n])
		bad := bytes.Clone(file)
		bad[n] ^= 1 << (n % 8)
		// A few bits of zstd's own headers do not affect the content.
		if runs, err := look(ctx, bytes.NewReader(bad)); err != nil {
			refused(fmt.Sprintf("byte %d changed", n), bad)
		} else if runs[0].String() != sound[0].String() || runs[1].String() != sound[1].String() {
			t.Errorf("byte %d changed, and with it the content", n)
		}
	}
	refused("with more at its end", append(bytes.Clone(file), file...))
	refused("with rubbish at its end", append(bytes.Clone(file), 'x'))
	if got := whole(t, st); len(got) != 0 {
		t.Errorf("%d runs are stored", len(got))
	}
	for n := headerSize - 5; n < len(file); n += 101 {
		if _, err := Import(ctx, st, bytes.NewReader(file[:n])); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}

// packed makes a file of these lines, with a valid end.
func packed(t testing.TB, number int, lines ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b)
	must(t, err)
	for _, line := range lines {
		line += "\n"
		w.sum.Write([]byte(line))
		_, err := io.WriteString(w.packed, line)
		must(t, err)
		if strings.HasPrefix(line, `{"run"`) {
			w.runs++
		}
	}
	must(t, w.Close())
	return append([]byte(header(number)), b.Bytes()[headerSize:]...)
}

func TestWhatIsNoPortableFile(t *testing.T) {
	const run, trial, repeat, transcript = `{"run":{"id":"r"}}`, `{"trial":{"trial":{"id":"t"}}}`, `{"repeat":{"n":1}}`, `{"transcript":{"steps":null}}`
	read := func(file []byte) error {
		_, err := look(context.Background(), bytes.NewReader(file))
		return err
	}
	must(t, read(packed(t, 1, run, trial, repeat, transcript)))
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"a later format":              {packed(t, 2, run), store.ErrNewer},
		"format 0":                    {packed(t, 0, run), store.ErrDamaged},
		"a member of a later assay":   {packed(t, 1, `{"run":{"id":"r","colour":"red"}}`), store.ErrNewer},
		"a record of a later assay":   {packed(t, 1, run, `{"picture":{}}`), store.ErrNewer},
		"a trial of no run":           {packed(t, 1, trial), store.ErrDamaged},
		"a repeat of no trial":        {packed(t, 1, run, repeat, transcript), store.ErrDamaged},
		"a repeat without transcript": {packed(t, 1, run, trial, repeat, repeat), store.ErrDamaged},
		"a transcript of no repeat":   {packed(t, 1, run, trial, transcript), store.ErrDamaged},
		"a transcript that is none":   {packed(t, 1, run, trial, repeat, `{"transcript":7}`), store.ErrDamaged},
		"two things at once":          {packed(t, 1, `{"run":{"id":"r"},"end":{"runs":0,"sha256":""}}`), store.ErrDamaged},
		"nothing":                     {packed(t, 1, `{}`), store.ErrDamaged},
		"two values in a line":        {packed(t, 1, run+run), store.ErrDamaged},
		"no JSON":                     {packed(t, 1, "run"), store.ErrDamaged},
		"an id with a line's end":     {packed(t, 1, `{"run":{"id":"a\nb"}}`), store.ErrDamaged},
		"an id with an escape":        {packed(t, 1, `{"run":{"id":"a\u001b[1mb"}}`), store.ErrDamaged},
		"an id that is an option":     {packed(t, 1, `{"run":{"id":"-o"}}`), store.ErrDamaged},
		"an id that is a path":        {packed(t, 1, `{"run":{"id":"../../etc/passwd"}}`), store.ErrDamaged},
		"an id that is a selection":   {packed(t, 1, `{"run":{"id":"host=vm"}}`), store.ErrDamaged},
		"an id that is a word":        {packed(t, 1, `{"run":{"id":"latest"}}`), store.ErrDamaged},
		"no id":                       {packed(t, 1, `{"run":{}}`), store.ErrDamaged},
		"another digest":              {packed(t, 1, run, `{"end":{"runs":1,"sha256":"00"}}`), store.ErrDamaged},
		"a database":                  {[]byte("SQLite format 3\x00............................"), errors.ErrUnsupported},
		"an empty file":               {nil, errors.ErrUnsupported},
	} {
		err := read(c.file)
		switch {
		case c.want == errors.ErrUnsupported && (err == nil || !strings.Contains(err.Error(), "not a portable file")):
			t.Errorf("%s: %v", name, err)
		case strings.HasPrefix(name, "an id") && !errors.Is(err, assay.ErrRunID):
			t.Errorf("%s: %v", name, err)
		case c.want != nil && c.want != errors.ErrUnsupported && !errors.Is(err, c.want), err != nil && assay.Hint(err) == "":
			t.Errorf("%s: %v (hint %q), want %v", name, err, assay.Hint(err), c.want)
		}
	}
	if _, err := NewWriter(failing{}); err == nil {
		t.Error("a writer that fails is no error")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// For any bytes: no panic, no hang, and anything read completely can be written
// and read again.
func FuzzRead(f *testing.F) {
	file := fileOf(f, example("a"))
	f.Add(file)
	f.Add(file[:len(file)/2])
	f.Add(packed(f, 1, `{"run":{"id":"r"}}`, `{"trial":{"trial":{"id":"t"}}}`))
	f.Add([]byte(header(1)))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := NewReader(bytes.NewReader(file))
		if err != nil {
			return
		}
		defer r.Close()
		var got held
		for err == nil {
			err = r.Next(&got)
		}
		if !errors.Is(err, io.EOF) {
			return
		}
		for _, run := range got.runs {
			if _, err := look(context.Background(), bytes.NewReader(fileOf(t, run))); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// The records themselves, without zstd and the digest.
func FuzzRecords(f *testing.F) {
	f.Add(`{"run":{"id":"r"}}` + "\n" + `{"trial":{"trial":{"id":"t"}}}` + "\n" + `{"repeat":{"n":1}}` + "\n" + `{"transcript":{"steps":null}}`)
	f.Fuzz(func(t *testing.T, text string) {
		file := packed(t, 1, strings.Split(text, "\n")...)
		first, err := look(context.Background(), bytes.NewReader(file))
		if err != nil {
			if assay.Hint(err) == "" {
				t.Fatalf("no hint: %v", err)
			}
			return
		}
		again, err := look(context.Background(), bytes.NewReader(file))
		if err != nil || len(first) != len(again) {
			t.Fatal(err, len(first), len(again))
		}
		for i := range first {
			if first[i].String() != again[i].String() {
				t.Fatal("two digests of one run")
			}
		}
	})
}
