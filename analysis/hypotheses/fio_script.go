package hypotheses

import "strings"

// fioScript is a wrapper around fio, which may change its arguments.
var fioScript = Hypothesis{
	ID: "fio-script", Layer: "storage", Name: "a wrapper around fio", Usual: 2, Standing: true, Slower: true,
	Slows:   slows(.5, storage...),
	Clues:   []Clue{{Ask: hasSetting("fio", isScript), If: .97, Else: .0005, Proves: true, Says: "its fio is {own}, theirs {theirs}"}},
	Decides: "fio --version and the real fio on that host",
	Remedy:  "Remove the script that shadows fio on {host}: type -a fio",
}

// fioVersion is a different version of fio.
var fioVersion = Hypothesis{
	ID: "fio-version", Layer: "storage", Name: "another version of fio", Usual: 3, Standing: true, Slower: true,
	Slows:   slows(.25, storage...),
	Clues:   []Clue{{Ask: hasSetting("fio", func(t string) bool { return !isScript(t) }), If: .97, Else: .003, Proves: true, Says: "its fio is another version, {own}"}},
	Decides: "run the others' fio on that host",
	Remedy:  "Install the others' version of fio on {host}",
}

func isScript(text string) bool { return strings.HasSuffix(text, "(a script)") }
