// Package lazyregexp compiles regular expressions on first use. Several hundred
// are package variables; a command needs a handful of them.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression that is compiled on first use.
type Regexp struct {
	pattern  string
	once     sync.Once
	standard *regexp.Regexp
	opening  opening
}

// inTest makes every test of a package find its invalid patterns.
var inTest = strings.HasSuffix(os.Args[0], ".test")

// New returns a regular expression as regexp.MustCompile does, but panics on
// first use, in a test at once.
func New(pattern string) *Regexp {
	r := &Regexp{pattern: pattern}
	if inTest {
		r.compiled()
	}
	return r
}

func (r *Regexp) compiled() *regexp.Regexp {
	r.once.Do(func() { r.standard, r.opening = regexp.MustCompile(r.pattern), openingOf(r.pattern) })
	return r.standard
}
