// Package patient is for tests that mostly wait: for connections to time out, for
// tools to measure, for labs to come up.
package patient

import (
	"flag"
	"strconv"
	"testing"
)

// Run runs the tests of a package, n at a time unless -parallel is set. Go's own
// limit is the number of processors.
func Run(m *testing.M, n int) (status int) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
			panic(err)
		}
	}
	return m.Run()
}
