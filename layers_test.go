package assay

import (
	"errors"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The nouns are the bottom layer: they import nothing else of the project.
func TestTheRootImportsNothingOfTheProject(t *testing.T) {
	p, err := build.ImportDir(".", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range p.Imports {
		if strings.HasPrefix(name, "assay/") || strings.Contains(name, ".") {
			t.Errorf("the root package imports %s", name)
		}
	}
}

// Every folder of the pipeline, and every part of it that readers look up by name, is on
// the map.
func TestTheMapNamesEveryFolder(t *testing.T) {
	data, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(data), "| folder | one sentence |")
	table, _, ended := strings.Cut(table, "\n\n")
	if !found || !ended {
		t.Fatal("ARCHITECTURE.md has no table of folders")
	}
	rows := map[string]string{} // each folder at the root, with the text of its rows
	for row := range strings.Lines(table) {
		if name, ok := strings.CutPrefix(row, "| `"); ok {
			top, _, _ := strings.Cut(name, "/")
			rows[top] += row
		}
	}
	sources, err := filepath.Glob("*/*")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, path := range sources {
		top, name := filepath.Dir(path), filepath.Base(path)
		if top == "bin" || !holdsGo(t, path) { // bin is what the Makefile fetches and builds
			continue
		}
		if rows[top] == "" {
			t.Errorf("ARCHITECTURE.md does not say what %s is", top)
			rows[top] = "said once"
		}
		if !slices.Contains([]string{"place", "volume", "probe", "stacks", "run", "incident", "report", "lab"}, top) ||
			name == "all" || name == "internal" || strings.HasSuffix(name, "test") || filepath.Ext(name) != "" {
			continue
		}
		named++
		if !strings.Contains(rows[top], "`"+name+"`") && !strings.Contains(rows[top], "/"+name+"/`") && !strings.Contains(rows[top], "/"+name+"`") {
			t.Errorf("ARCHITECTURE.md does not say what %s is", path)
		}
	}
	if named < 50 {
		t.Errorf("only %d folders were looked for", named)
	}
}

// holdsGo reports whether there is a Go file at path or below it.
func holdsGo(t *testing.T, path string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(path, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Ext(path) == ".go" {
			found = true
			return filepath.SkipAll
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // tests beside this one come and go with files of their own
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
