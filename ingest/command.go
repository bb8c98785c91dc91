package ingest

import (
	"path"
	"strings"

	"assay/internal/lazyregexp"
)

// command is a command line that somebody typed.
type command struct {
	host string // of the prompt, "" where it names none
	text string // all of it
	line int
	more int // further lines it takes up
}

var (
	// user@host:dir# , user@host dir $, [user@host dir]$
	promptOfHost  = lazyregexp.New(`^\s*(?:\([\w.-]+\) ?)?\[?[\w.+-]+@([\w.-]+)(?:[: ][^$#%>]*)?\]?\s?[$#%>❯] (.*)$`)
	promptOfShell = lazyregexp.New(`^\s{0,4}(?:\$|%|❯|➜|λ|>>>) +(\S.*)$`)
	promptOfDOS   = lazyregexp.New(`^\s{0,4}(?:PS )?[A-Za-z]:\\[^<>|"]*> ?(\S.*)$`)
	promptOfRoot  = lazyregexp.New(`^\s{0,4}(?:[\w.-]+)?[#$] *(\S.*)$`)
	// host:dir #, dir # as on SUSE and busybox
	promptOfDir = lazyregexp.New(`^\s{0,4}(?:([\w.-]+):)?[~/][\w./~+-]* ?[#$] +(\S.*)$`)
	assignment  = lazyregexp.New(`^[A-Za-z_]\w*=`)
)

// promptIn parses a line with a prompt followed by a command. known reports
// whether a program's output can be read: "# dd if=…" is a command, "# Results"
// a heading.
func promptIn(line string, known func(program string) bool) (command, bool) {
	at, sign := signs(line)
	if at && sign {
		if m := promptOfHost.FindStringSubmatch(line); m != nil {
			return command{host: m[1], text: m[2]}, true
		}
	}
	if sign {
		if m := promptOfShell.FindStringSubmatch(line); m != nil {
			return command{text: m[1]}, true
		}
		if m := promptOfDOS.FindStringSubmatch(line); m != nil {
			return command{text: strings.ReplaceAll(m[1], `\`, "/")}, true // its paths, which no shell of Unix would keep
		}
	}
	if sign {
		if m := promptOfRoot.FindStringSubmatch(line); m != nil && startsCommand(m[1], known) {
			return command{text: m[1]}, true
		}
		if m := promptOfDir.FindStringSubmatch(line); m != nil && startsCommand(m[2], known) {
			return command{host: m[1], text: m[2]}, true
		}
	}
	if startsCommand(line, known) {
		return command{text: strings.TrimSpace(line)}, true
	}
	for _, word := range []string{"Command: ", "command: ", "CMD: ", "cmd: "} { // as scripts announce commands
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), word); ok && startsCommand(text, known) {
			return command{text: text}, true
		}
	}
	return command{}, false
}

// signs reports which prompt characters a line contains: one pass is enough for
// most lines.
func signs(line string) (at, sign bool) {
	for i := range len(line) {
		switch c := line[i]; {
		case c == '@':
			at = true
		case c == '#' || c == '$' || c == '%' || c == '>' || c >= 0x80:
			sign = true
		}
	}
	return at, sign
}

// startsCommand reports whether a text without a prompt is a command line: it
// begins with a known program, and continues like a command rather than prose.
func startsCommand(text string, known func(program string) bool) bool {
	text = afterSetup(strings.TrimSpace(text))
	first, _, _ := strings.Cut(text, " ")
	assigns := strings.IndexByte(first, '=') > 0 && assignment.MatchString(first)
	if !prefixes[first] && !assigns && !known(path.Base(first)) {
		return false
	}
	argv := programIn(text, known)
	if len(argv) < 2 {
		return false
	}
	options := 0
	for _, word := range argv[1:] {
		if strings.HasPrefix(word, "-") && len(word) > 1 || strings.Contains(word, "=") {
			options++
		}
	}
	last := argv[len(argv)-1]
	return options > 0 && (strings.HasPrefix(argv[1], "-") || strings.Contains(argv[1], "=") || options*5 >= len(argv)-1) || last == "run"
}

// setup matches what people run on the same line before they measure: "sync; dd
// if=…".
var setup = lazyregexp.New(`^(?:(?:sudo )?(?:sync|cd|echo|sleep|rm|date|clear)(?: [^;&|]*)?(?:;|&&) *)+`)

// afterSetup returns a command line without such setup.
func afterSetup(text string) string { return text[len(setup.FindString(text)):] }

// prefixes are programs that run another one.
var prefixes = map[string]bool{
	"sudo": true, "doas": true, "time": true, "env": true, "nice": true, "ionice": true, "taskset": true,
	"numactl": true, "nohup": true, "chrt": true, "stdbuf": true, "command": true, "exec": true, "~": true,
}

// programIn returns the words of the first known program on a command line,
// without its prefixes; nil if there is none.
func programIn(text string, known func(program string) bool) []string {
	for _, words := range split(text) {
		for len(words) > 0 {
			switch {
			case known(program(words[0])):
				return append([]string{program(words[0])}, words[1:]...)
			case prefixes[words[0]], strings.HasPrefix(words[0], "-"), assignment.MatchString(words[0]), isNumber(words[0]):
				words = words[1:]
				continue
			}
			break
		}
	}
	return nil
}

// program returns a program's name without its directory and Windows extension.
func program(word string) string { return strings.TrimSuffix(path.Base(word), ".exe") }

// complains reports whether a line is an error from a program, or from a shell
// about it: "dd: failed to open …", "-bash: fio: command not found".
func complains(line, program string) bool {
	line = strings.TrimSpace(line)
	// iperf 2 does not name itself.
	if strings.HasSuffix(line, "command not found: "+program) || program == "iperf" && strings.HasPrefix(line, "connect failed: ") {
		return true
	}
	before, after, ok := strings.Cut(line, program+": ")
	return ok && strings.TrimSpace(after) != "" && speaker.MatchString(before)
}

// speaker matches what may precede a program's name in an error from it, or
// from the shell that did not find it.
var speaker = lazyregexp.New(`^(?:-?[\w.]+: (?:line )?(?:\d+: )?)?(?:[^\s:]*/)?$`)

// asksAboutItself reports whether a command only prints its version or options.
func asksAboutItself(argv []string) bool {
	for i, word := range argv {
		switch {
		case i > 0 && (word == "--version" || word == "--help"),
			i == 1 && len(argv) == 2 && (word == "-v" || word == "-V" || word == "-h"):
			return true
		}
	}
	return false
}

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789,-") == "" }

// split cuts a command line into simple commands and those into words, like a
// shell as far as quotes and backslashes go. Redirections are left out,
// substitutions are left as they are.
func split(text string) [][]string {
	var commands [][]string
	var words []string
	var word strings.Builder
	quoted, inWord, redirect := byte(0), false, false
	endWord := func() {
		if inWord && !redirect {
			words = append(words, word.String())
		}
		if inWord {
			redirect = false
		}
		word.Reset()
		inWord = false
	}
	endCommand := func() {
		endWord()
		if len(words) > 0 {
			commands = append(commands, words)
		}
		words, redirect = nil, false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted != 0:
			switch {
			case c == quoted:
				quoted = 0
			case c == '\\' && quoted == '"' && i+1 < len(text) && strings.IndexByte("\\\"$`", text[i+1]) >= 0:
				i++
				word.WriteByte(text[i])
			default:
				word.WriteByte(c)
			}
		case c == '\'' || c == '"':
			quoted, inWord = c, true
		case c == '\\' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			inWord = true
		case c == ' ' || c == '\t':
			endWord()
		case c == '|' || c == ';' || c == '&' && !redirect:
			if c == '&' && i+1 < len(text) && text[i+1] == '>' {
				continue
			}
			endCommand()
		case c == '>' || c == '<':
			if w := word.String(); inWord && isNumber(w) {
				word.Reset()
				inWord = false
			}
			endWord()
			redirect = true
			for i+1 < len(text) && (text[i+1] == '>' || text[i+1] == '&') {
				i++
			}
		case c == '#' && !inWord:
			endCommand()
			return commands
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	endCommand()
	return commands
}
