package suite

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var advised = regexp.MustCompile(`assay (?:run|plan)[^"\n]* --suite ([a-z][a-z0-9-]*)(?:[^a-z0-9./-]|$)`)

// Advice names only existing suites.
func TestAdviceNamesSuites(t *testing.T) {
	root, seen := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "node_modules", "out", "bin", "testdata"}, d.Name()):
			return fs.SkipDir
		case filepath.Ext(path) != ".go" && filepath.Ext(path) != ".md" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range advised.FindAllSubmatch(text, -1) {
			seen++
			if name := string(m[1]); !slices.Contains(Names(), name) {
				t.Errorf("%s: %s: there is no suite %s", path, m[0], name)
			}
		}
		return err
	})
	if err != nil || seen < 10 {
		t.Errorf("%d commands looked at: %v", seen, err)
	}
}
