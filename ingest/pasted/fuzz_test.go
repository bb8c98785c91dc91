package pasted

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/probe/probetest"
)

func FuzzASSSD(f *testing.F)    { fuzz(f, asSSD, "as-ssd-*") }
func FuzzElbencho(f *testing.F) { fuzz(f, elbencho, "elbencho-*") }
func FuzzBonnie(f *testing.F)   { fuzz(f, bonnie, "bonnie-*") }
func FuzzIOzone(f *testing.F)   { fuzz(f, iozone, "iozone-*") }
func FuzzVdbench(f *testing.F)  { fuzz(f, vdbench, "vdbench-*") }

// fuzz feeds modified captures to the reader of their own tool.
func fuzz(f *testing.F, reader tool, captures string) {
	files, err := filepath.Glob(filepath.Join("testdata", captures))
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, reader.name+" -w -b 4K -t 2 --rand --direct --iodepth=4 /dev/sda")
	}
	f.Fuzz(func(t *testing.T, text []byte, command string) { figuresAreSound(t, reader, text, command) })
}

// figuresAreSound reports whether a reader found figures, and checks them. An error comes
// without figures and has a text.
func figuresAreSound(t *testing.T, reader tool, text []byte, command string) bool {
	t.Helper()
	found, err := reader.Parse(assay.Transcript{Steps: []assay.Step{{Name: "measure", Argv: strings.Fields(command), Output: assay.Output{Stdout: text}}}})
	if err != nil {
		if len(found) != 0 || fmt.Sprint(err) == "" {
			t.Fatalf("%v with %v", found, err)
		}
		return false
	}
	probetest.CheckFigures(t, found, strings.Count(string(text), "\n")+1)
	return true
}
