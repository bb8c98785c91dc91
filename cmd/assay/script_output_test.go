package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/report"
)

// Commands that check assay's output.

// exits CODE[|CODE...] COMMAND ARG... runs a command that must exit with one of
// these codes.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE[|CODE...] COMMAND ARG...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%s: %v", args[1], err)
	}
	if !slices.Contains(strings.Split(args[0], "|"), strconv.Itoa(code)) {
		ts.Fatalf("%s exited %d, want %s", strings.Join(args[1:], " "), code, args[0])
	}
}

// plain FILE... checks that the files suit any terminal: no escape sequences,
// and no line over 80 columns, except in stderr, whose messages may name long
// paths.
func cmdPlain(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		for n, line := range strings.Split(ts.ReadFile(name), "\n") {
			if strings.ContainsAny(line, "\x1b\r") {
				ts.Fatalf("%s:%d: has control characters: %q", name, n+1, line)
			}
			if w := utf8.RuneCountInString(line); w > 80 && name != "stderr" {
				ts.Fatalf("%s:%d: is %d columns wide: %s", name, n+1, w, line)
			}
		}
	}
}

// json FILE [PATH=VALUE...] checks that FILE is one JSON document and nothing
// else, in which each path (runs.0.status, runs.count) has that value; a +
// after the path requires at least VALUE elements.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: json FILE [PATH=VALUE...]")
	}
	var doc any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &doc); err != nil {
		ts.Fatalf("%s is not one JSON document: %v", args[0], err)
	}
	for _, want := range args[1:] {
		path, value, _ := strings.Cut(want, "=")
		path, atLeast := strings.CutSuffix(path, "+")
		got, err := dig(doc, strings.Split(path, "."))
		if err != nil {
			ts.Fatalf("%s: %s: %v", args[0], path, err)
		}
		if atLeast {
			list, _ := got.([]any)
			if least, _ := strconv.Atoi(value); len(list) < least {
				ts.Fatalf("%s: %s has %d elements, want at least %s", args[0], path, len(list), value)
			}
			continue
		}
		if text := fmt.Sprint(got); text != value {
			ts.Fatalf("%s: %s is %q, want %q", args[0], path, text, value)
		}
	}
}

func dig(doc any, path []string) (any, error) {
	for _, key := range path {
		switch at := doc.(type) {
		case map[string]any:
			v, ok := at[key]
			if !ok {
				return nil, fmt.Errorf("no %q among %d keys", key, len(at))
			}
			doc = v
		case []any:
			if key == "count" {
				return len(at), nil
			}
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(at) {
				return nil, fmt.Errorf("no element %q of %d", key, len(at))
			}
			doc = at[i]
		default:
			return nil, fmt.Errorf("%v has no %q", doc, key)
		}
	}
	return doc, nil
}

// valid FILE SCHEMA checks the JSON document against the JSON Schema.
func cmdValid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: valid FILE SCHEMA")
	}
	read := func(name string) any {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(name)))
		if err != nil {
			ts.Fatalf("%s: %v", name, err)
		}
		return v
	}
	if !bytes.Equal([]byte(ts.ReadFile(args[1])), report.JSONSchema()) {
		ts.Fatalf("%s is not the schema that this assay has", args[1])
	}
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource("schema.json", read(args[1])))
	schema, err := c.Compile("schema.json")
	ts.Check(err)
	if err := schema.Validate(read(args[0])); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
}

// empty DIR... checks that the directories are empty.
func cmdEmpty(ts *testscript.TestScript, neg bool, args []string) {
	for _, dir := range args {
		entries, err := os.ReadDir(ts.MkAbs(dir))
		ts.Check(err)
		if empty := len(entries) == 0; empty == neg {
			ts.Fatalf("%s holds %v", dir, names(entries))
		}
	}
}

func names(entries []os.DirEntry) (out []string) {
	for _, e := range entries {
		out = append(out, filepath.Base(e.Name()))
	}
	return out
}

// binary FILE writes a file that is not text.
func cmdBinary(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: binary FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte("\x00\x01\x02fio"), 0o600))
}
