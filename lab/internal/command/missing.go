package command

import (
	"os"
	"strings"

	"assay"
)

// Needed is a program that a lab needs, and the Debian package that contains it.
// A program with a slash is a path.
type Needed struct{ Program, Package string }

// Missing returns an error with the programs that this machine lacks, or nil if
// it has all. The error names what needs them.
func Missing(what string, all []Needed) error {
	var programs, packages []string
	for _, n := range all {
		if !installed(n.Program) {
			programs, packages = append(programs, n.Program), append(packages, n.Package)
		}
	}
	if len(programs) == 0 {
		return nil
	}
	return assay.WithHint("apt-get install "+strings.Join(packages, " "),
		"%s needs programs that are not here: %s", what, strings.Join(programs, ", "))
}

// installed looks where Output does, whatever PATH says.
func installed(program string) bool {
	if strings.HasPrefix(program, "/") {
		_, err := os.Stat(program)
		return err == nil
	}
	for dir := range strings.SplitSeq(directories, ":") {
		if _, err := os.Stat(dir + "/" + program); err == nil {
			return true
		}
	}
	return false
}
