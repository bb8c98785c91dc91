package rbd

import (
	"math"
	"strconv"
	"strings"
)

// complete adds what only the command line says. What it omits has rbd's own
// defaults: 4 KiB, 16 operations at once, sequential.
func (p *printed) complete(argv []string) {
	p.timed = len(argv) > 0 && argv[0] == timed
	set, kind := options(argv)
	if kind == "" {
		return
	}
	if p.kind == "" {
		p.kind = kind
	}
	if p.kind != kind {
		return
	}
	fill := func(to *string, name, otherwise string) {
		if *to != "" {
			return
		}
		if *to = set[name]; *to == "" {
			*to = otherwise
		}
	}
	if p.size == "" {
		p.size = "4096"
		if v := set["--io-size"]; v != "" {
			p.size = sizeOf(v)
		}
	}
	fill(&p.threads, "--io-threads", "16")
	if strings.Trim(p.threads, "0123456789") != "" {
		p.threads = ""
	}
	fill(&p.pattern, "--io-pattern", "sequential")
	switch p.pattern {
	case "rand":
		p.pattern = "random"
	case "seq", "full-seq":
		p.pattern = "sequential"
	}
	fill(&p.pool, "--pool", set["-p"])
}

// options parses a command line; kind is what it moves, or "" if it is not a
// benchmark.
func options(argv []string) (set map[string]string, kind string) {
	set = map[string]string{}
	bench := false
	for i := 0; i < len(argv); i++ {
		word := argv[i]
		switch {
		case word == "bench":
			bench = true
		case word == "bench-write":
			kind = "write"
		case strings.HasPrefix(word, "-"):
			name, value, given := strings.Cut(word, "=")
			if !given && i+1 < len(argv) && (strings.HasPrefix(name, "--io-") || name == "--pool" || name == "-p" || name == "--image") {
				i++
				value = argv[i]
			}
			set[name] = value
		}
	}
	if bench {
		kind = set["--io-type"]
		if kind == "rw" {
			kind = "readwrite"
		}
	}
	return set, kind
}

// sizeOf returns a size in bytes, or "" if invalid. Prefixes are powers of
// 1024.
func sizeOf(text string) string {
	digits := strings.TrimRight(text, "iBbKkMmGgTt")
	v, err := strconv.ParseFloat(digits, 64)
	unit := strings.ToUpper(strings.TrimRight(text[len(digits):], "iBb"))
	i := strings.Index("KMGT", unit)
	if err != nil || v <= 0 || len(unit) > 1 || i < 0 {
		return ""
	}
	if unit != "" {
		v *= math.Pow(1024, float64(i+1))
	}
	if v > 1e15 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}
