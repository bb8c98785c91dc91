package pasted

import (
	"strings"

	"assay/internal/lazyregexp"
)

// opensslSpeed reads the tables of openssl speed. Its k is 1000 bytes per
// second.
var opensslSpeed = tool{
	name: "openssl", commands: []string{"openssl"}, first: "TDtvs", begins: opensslBegins, read: readOpenSSL,
	once: []string{"The 'numbers' are in 1000s", "bytes per second processed", "verify    sign/s"},
}

var (
	opensslHead  = lazyregexp.New(`^type +16 bytes +64 bytes +256 bytes`)
	opensslOne   = lazyregexp.New(`^type +(\d+) bytes$`)
	opensslRow   = lazyregexp.New(`^([A-Za-z][\w ./()-]*?) +((?:[\d.]+k *)+)$`)
	opensslSign  = lazyregexp.New(`^\s+sign +verify +sign/s +verify/s$`)
	opensslKey   = lazyregexp.New(`^ *([a-z0-9]+(?: +[\w()-]+)*?) +(?:bits )?[\d.]+s +[\d.]+s +([\d.]+) +([\d.]+)$`)
	opensslDoing = lazyregexp.New(`^Doing .+ for \d+s(?: on \d+ size blocks)?: \d+ .+ in [\d.]+s$`)
)

func opensslBegins(line string) bool {
	return strings.HasPrefix(line, "The 'numbers' are in 1000s of bytes per second") || opensslHead.MatchString(line) ||
		opensslSign.MatchString(line) || opensslDoing.MatchString(line)
}

func readOpenSSL(p *page) {
	p.labels["threads"] = "1"
	if n := p.option("-multi"); n != "" {
		p.labels["threads"] = n
	}
	var sizes []string
	signs := false
	for i, line := range p.lines {
		line = strings.TrimRight(line, " ")
		switch {
		case opensslHead.MatchString(line) || opensslOne.MatchString(line):
			sizes = strings.Fields(strings.ReplaceAll(strings.TrimPrefix(line, "type"), "bytes", " "))
			signs = false
		case opensslSign.MatchString(line):
			signs, sizes = true, nil
		case signs:
			if m := opensslKey.FindStringSubmatch(line); m != nil {
				key := strings.Join(strings.Fields(m[1]), " ")
				p.add(i, "cpu.score", number(m[2]), p.with("job", key+" sign", "test", key+" signatures per second"))
				p.add(i, "cpu.score", number(m[3]), p.with("job", key+" verify", "test", key+" verifications per second"))
			}
		case sizes != nil:
			m := opensslRow.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			for k, rate := range strings.Fields(m[2]) {
				if k < len(sizes) {
					p.add(i, "cpu.cipher.throughput", number(strings.TrimSuffix(rate, "k"))*1e3, p.with("job", m[1]+" "+sizes[k]+" B", "cipher", m[1], "bs", sizes[k]))
				}
			}
		}
	}
}

// sevenZip reads 7z b and reports the averages of its table.
var sevenZip = tool{
	name: "7z", commands: []string{"7z", "7za", "7zr", "7zz"}, first: "RAT", begins: sevenZipBegins, read: readSevenZip,
	once: []string{"# CPU hardware threads:", "# Benchmark threads:", "Avr:", "Tot:"},
}

var (
	sevenZipRAM = lazyregexp.New(`^RAM (?:size|usage): +\d+ MB, +# (?:CPU hardware|Benchmark) threads: +(\d+)`)
	sevenZipRow = lazyregexp.New(`^(Avr|Tot): +(\d[\d ]*?)(?: +\| +(\d[\d ]*))?$`)
)

func sevenZipBegins(line string) bool {
	return strings.HasPrefix(line, "RAM ") && sevenZipRAM.MatchString(line) || sevenZipRow.MatchString(line)
}

func readSevenZip(p *page) {
	for i, line := range p.lines {
		line = strings.TrimRight(line, " ")
		if m := sevenZipRAM.FindStringSubmatch(line); m != nil {
			p.labels["threads"] = m[1] // the second line has the benchmark's
		}
		m := sevenZipRow.FindStringSubmatch(line)
		switch {
		case m == nil:
		case m[1] == "Tot":
			p.add(i, "cpu.score", lastNumber(m[2]), p.with("job", "total", "test", "7-Zip, MIPS"))
		default:
			p.add(i, "cpu.score", lastNumber(m[2]), p.with("job", "compressing", "test", "7-Zip compressing, MIPS"))
			p.add(i, "cpu.score", lastNumber(m[3]), p.with("job", "decompressing", "test", "7-Zip decompressing, MIPS"))
		}
	}
}

func lastNumber(text string) float64 {
	words := strings.Fields(text)
	if len(words) == 0 {
		return -1
	}
	return number(words[len(words)-1])
}
