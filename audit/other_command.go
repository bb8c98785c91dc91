package audit

import (
	"fmt"
	"math"
	"strings"

	"assay"
)

var otherCommand = Rule{
	ID: "other-command", Number: 106, Applies: "fio, dd, rbd bench", Severities: "W",
	Title:   "The command does not match this output",
	Formula: "the block size, the queue depth, the number of threads or the pattern of the command differ from what the output itself says; for dd, bs x count of the command is less than what was copied, or bs x the records that were read is not what was copied",
	Source:  "fio(1) and rbd(8): both print what they were told in the first line of their output",
	Example: "bs 8k in the command, 4096 in the output",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if !l.foreign() {
				continue
			}
			if f := l.belies(); f != nil {
				found = append(found, *f)
			}
		}
		return found
	},
}

// commandWords maps tools to command options and the output label that each must match.
var commandWords = map[string][]struct {
	options []string
	label   string
	size    bool
}{
	"fio": {{[]string{"bs", "blocksize"}, "bs", true}, {[]string{"rw", "readwrite"}, "pattern", false}},
	"rbd": {{[]string{"io-size"}, "bs", true}, {[]string{"io-threads"}, "threads", false}},
}

// belies finds a command that contradicts its output. A command with several jobs has
// several values, so it is not judged.
func (l look) belies() *assay.Finding {
	tool := l.label("", "tool")
	argv := l.argv()
	if tool == "dd" {
		return l.copiedMore(argv)
	}
	names := 0
	for _, word := range argv {
		if option([]string{word}, "name") != "" {
			names++
		}
	}
	if names > 1 {
		return nil
	}
	for _, t := range commandWords[tool] {
		said := ""
		for _, name := range t.options {
			if said = l.optionOf(argv, name); said != "" {
				break
			}
		}
		does := l.label("", t.label)
		if said == "" || does == "" || said == does {
			continue
		}
		if t.size {
			a, okA := parseSize(said)
			b, okB := parseSize(does)
			if !okA || !okB || a == b || math.Abs(float64(a)/float64(b)-1) < blockRounding {
				continue
			}
		} else if sameWork(said, does) {
			continue
		}
		f := l.finding("other-command", assay.Warns, l.headlines(), fmt.Sprintf("%s %s in the command, %s in the output", t.options[0], said, does),
			"this output did not come from the command above it, so other settings may differ too", "paste the command together with its own output")
		return &f
	}
	return nil
}

// copiedMore finds a dd that copied more than its command requested: copying less may
// just mean that the input ended.
func (l look) copiedMore(argv []string) *assay.Finding {
	count, ok := parseCount(operand(argv, "count"))
	size, known := parseSize(orDefault(operand(argv, "bs"), operand(argv, "ibs")))
	if operand(argv, "bs") == "" && operand(argv, "ibs") == "" {
		size, known = 512, true
	}
	for _, metric := range []string{"storage.write.bytes", "storage.read.bytes"} {
		bytes, printed := l.median(metric)
		if f := l.otherBlocks(argv, bytes, printed); f != nil {
			return f
		}
		told := float64(size) * float64(count)
		if !ok || !known || !printed || bytes <= told*(1+blockRounding) {
			continue
		}
		f := l.finding("other-command", assay.Warns, l.headlines(), fmt.Sprintf("size %s in the command, %s in the output", volume(told), volume(bytes)),
			"this output did not come from the command above it, so other settings may differ too", "paste the command together with its own output")
		return &f
	}
	return nil
}

// otherBlocks finds records that do not match the command's block size; nil if they do.
// Each record is a full or partial block.
func (l look) otherBlocks(argv []string, bytes float64, printed bool) *assay.Finding {
	size, known := parseSize(l.label("", "bs")) // in dd's units: MB is 1,000,000
	full, parts, _ := strings.Cut(l.label("", "records"), "+")
	whole, ok := parseFloat(full)
	rest, okRest := parseFloat(parts)
	if !ok || !okRest || !known || !printed || len(argv) == 0 || operand(argv, "ibs")+operand(argv, "obs") != "" || !(bytes > 0) || !(whole > 0) {
		return nil
	}
	least, most := whole*float64(size), (whole+rest)*float64(size)
	if least <= bytes*(1+blockRounding) && most >= bytes*(1-blockRounding) {
		return nil
	}
	f := l.finding("other-command", assay.Warns, l.headlines(),
		fmt.Sprintf("blocks of %s in the command, of %s in the output", pieceOf(size), pieceOf(int64(bytes/whole))),
		"this output did not come from the command above it, so other settings may differ too", "paste the command together with its own output")
	return &f
}

// sameWork reports whether two pattern names mean the same: a job file's rw is a
// mix, and its parts may be listed separately.
func sameWork(a, b string) bool {
	return isMixed(a) && isMixed(b) && isRandom(a) == isRandom(b) || isMixed(a) || isMixed(b)
}

// optionOf returns the value of --name=value or --name value.
func (l look) optionOf(argv []string, name string) string {
	if v := option(argv, name); v != "" {
		return v
	}
	for i, word := range argv {
		if (word == "--"+name || word == "-"+name) && i+1 < len(argv) {
			return argv[i+1]
		}
	}
	for _, word := range argv {
		if v := option([]string{"-" + word}, name); v != "" { // some write -bs=4k
			return v
		}
	}
	return ""
}
