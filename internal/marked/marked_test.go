package marked

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func document(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "document.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Text outside the marks stays, and so do the marks: it can be written again.
func TestWrite(t *testing.T) {
	path := document(t, "before\n"+Begin("a")+"old\n"+End("a")+"between\n"+Begin("b")+"old\n"+End("b")+"after\n")
	for range 2 {
		if err := Write(path, "b", "new\n"); err != nil {
			t.Fatal(err)
		}
	}
	want := "before\n" + Begin("a") + "old\n" + End("a") + "between\n" + Begin("b") + "new\n" + End("b") + "after\n"
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestMarksMustBeThere(t *testing.T) {
	for _, text := range []string{"", Begin("a"), End("a"), End("a") + Begin("a"), Begin("b") + End("b")} {
		path := document(t, text)
		if err := Write(path, "a", "new\n"); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v", text, err)
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if err := Write(filepath.Join(t.TempDir(), "none"), "a", ""); err == nil {
		t.Error("a document that is not there")
	}
}
