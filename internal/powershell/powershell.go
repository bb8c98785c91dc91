// Package powershell builds commands for Windows PowerShell 5.1, which every Windows since 10
// and Server 2016 has. Scripts are fixed texts; their input is passed in base64, so that no
// value is ever parsed as script. They answer in JSON, also in base64, as the console's code
// page cannot be relied on.
package powershell

import (
	"bytes"
	_ "embed" // the prelude
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"assay"
)

//go:embed prelude.ps1
var prelude string

// Program is what runs a script.
const Program = "powershell.exe"

// longest is how many letters of arguments Windows accepts (32767), less room for
// quotes.
const longest = 32000

// Command returns the command that runs a script, in which $given is the value given.
// The script calls Answer once.
func Command(script string, given any) ([]string, error) {
	value, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	text := strings.Replace(prelude, "GIVEN", base64.StdEncoding.EncodeToString(value), 1) + slim(script)
	units, err := binary.Append(nil, binary.LittleEndian, utf16.Encode([]rune(text)))
	if err != nil {
		return nil, err
	}
	argv := []string{
		Program, "-NoLogo", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-InputFormat", "None", "-OutputFormat", "Text",
		"-EncodedCommand", base64.StdEncoding.EncodeToString(units),
	}
	if n := len(strings.Join(argv, " ")); n > longest {
		return nil, fmt.Errorf("a command of %d letters is too long for Windows, which takes %d: name fewer directories", n, longest)
	}
	return argv, nil
}

// slim drops comment lines and indentation: the script is an argument.
func slim(script string) string {
	var kept strings.Builder
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			kept.WriteString(line + "\n")
		}
	}
	return kept.String()
}

// Read decodes a script's answer into a value. It is pure and total.
func Read(stdout []byte, into any) error {
	_, rest, begins := bytes.Cut(stdout, []byte("@@"))
	coded, _, ends := bytes.Cut(rest, []byte("@@"))
	if !begins || !ends {
		return fmt.Errorf("PowerShell did not answer: %w", assay.ErrNoOutput)
	}
	text, err := base64.StdEncoding.DecodeString(string(coded))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("unexpected reply from PowerShell: %w", err)
	}
	return nil
}

// Given returns what a command from Command passes to its script, and the script's text, for
// stand-ins for PowerShell.
func Given(argv []string, into any) (script string, err error) {
	units, err := base64.StdEncoding.DecodeString(argv[len(argv)-1])
	if err != nil {
		return "", err
	}
	words := make([]uint16, len(units)/2)
	if _, err := binary.Decode(units, binary.LittleEndian, words); err != nil {
		return "", err
	}
	text := string(utf16.Decode(words))
	begins, ends, _ := strings.Cut(prelude, "GIVEN")
	rest, is := strings.CutPrefix(text, begins)
	coded, script, whole := strings.Cut(rest, ends)
	if !is || !whole {
		return "", fmt.Errorf("%.60q does not start with the prelude of assay's scripts", text)
	}
	value, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		return "", err
	}
	return script, json.Unmarshal(value, into)
}

// Slim returns a script as it arrives.
func Slim(script string) string { return slim(script) }

// Answer returns what a script prints to answer with a value, for stand-ins for it.
func Answer(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	return []byte("@@" + base64.StdEncoding.EncodeToString(text) + "@@"), err
}

// Said returns PowerShell's own error from its output: the first line.
func Said(out assay.Output) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(out.Stderr)), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return fmt.Sprintf("PowerShell exited %d", out.Exit)
	}
	return fmt.Sprintf("%.300s", line)
}

// List is an array as ConvertTo-Json writes it: a single element may stand alone, an empty
// list may be null, and PowerShell 5.1 may wrap an array in an object with its count.
type List[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (l *List[T]) UnmarshalJSON(text []byte) error {
	*l = nil
	switch text = bytes.TrimSpace(text); {
	case string(text) == "null":
		return nil
	case text[0] == '[':
		return json.Unmarshal(text, (*[]T)(l))
	}
	var wrapped struct {
		Value []T  `json:"value"`
		Count *int `json:"Count"`
	}
	if json.Unmarshal(text, &wrapped) == nil && wrapped.Count != nil && len(wrapped.Value) == *wrapped.Count {
		*l = wrapped.Value
		return nil
	}
	var one T
	err := json.Unmarshal(text, &one)
	*l = []T{one}
	return err
}
