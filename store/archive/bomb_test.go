package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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
	const size = 40 << 20 // bytes of text in the bombs with many bytes
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

// TestMain turns this test binary, if bombEnv names a file, into a process that imports
// the file and prints its peak memory in MiB.
func TestMain(m *testing.M) {
	path := os.Getenv(bombEnv)
	if path == "" {
		os.Exit(m.Run())
	}
	if err := importBomb(path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const bombEnv = "ASSAY_ARCHIVE_TEST_BOMB"

func importBomb(path string) error {
	ctx := context.Background()
	st, err := store.Open(ctx, path+".db")
	if err != nil {
		return err
	}
	defer st.Close()
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if out, err := Import(ctx, st, file); !errors.Is(err, store.ErrDamaged) || len(out) > 0 || assay.Hint(err) == "" {
		return fmt.Errorf("not refused: %d runs, %w (hint %q)", len(out), err, assay.Hint(err))
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	kib, err := strconv.Atoi(strings.Fields(peak)[0])
	fmt.Println(kib >> 10)
	return err
}

// Whatever a small file unpacks to, it is refused before it takes much memory.
func TestBombsTakeBoundedMemory(t *testing.T) {
	const most = 512 // MiB
	self, err := os.Executable()
	must(t, err)
	for name, file := range bombs(t) {
		if len(file) > 512<<10 {
			t.Errorf("%s: %d bytes are not few", name, len(file))
		}
		path := filepath.Join(t.TempDir(), "bomb")
		must(t, os.WriteFile(path, file, 0o600))
		c := exec.Command(self)
		c.Env = append(os.Environ(), bombEnv+"="+path)
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		peak, err := strconv.Atoi(strings.TrimSpace(string(out)))
		must(t, err)
		if t.Logf("%-26s %3d KiB: %3d MiB at most", name, len(file)>>10, peak); peak > most {
			t.Errorf("%s: %d MiB", name, peak)
		}
	}
}
