package documents

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"

	"assay/ingest/table"
)

//go:embed *.yaml
var files embed.FS

// Document is one published document.
type Document struct {
	Name  string // of its file, without the extension
	Title string
	Table table.Table
}

// All returns the documents, sorted by name. It panics if one cannot be read,
// which is a bug in this repository that a test finds.
func All() []Document { return all() }

var all = sync.OnceValue(func() []Document {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the embedded directory cannot be missing
	}
	var found []Document
	for _, e := range entries {
		d, err := read(e.Name())
		if err != nil {
			panic(err)
		}
		found = append(found, d)
	}
	return found
})

func read(file string) (Document, error) {
	text, err := files.ReadFile(path.Clean(file))
	if err != nil {
		return Document{}, err
	}
	t, err := table.Read(file, text)
	if err != nil {
		return Document{}, fmt.Errorf("reference/documents: %w", err)
	}
	return Document{Name: strings.TrimSuffix(file, path.Ext(file)), Title: t.Title, Table: t}, nil
}
