package home_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/lab/internal/home"
)

type state struct{ ID string }

func write(t *testing.T, file string) {
	t.Helper()
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTheLifeOfAHome(t *testing.T) {
	h := home.Home{Dir: filepath.Join(t.TempDir(), "a", "lab"), State: "s.json", Files: []string{"disk"}}
	if err := h.Abandon(func() error { return errors.New("there is nothing to clear") }); err != nil {
		t.Errorf("of a directory that is not there: %v", err)
	}
	leave, err := h.Enter()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Read(&state{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a home without a lab: %v", err)
	}
	if _, err := h.Enter(); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("a second one came in: %v", err)
	}
	leave()
	if err := h.Write(state{"x"}); err != nil {
		t.Fatal(err)
	}
	var got state
	if err := h.Read(&got); err != nil || got.ID != "x" {
		t.Errorf("%+v, %v", got, err)
	}
	if info, err := os.Stat(filepath.Join(h.Dir, "s.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the state: %v, %v", info, err)
	}
	write(t, filepath.Join(h.Dir, "disk"))
	failed := errors.New("it does not go")
	if err := h.Abandon(func() error { return failed }); !errors.Is(err, failed) {
		t.Errorf("clear failed, and Abandon says %v", err)
	}
	if _, err := os.Stat(filepath.Join(h.Dir, "disk")); err != nil {
		t.Error("what could not be taken down has lost its files")
	}
	if err := h.Abandon(h.Clear); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(h.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is left: %v", err)
	}
}

func TestWhatIsSomebodyElses(t *testing.T) {
	h := home.Home{Dir: t.TempDir(), State: "s.json"}
	precious := filepath.Join(h.Dir, "thesis.tex")
	write(t, precious)
	if _, err := h.Enter(); err == nil || !strings.Contains(err.Error(), "thesis.tex") || assay.Hint(err) == "" {
		t.Errorf("took somebody's directory: %v", err)
	}
	if err := h.Abandon(h.Clear); err == nil {
		t.Error("says that somebody's directory is gone")
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
	write(t, filepath.Join(h.Dir, "s.json"))
	if err := h.Read(&state{}); err == nil || !strings.Contains(err.Error(), "s.json") {
		t.Errorf("read %v from a file of words", err)
	}
}
