package yamldoc

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"

	"assay/internal/winpath"
)

// Label is a short word, including one that looks like a number.
type Label string

// LongestLabel is the maximum length of a Label in bytes.
const LongestLabel = 200

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Label) UnmarshalText(text []byte) error {
	*l = Label(text)
	if len(text) == 0 || len(text) > LongestLabel || !Printable(string(text)) {
		return fmt.Errorf("a word of 1 to %d letters", LongestLabel)
	}
	return nil
}

// longestPath is PATH_MAX without its terminating zero (limits.h).
const longestPath = 4095

// Path is an absolute path without control characters.
type Path string

// ReadYAML implements Reader.
func (p *Path) ReadYAML(n Node) { *p = Path(n.Path("/")) }

// DevicePath is a path below /dev.
type DevicePath string

// ReadYAML implements Reader.
func (p *DevicePath) ReadYAML(n Node) { *p = DevicePath(n.Path("/dev/")) }

// WindowsPath is an absolute path on a Windows drive.
type WindowsPath string

// ReadYAML implements Reader.
func (p *WindowsPath) ReadYAML(n Node) {
	text, ok := n.Text()
	if ok && !winpath.Valid(text) {
		n.Fault(`%s: %q is not an absolute path of Windows such as 'D:\bench'`, n.name(), Clip(text))
		return
	}
	*p = WindowsPath(text)
}

// Path returns an absolute path below root.
func (n Node) Path(root string) string {
	text, ok := n.Text()
	if !ok {
		return ""
	}
	if !path.IsAbs(text) || !strings.HasPrefix(text, root) || !fileName(text) {
		n.Fault("%s: %q is not an absolute path below %s", n.name(), Clip(text), root)
		return ""
	}
	return text
}

// FileName is the name of a file: absolute, or relative to something.
type FileName string

// ReadYAML implements Reader.
func (f *FileName) ReadYAML(n Node) {
	text, ok := n.Text()
	if ok && (text == "" || strings.HasPrefix(text, "-") || !fileName(text)) {
		n.Fault("%s: %q is not a file name", n.name(), Clip(text))
	}
	*f = FileName(text)
}

func fileName(text string) bool { return len(text) <= longestPath && Printable(text) }

// Printable reports whether a word has no control characters.
func Printable(word string) bool { return !strings.ContainsFunc(word, unicode.IsControl) }

// OneOf implements UnmarshalText for a type with a few known words.
func OneOf[T ~string](into *T, text []byte, known ...T) error {
	var names []string
	for _, k := range known {
		if string(k) == string(text) {
			*into = k
			return nil
		}
		names = append(names, string(k))
	}
	expected := strings.Join(names, " or ")
	if near := Meant(string(text), names); strings.HasPrefix(near, "; did") {
		expected += near
	}
	return errors.New(expected)
}
