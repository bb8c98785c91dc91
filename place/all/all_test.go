package all_test

import (
	"os"
	"slices"
	"testing"

	"assay/place/all"
)

func TestEveryFolderIsListed(t *testing.T) {
	listed := slices.Concat([]string{"all", "placetest"}, all.Kinds, all.Shared, all.Decorators)
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(listed, e.Name()) {
			t.Errorf("place/%s is on no list", e.Name())
		}
	}
}
