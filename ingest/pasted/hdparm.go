package pasted

import (
	"strings"

	"assay/internal/lazyregexp"
)

// hdparm reads hdparm -t and -T.
var hdparm = tool{
	name: "hdparm", commands: []string{"hdparm"}, first: "T#", begins: func(line string) bool { return hdparmRow.MatchString(line) }, read: readHdparm,
	heads: func(line string) bool { return strings.Contains(line, "/dev/") && hdparmDrive.MatchString(line) },
	once:  []string{"cached reads:", "cache reads:", "disk reads:"},
}

// May be commented out, as in notes that double as a script.
//
// Timing buffered disk reads: 510 MB in  3.01 seconds = 169.62 MB/sec
var hdparmRow = lazyregexp.New(`^\s*(?:# ?)?Timing (cached|buffer-cache|buffered disk|O_DIRECT cached|O_DIRECT disk) reads(?: \(offset \d+ GB\))?:\s+(\d+) ([kMG])B in +~?([\d.]+) seconds = *~?([\d.]+)(?: ([kMG])B/s(?:ec)?\.?)?\s*$`)

// hdparmUnit is what mail moves to the next line.
var hdparmUnit = lazyregexp.New(`^\s*([kMG])B/s(?:ec)?\s*$`)

// hdparmDrive is the heading of each drive.
var hdparmDrive = lazyregexp.New(`^\s*(?:# ?)?(/dev/[\w./-]+):\s*$`)

func readHdparm(p *page) {
	if device := onlyDevice(p.argv); device != "" {
		p.labels["file"] = device
	}
	for i, line := range p.lines {
		if m := hdparmDrive.FindStringSubmatch(line); m != nil {
			p.labels["file"] = m[1]
		}
		m := hdparmRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[6] == "" && i+1 < len(p.lines) {
			if unit := hdparmUnit.FindStringSubmatch(p.lines[i+1]); unit != nil {
				m[6] = unit[1]
			}
		}
		if m[6] == "" {
			continue
		}
		// hdparm divides by 1024 * 1024 and prints MB.
		speed := number(m[5]) * binary[m[6]]
		direct := "0"
		if strings.HasPrefix(m[1], "O_DIRECT") {
			direct = "1"
		}
		if strings.HasSuffix(m[1], "disk") {
			labels := p.with("job", m[1]+" reads", "pattern", "read", "bs", "2097152", "iodepth", "1", "direct", direct, "cache", "cold")
			p.add(i, "storage.read.bandwidth", speed, labels)
			p.add(i, "tool.duration", number(m[4]), labels)
			continue
		}
		labels := p.with("job", m[1]+" reads", "scope", "cache")
		delete(labels, "file")
		p.add(i, "memory.read.bandwidth", speed, labels)
		p.add(i, "tool.duration", number(m[4]), labels)
	}
}

// onlyDevice returns the device on a command line, or "" if it has several or
// a pattern.
func onlyDevice(argv []string) string {
	device := ""
	for _, word := range argv {
		if !strings.HasPrefix(word, "/dev/") {
			continue
		}
		if device != "" || strings.ContainsAny(word, "*?[{") {
			return ""
		}
		device = word
	}
	return device
}
