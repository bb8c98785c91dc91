package html

import (
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io"
	"io/fs"
)

//go:embed style.css
var style string

// The folder always holds a README, so that this compiles before the bundle
// has been built.
//
//go:embed dist
var dist embed.FS

// bundle is the output of npm: both are "" in a build without it.
type bundle struct {
	script   string
	licences string
}

func built(files fs.FS) bundle {
	script, err := unpacked(files, "dist/report.js.gz")
	if err != nil {
		return bundle{}
	}
	licences, _ := fs.ReadFile(files, "dist/licences.txt")
	return bundle{script: string(script), licences: string(licences)}
}

func unpacked(files fs.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// policy allows the one script by its hash and nothing from elsewhere. The
// plots set style attributes, which cannot be hashed one by one: inline styles
// are allowed, and cannot load anything.
func policy(script string) string {
	scripts := "'none'"
	if script != "" {
		sum := sha256.Sum256([]byte(script))
		scripts = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; script-src " + scripts + "; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
}
