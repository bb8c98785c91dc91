package assay

import (
	"go/build"
	"strings"
	"testing"
)

// The nouns stand below everything else: they import none of it.
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
