// Package winpath knows how directories of Windows are called, on a machine that is none.
package winpath

import (
	"fmt"
	"strings"

	"assay/internal/lazyregexp"
)

// Pattern is the regular expression of absolute paths on a drive, in JSON Schema's words too: no
// part of one has a letter that Windows allows in no name, or ends with a dot or a blank, which it
// drops. So there is no ".." either.
const Pattern = `^[A-Za-z]:\\(([^<>:"/\\|?*\x00-\x1f\x7f-\x9f]*[^<>:"/\\|?*\x00-\x1f\x7f-\x9f. ]\\)*[^<>:"/\\|?*\x00-\x1f\x7f-\x9f]*[^<>:"/\\|?*\x00-\x1f\x7f-\x9f. ])?$`

// Longest is how many letters a path has at most: MAX_PATH less what is made below it.
const Longest = 200

var pattern = lazyregexp.New(Pattern)

// Valid reports whether a path is an absolute one on a drive, with room for what is made below.
func Valid(path string) bool { return len(path) <= Longest && Absolute(path) }

// Absolute reports whether a path is an absolute one on a drive, however long.
func Absolute(path string) bool { return pattern.MatchString(path) }

// Check refuses any other.
func Check(path string) error {
	if Valid(path) {
		return nil
	}
	return fmt.Errorf(`%.200q is not an absolute path of Windows such as D:\bench`, path)
}

// Join is the path of name in dir.
func Join(dir, name string) string { return strings.TrimSuffix(dir, `\`) + `\` + name }

// Split parts a path into its directory and what that calls it.
func Split(path string) (dir, name string) {
	at := strings.LastIndexByte(path, '\\')
	if dir, name = path[:at+1], path[at+1:]; len(dir) > len(`C:\`) {
		dir = strings.TrimSuffix(dir, `\`)
	}
	return dir, name
}
