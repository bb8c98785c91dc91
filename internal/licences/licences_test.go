package licences

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write notices.txt.gz anew")

// component is one part of the binary.
type component struct {
	name, version, licence string
	texts                  []string
}

// The notices list everything in the binary, with the licence texts from the
// modules' own files.
func TestNoticesAreOfThisBuild(t *testing.T) {
	want := notices(append(goModules(t), bundled(t)...))
	if *update {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
		_, werr := z.Write([]byte(want))
		if err := errors.Join(werr, z.Close(), os.WriteFile("notices.txt.gz", b.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := Notices(); err != nil || got != want {
		t.Error("notices.txt.gz is not of what is built now: go test ./internal/licences -update")
	}
}

// Only licences compatible with a single binary under the Apache License are
// built in.
func TestLicencesGoTogether(t *testing.T) {
	for _, c := range append(goModules(t), bundled(t)...) {
		if c.licence == "" {
			t.Errorf("%s %s: no licence that is known here:\n%.200s", c.name, c.version, strings.Join(c.texts, "\n"))
		}
	}
}

// goModules returns the modules of both Linux builds, sorted by path.
func goModules(t *testing.T) []component {
	type module struct {
		Path, Version, Dir string
		Main               bool
	}
	found := map[string]module{}
	for _, arch := range []string{"amd64", "arm64"} {
		list := exec.Command("go", "list", "-deps", "-json=Module", "assay/cmd/assay")
		list.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for dec := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct{ Module *module }
			if err := dec.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if m := p.Module; m != nil && !m.Main {
				found[m.Path] = *m
			}
		}
	}
	var all []component
	for _, m := range found {
		c := component{name: m.Path, version: m.Version}
		files, err := os.ReadDir(m.Dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !licenceFile.MatchString(f.Name()) || f.IsDir() {
				continue
			}
			text, err := os.ReadFile(filepath.Join(m.Dir, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if k := kind(string(text)); c.licence == "" {
				c.licence = k
			}
			c.texts = append(c.texts, tidy(string(text)))
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b component) int { return cmp.Compare(a.name, b.name) })
	// The standard library has the licence of the Go project's modules.
	own := slices.IndexFunc(all, func(c component) bool { return c.name == "golang.org/x/sys" })
	return append([]component{{name: "Go standard library", licence: all[own].licence, texts: all[own].texts}}, all...)
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|unlicense)([-.].*)?$`)

// bundled returns the JavaScript in a report, as listed by its build.
func bundled(t *testing.T) []component {
	text, err := os.ReadFile("../../report/html/dist/licences.txt")
	if err != nil {
		t.Skip("the bundle of the plots is not built: make build")
	}
	var all []component
	for _, section := range regexp.MustCompile(`(?m)^==== `).Split(string(text), -1)[1:] {
		title, body, _ := strings.Cut(section, " ====\n")
		name, _, _ := strings.Cut(title, ": ")
		name, version, _ := strings.Cut(name, " ")
		if name == "inside" {
			name, version = "parts of "+version, ""
		}
		if n := len(all) - 1; n >= 0 && all[n].name == name {
			all[n].texts = append(all[n].texts, tidy(body))
			all[n].licence = cmp.Or(all[n].licence, kind(body))
			continue
		}
		all = append(all, component{name: name, version: version, licence: kind(body), texts: []string{tidy(body)}})
	}
	return all
}

// kind returns the licence's short name (SPDX), or "" if it is not allowed or not
// a licence.
func kind(text string) string {
	words := strings.Join(strings.Fields(text), " ")
	for _, k := range []struct{ has, name string }{
		{"Apache License Version 2.0", "Apache-2.0"},
		{"Neither the name", "BSD-3-Clause"},
		{"names of its contributors may be used to endorse", "BSD-3-Clause"},
		{"Redistributions in binary form must reproduce", "BSD-2-Clause"},
		{"Permission is hereby granted, free of charge", "MIT"},
		{"copyright notice and this permission notice appear in all copies", "ISC"},
		{"Permission to use, copy, modify, and/or distribute", "0BSD"},
	} {
		if strings.Contains(words, k.has) {
			return k.name
		}
	}
	return ""
}

func tidy(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// notices lists the components and then each text once.
func notices(all []component) string {
	var b strings.Builder
	b.WriteString("assay is under the Apache License 2.0. A build of it contains:\n\n")
	covered := map[string][]string{}
	var texts []string
	for _, c := range all {
		name := strings.TrimSpace(c.name + " " + c.version)
		fmt.Fprintf(&b, "  %s: %s\n", name, c.licence)
		for _, text := range c.texts {
			if covered[text] == nil {
				texts = append(texts, text)
			}
			covered[text] = append(covered[text], name)
		}
	}
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(covered[text], "\n"), text)
	}
	return b.String()
}
