package html

import (
	"bufio"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"sync"

	"assay/report"
)

//go:embed page.tmpl
var pageSource string

//go:embed style.css
var style string

// The folder always holds a README, so that this compiles before the bundle
// has been built.
//
//go:embed dist
var dist embed.FS

// Templates are parsed when the first page is written: most commands write none.
var pageTemplate = sync.OnceValue(parsePage)

// parsePage parses the page's templates anew, for others to add to: a template
// that was executed cannot be cloned.
func parsePage() *template.Template { return template.Must(template.New("page").Parse(pageSource)) }

// bundle is what npm built: both are "" in a build without it.
type bundle struct {
	script   string
	licences string
}

func built(files fs.FS) bundle {
	script, err := fs.ReadFile(files, "dist/report.js")
	if err != nil {
		return bundle{}
	}
	licences, _ := fs.ReadFile(files, "dist/licences.txt")
	return bundle{script: string(script), licences: string(licences)}
}

// Write writes d to w as one HTML page. Points that are no number are left out
// of the plots. The errors are those of w.
func Write(w io.Writer, d report.Document) error {
	return write(w, d, built(dist))
}

func write(w io.Writer, d report.Document, b bundle) error {
	p, err := newPage(d, b)
	if err != nil {
		return fmt.Errorf("prepare the HTML report: %w", err)
	}
	if err := execute(w, pageTemplate(), p); err != nil {
		return fmt.Errorf("write the HTML report: %w", err)
	}
	return nil
}

// execute fills a page in.
func execute(w io.Writer, t *template.Template, p any) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	if err := t.Execute(buffered, p); err != nil {
		return err
	}
	return buffered.Flush()
}
