// Package powershell makes commands of Windows PowerShell 5.1, which every Windows since 10 and
// Server 2016 has. Scripts are fixed texts; what they work on is handed over in base64, so that
// no value is ever read as a part of one. They answer in JSON, in base64 too: the code page of a
// console is nobody's.
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

// longest is how many letters of arguments Windows takes (32767), less room for quotes.
const longest = 32000

// Command returns the command that runs a script, in which $given is what was given. The
// script calls Answer once.
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

// slim drops comments that are a line of their own, and indents: the script is an argument.
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
		return fmt.Errorf("unusable answer of PowerShell: %w", err)
	}
	return nil
}

// Given is what a command of Command hands to its script, and the script's text, for those who
// stand in for PowerShell.
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

// Slim is how a script arrives.
func Slim(script string) string { return slim(script) }

// Answer is what a script prints that answers with a value, for those who stand in for it.
func Answer(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	return []byte("@@" + base64.StdEncoding.EncodeToString(text) + "@@"), err
}

// Said is PowerShell's own error in what it printed: its first line.
func Said(out assay.Output) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(out.Stderr)), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return fmt.Sprintf("PowerShell exited %d", out.Exit)
	}
	return fmt.Sprintf("%.300s", line)
}

// List is an array as ConvertTo-Json writes it: one element may stand alone, none may be null,
// and PowerShell 5.1 may wrap an array in an object with its count.
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
