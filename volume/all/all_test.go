package all_test

import (
	"os"
	"slices"
	"testing"

	"assay/volume/all"
)

func TestEveryFolderIsListed(t *testing.T) {
	listed := []string{"all", "guard", "volumetest"}
	for _, v := range all.Journalled() {
		listed = append(listed, v.Kind())
	}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(listed, e.Name()) {
			t.Errorf("volume/%s is on no list", e.Name())
		}
	}
}
