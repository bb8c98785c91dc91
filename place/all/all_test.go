package all_test

import (
	"os"
	"slices"
	"testing"

	"assay/place/all"
)

func TestEveryFolderIsListed(t *testing.T) {
	listed := append([]string{"all", "placetest"}, all.Decorators...)
	for _, k := range all.Kinds {
		listed = append(listed, k.Name)
	}
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
