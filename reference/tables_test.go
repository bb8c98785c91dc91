package reference

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/goccy/go-yaml"
)

// tables.json matches figures.yaml and drives.yaml.
func TestTablesAreUpToDate(t *testing.T) {
	got, err := json.Marshal(sources(t))
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile("tables.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(got, file(t, "tables.json")) {
		t.Error("tables.json is not what figures.yaml and drives.yaml say: go test ./reference -update")
	}
}

// sources reads the hand-written tables.
func sources(t *testing.T) tables {
	t.Helper()
	figures, err := readFigures(file(t, "figures.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	drives, err := readDrives(file(t, "drives.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return tables{figures, drives}
}

// inYAML returns the figures of the sources: one -update writes everything.
func inYAML(t *testing.T) []Figure {
	t.Helper()
	s := sources(t)
	all, err := s.Figures.all()
	if err != nil {
		t.Fatal(err)
	}
	return append(all, ratings(s.Drives)...)
}

func file(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// An unknown key is an error, or a typo would silently be 0.
func readFigures(text []byte) (all figuresFile, err error) {
	err = yaml.UnmarshalWithOptions(text, &all, yaml.Strict())
	return all, err
}

func readDrives(text []byte) (all []family, err error) {
	err = yaml.UnmarshalWithOptions(text, &all, yaml.Strict())
	return all, err
}
