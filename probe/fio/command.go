package fio

import (
	"slices"
	"strconv"
	"strings"
)

// options maps fio's options to their values, by each option's first name.
type options map[string]string

// commandLine is what a command line tells fio.
type commandLine struct {
	global options
	// jobs are the jobs that it describes, each with its name, or "".
	jobs []commandJob
	// file means that a job file is named, which says more than can be seen
	// here.
	file bool
}

type commandJob struct {
	name    string
	options options
}

// bareOptions take no value: a word after one of them is not its value.
var bareOptions = []string{
	"thread", "group_reporting", "time_based", "new_group", "stonewall", "wait_for_previous", "gtod_reduce",
	"zero_buffers", "refill_buffers", "norandommap", "exitall", "exitall_on_error", "minimal", "readonly",
	"append-terse", "showcmd", "parse-only", "eta-newline", "allow_mounted_write", "idle-prof", "disable_lat",
}

// readCommand parses the options on a command line that starts fio.
func readCommand(argv []string) commandLine {
	c := commandLine{global: options{}}
	at := slices.IndexFunc(argv, func(word string) bool {
		return isFioProgram(word) || strings.HasPrefix(word, "--name=")
	})
	if at < 0 {
		return c
	}
	if isFioProgram(argv[at]) {
		at++
	}
	now := options{}
	name, named, global := "", false, false
	finish := func() {
		if global {
			for k, v := range now {
				c.global[k] = v
			}
		} else if len(now) > 0 || named {
			c.jobs = append(c.jobs, commandJob{name, now})
		}
	}
	for ; at < len(argv) && !endsCommand(argv[at]); at++ {
		word := argv[at]
		option, isOption := strings.CutPrefix(word, "-")
		if !isOption {
			c.file = true
			continue
		}
		key, value, given := strings.Cut(strings.TrimPrefix(option, "-"), "=")
		if !given {
			value = "1"
			if at+1 < len(argv) && !strings.HasPrefix(argv[at+1], "-") && !endsCommand(argv[at+1]) && !slices.Contains(bareOptions, key) {
				at++
				value = argv[at]
			}
		}
		if key != "name" {
			now[canonical(key)] = value
			continue
		}
		// Options before the first name belong to that job, too.
		if named {
			finish()
			now = options{}
		}
		name, named, global = value, true, value == "global"
	}
	finish()
	return c
}

// isFioProgram reports whether a word names the program, with any path.
func isFioProgram(word string) bool {
	if i := strings.LastIndexAny(word, `/\`); i >= 0 {
		word = word[i+1:]
	}
	return word == "fio" || word == "fio.exe"
}

// endsCommand reports whether a shell word ends the command before it.
func endsCommand(word string) bool {
	switch word {
	case "|", "||", "&", "&&", ";", "2>&1":
		return true
	}
	return strings.HasPrefix(word, ">") || strings.HasPrefix(word, "2>") || strings.HasPrefix(word, "1>")
}

// of returns the options of the named job.
func (c commandLine) of(name string) options {
	o := options{}
	add := func(more options) {
		for k, v := range more {
			o[k] = v
		}
	}
	add(c.global)
	for _, j := range c.jobs {
		if j.name == name || len(c.jobs) == 1 && (j.name == "" || !c.file) {
			add(j.options)
		}
	}
	return o
}

// canonical returns the first name of an option that has several.
func canonical(key string) string {
	switch key {
	case "readwrite":
		return "rw"
	case "blocksize":
		return "bs"
	case "io_engine":
		return "ioengine"
	}
	return key
}

// told holds the options given to fio.
type told struct {
	options
	// complete means that all of it is known: what is missing has fio's default.
	complete bool
}

// toldTo collects what is known of how a job was run: the command line, then
// fio's own account, which takes precedence.
func toldTo(command commandLine, d document, j *job) told {
	t := told{options: command.of(j.name)}
	t.complete = len(t.options) > 0 && !command.file
	for _, more := range []options{d.global, j.options} {
		for k, v := range more {
			t.options[k] = v
		}
		t.complete = t.complete || len(more) > 0 && !d.text
	}
	if t.replays(j) {
		t.complete = false
		for _, key := range []string{"rw", "bs", "bsrange", "bssplit", "iodepth"} {
			delete(t.options, key)
		}
	}
	return t
}

// replays reports whether a job replayed a trace: its directions, sizes and times are
// then not those that fio announces. A read job that wrote did so as well.
func (t told) replays(j *job) bool {
	return t.options["read_iolog"] != "" || onlyDirection(pattern(t.options["rw"])) == "read" && j.write.moved()
}

// size parses an option that is a size in bytes.
func (o options) size(key string) (int64, bool) { return fioSize(o[key], o["kb_base"]) }

// fioSize parses a size as fio does: with kb_base=1024, its default, k, kb and
// m are powers of 1024, but KiB and MiB powers of 1000.
func fioSize(text, kbBase string) (int64, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	digits := strings.TrimRight(text, "kmgtib")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > 1<<60 {
		return 0, false
	}
	unit := strings.TrimSuffix(text[len(digits):], "b")
	base := int64(1024)
	prefix, binary := strings.CutSuffix(unit, "i")
	if binary != (kbBase == "1000") {
		base = 1000
	}
	power := 0
	if prefix != "" {
		if power = strings.Index("kmgt", prefix) + 1; power == 0 || len(prefix) > 1 || power > 4 {
			return 0, false
		}
	}
	for range power {
		if n > (1<<62)/base {
			return 0, false
		}
		n *= base
	}
	return n, n > 0
}
