package pasted

import (
	"strings"

	"assay/internal/lazyregexp"
)

// crystalDiskMark reads the text that CrystalDiskMark 3 to 9 and KDiskMark copy or
// save. Each figure is the best of several passes.
var crystalDiskMark = tool{
	name: "crystaldiskmark", first: "CKSRr[*", begins: crystalBegins, read: readCrystal,
	once: []string{"CrystalDiskMark ", "KDiskMark (", "[Read]", "* MB/s = 1,000,000", "Sequential Read :"},
}

var (
	crystalHead = lazyregexp.New(`^\s*(?:CrystalDiskMark (\d+\.\d+\S*).*(?:\(C\)|hiyohiyo)|KDiskMark \((\d+\.\d+[\d.]*)\):)`)
	// SEQ    1MiB (Q=  8, T= 1):  5024.997 MB/s [   4792.2 IOPS] <  1667.96 us>
	crystalRow = lazyregexp.New(`^\s*(SEQ|RND|Sequential|Random)\s+([\d.]+)\s*([KM])i?B \(Q= *(\d+), ?T= *(\d+)\) ?: +([\d.,]+) (MB|GB)/s(?: \[ *([\d.,]+) IOPS\])?(?: < *([\d.,]+) us>)?(.*)$`)
	// Random Read 4KiB (Q= 32,T= 1) :   400.123 MB/s [ 97686.3 IOPS]
	crystalOld = lazyregexp.New(`^\s*(Sequential|Random) (Read|Write)(?: ([\d.]+)\s*([KM])i?B)?(?: \((?:QD?= *(\d+)(?:, ?T= *(\d+))?)\))? : +([\d.,]+) MB/s(?: \[ *([\d.,]+) IOPS\])?(.*)$`)
	// Test: 1 GiB (x5) [C: 33% (39/119GiB)]
	crystalTest = lazyregexp.New(`^\s*Test ?: +(\d+) ([MG])i?B\b(?: \(x(\d)\))?`)
	crystalPart = lazyregexp.New(`^\s*\[(Read|Write|Mix)\]`)
)

func crystalBegins(line string) bool {
	if !strings.ContainsAny(line, "[(*") && !strings.Contains(line, "MB/s") {
		return false
	}
	part := strings.TrimSpace(line)
	return part == "[Read]" || part == "[Write]" || strings.HasPrefix(line, "* MB/s = 1,000,000 bytes/s [SATA") ||
		crystalHead.MatchString(line) || crystalRow.MatchString(line) || crystalOld.MatchString(line)
}

func readCrystal(p *page) {
	p.labels["direct"] = "1"
	for _, line := range p.lines {
		if m := crystalHead.FindStringSubmatch(line); m != nil {
			p.labels["version"] = m[1] + m[2]
		}
		if m := crystalTest.FindStringSubmatch(line); m != nil {
			p.labels["size"] = bytesOf(m[1], m[2])
			if m[3] != "" {
				p.labels["passes"] = m[3]
			}
		}
		if strings.Contains(line, "0Fill") || strings.Contains(line, "All 0x00") {
			p.labels["source"] = "zero"
		}
	}
	section := ""
	for i, line := range p.lines {
		if m := crystalPart.FindStringSubmatch(line); m != nil {
			section = strings.ToLower(m[1])
			continue
		}
		if m := crystalRow.FindStringSubmatch(line); m != nil {
			random := m[1] == "RND" || m[1] == "Random"
			p.crystal(i, section, random, m[2], m[3], m[4], m[5], number(m[6])*unit(m[7]), m[8], m[9], m[10])
		} else if m := crystalOld.FindStringSubmatch(line); m != nil {
			size, prefix := m[3], m[4]
			if size == "" {
				size, prefix = "1", "M"
			}
			p.crystal(i, strings.ToLower(m[2]), m[1] == "Random", size, prefix, m[5], m[6], number(m[7])*1e6, m[8], "", m[9])
		}
	}
}

// crystal adds the figures of one row.
func (p *page) crystal(i int, dir string, random bool, size, prefix, depth, threads string, speed float64, iops, latency, rest string) {
	switch {
	case strings.TrimSpace(rest) != "":
		p.fail(i, "several results in one row: paste the text that CrystalDiskMark copies")
		return
	case dir == "":
		p.fail(i, "cannot tell a read from a write: include the line [Read] or [Write] above it")
		return
	case dir == "mix":
		return // a sum of reads and writes fits neither
	}
	pattern, kind := dir, "SEQ"
	if random {
		pattern, kind = "rand"+dir, "RND"
	}
	job := kind + size + prefix
	if depth != "" {
		job += " Q" + depth
	}
	if threads != "" {
		job += "T" + threads
	}
	labels := p.with("job", job+" "+dir, "pattern", pattern, "bs", bytesOf(size, prefix), "iodepth", depth, "jobs", threads)
	stem := "storage." + dir + "."
	p.add(i, stem+"bandwidth", speed, labels)
	p.add(i, stem+"iops", number(iops), labels)
	p.add(i, stem+"latency.mean", number(latency)*1e-6, labels)
}
