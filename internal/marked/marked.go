package marked

import (
	"fmt"
	"os"
	"strings"
)

// Begin returns the line before what a program called name writes.
func Begin(name string) string { return "<!-- " + name + ": begin -->\n" }

// End returns the line after it.
func End(name string) string { return "<!-- " + name + ": end -->\n" }

// Between returns the text between the marks of name; ok is false if they are
// missing or in the wrong order.
func Between(document, name string) (text string, ok bool) {
	_, rest, begins := strings.Cut(document, Begin(name))
	text, _, ends := strings.Cut(rest, End(name))
	return text, begins && ends
}

// Write replaces the text between the marks of name in a document, which must
// have them.
func Write(path, name, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	was, ok := Between(string(old), name)
	if !ok {
		return fmt.Errorf("%s: the marks %q and %q are not there", path, strings.TrimSpace(Begin(name)), strings.TrimSpace(End(name)))
	}
	now := strings.Replace(string(old), Begin(name)+was+End(name), Begin(name)+text+End(name), 1)
	return os.WriteFile(path, []byte(now), 0o644) //nolint:gosec // readable by everybody
}
