// Package patient is for tests that wait more than they compute: for connections to
// be given up, for tools to measure, for labs to come up.
package patient

import (
	"flag"
	"strconv"
	"testing"
)

// Run runs the tests of a package, n of them at the same time where -parallel does
// not say. By itself Go has no more of them at once than there are processors.
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
