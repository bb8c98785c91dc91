package fio

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/internal/winpath"
)

// engineWindows is fio's asynchronous engine on Windows.
const engineWindows = "windowsaio"

// notOnSystem returns why a case cannot be measured with the fio of a host's system, or
// nil.
func notOnSystem(s settings, f assay.Facts, subject assay.Subject) *assay.Absence {
	no := func(why, hint string) *assay.Absence {
		return &assay.Absence{Word: assay.NotSupported, Why: why, Hint: hint}
	}
	switch {
	case !f.OS.Windows && s.engine == engineWindows:
		return no(fmt.Sprintf("%s does not run Windows: its fio has no engine %s", subject.Host, engineWindows), "engine: async")
	case !f.OS.Windows:
		return nil
	case subject.Kind != assay.KindDirectory:
		return no(fmt.Sprintf("of Windows hosts, such as %s, directories are measured, not %ss", subject.Host, subject.Kind), "")
	case strings.ContainsAny(subject.Name, "#;"):
		return no(fmt.Sprintf("fio cuts the name of %s off at # and ;", subject.Name), "use another directory")
	case s.engine != engineWindows && slices.Contains(asyncEngines, s.engine):
		return no(fmt.Sprintf("fio on Windows has no engine %s", s.engine), "engine: async")
	case s.engine != engineWindows && s.engine != "psync" && s.engine != "sync":
		return no(fmt.Sprintf("fio on Windows is not measured with the engine %s", s.engine), "engine: async")
	case s.engine != engineWindows && s.direct:
		return no(fmt.Sprintf("fio's %s does no direct I/O on Windows", s.engine), "engine: async")
	case s.sync == "dsync":
		return no("fio on Windows knows no O_DSYNC", "sync: 1")
	case s.steady:
		return no("a repeat that ends when it is steady needs what fio prints while it runs, which a Windows guest tells at its end", "")
	}
	return nil
}

// windowsCommand returns fio's command line for one job on one Windows file. fio splits names
// at ":" unless a backslash escapes it, and leaves other backslashes alone. Linux-only options
// are left out: file allocation, and a report each second, of which a guest agent passes on
// none before the end and no more than a few MiB.
func windowsCommand(job, file string, args []string) ([]string, error) {
	if _, name := winpath.Split(file); !winpath.Absolute(file) || strings.ContainsAny(file, "#;") || strings.HasPrefix(name, "-") {
		return nil, fmt.Errorf("fio cannot use the scratch file name %q", file)
	}
	args = slices.DeleteFunc(slices.Clone(args), func(word string) bool {
		return strings.HasPrefix(word, "--fallocate=") || strings.HasPrefix(word, "--status-interval=")
	})
	return append([]string{"fio.exe", "--name=" + job, "--filename=" + strings.ReplaceAll(file, ":", `\:`), "--thread"}, args...), nil
}
