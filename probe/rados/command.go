package rados

import (
	"path"
	"strings"
)

// asked is what the command line says, in place of what rados bench does not
// print about reads.
type asked struct {
	known   bool
	op      string // write, seq, rand
	threads string
	pool    string
}

// defaultThreads is rados bench's default (manual, -t).
const defaultThreads = "16"

// valued are the options that take a value as the next word.
var valued = map[string]string{
	"-t": "threads", "--concurrent-ios": "threads", "-p": "pool", "--pool": "pool",
	"-b": "", "--block-size": "", "-O": "", "--object-size": "", "--max-objects": "", "--run-name": "", "-f": "", "--format": "",
	"-c": "", "--conf": "", "-m": "", "--id": "", "-n": "", "--name": "", "-k": "", "--keyring": "", "--cluster": "", "-N": "",
	"--namespace": "", "-o": "", "--output": "",
}

// command parses a command line of rados. The operation is the word after the
// seconds.
func command(argv []string) asked {
	var a asked
	if len(argv) < 3 || path.Base(argv[0]) != "rados" {
		return a
	}
	set := map[string]string{}
	var plain []string
	for i := 0; i < len(argv); i++ {
		word := argv[i]
		name, value, given := strings.Cut(word, "=")
		switch key, known := valued[name]; {
		case known && given:
			set[key] = value
		case known && i+1 < len(argv):
			i++
			set[key] = argv[i]
		case strings.HasPrefix(word, "-t") && !strings.HasPrefix(word, "--") && len(word) > 2:
			set["threads"] = word[2:]
		case strings.HasPrefix(word, "-"):
		default:
			plain = append(plain, word)
		}
	}
	for i, word := range plain {
		if word == "bench" && i+2 < len(plain) {
			switch op := plain[i+2]; op {
			case "write", "seq", "rand":
				a.known, a.op = true, op
			}
			break
		}
	}
	if !a.known {
		return asked{}
	}
	a.pool = set["pool"]
	if a.threads = set["threads"]; a.threads == "" {
		a.threads = defaultThreads
	}
	if strings.Trim(a.threads, "0123456789") != "" {
		a.threads = ""
	}
	return a
}

// complete adds what only the command line says, if it is about the same
// operation as the output.
func (p *printed) complete(a asked) {
	if !a.known || p.op != "" && (p.op == "write") != (a.op == "write") {
		return
	}
	if p.op == "" {
		p.op = "read"
		if a.op == "write" {
			p.op = "write"
		}
	}
	if p.op == "read" && p.order == "" {
		p.order = a.op
	}
	if p.threads == "" {
		p.threads = a.threads
	}
	if p.pool == "" {
		p.pool = a.pool
	}
}
