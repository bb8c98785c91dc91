// Package winpath handles Windows paths on machines that do not run Windows.
package winpath

import (
	"fmt"
	"strings"

	"assay/internal/lazyregexp"
)

// Pattern is the regular expression of absolute paths on a drive, valid in JSON Schema too: no
// path element has a character that Windows forbids, or ends with a dot or a blank, which
// Windows drops. So there is no ".." either.
const Pattern = `^[A-Za-z]:\\(([^<>:"/\\|?*\x00-\x1f\x7f-\x9f]*[^<>:"/\\|?*\x00-\x1f\x7f-\x9f. ]\\)*[^<>:"/\\|?*\x00-\x1f\x7f-\x9f]*[^<>:"/\\|?*\x00-\x1f\x7f-\x9f. ])?$`

// Longest is the maximum length of a path: MAX_PATH less what is made below it.
const Longest = 200

var pattern = lazyregexp.New(Pattern)

// Valid reports whether path is absolute, on a drive, and leaves room for what is made below
// it.
func Valid(path string) bool { return len(path) <= Longest && Absolute(path) }

// Absolute reports whether path is absolute and on a drive, whatever its
// length.
func Absolute(path string) bool { return pattern.MatchString(path) }

// Check returns an error unless path is Valid.
func Check(path string) error {
	if Valid(path) {
		return nil
	}
	return fmt.Errorf(`%.200q is not an absolute path of Windows such as D:\bench`, path)
}

// Join returns the path of name in dir.
func Join(dir, name string) string { return strings.TrimSuffix(dir, `\`) + `\` + name }

// Split splits a path into its directory and its last element.
func Split(path string) (dir, name string) {
	at := strings.LastIndexByte(path, '\\')
	if dir, name = path[:at+1], path[at+1:]; len(dir) > len(`C:\`) {
		dir = strings.TrimSuffix(dir, `\`)
	}
	return dir, name
}
