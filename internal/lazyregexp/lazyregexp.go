// Package lazyregexp compiles regular expressions when they are first used.
// Several hundred are package variables; a command needs a handful of them.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression that is compiled at its first use.
type Regexp struct{ compiled func() *regexp.Regexp }

// inTest has a wrong pattern found by every test of its package.
var inTest = strings.HasSuffix(os.Args[0], ".test")

// New returns a regular expression as regexp.MustCompile does; it panics at the
// first use, in a test at once.
func New(pattern string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })}
	if inTest {
		r.compiled()
	}
	return r
}
