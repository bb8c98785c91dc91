package pasted

import (
	"strings"

	"assay/internal/lazyregexp"
)

// bonnie reads the table of bonnie++ 1.0x to 2.x: what it moved in blocks, and the
// seeks. What it moved a character at a time is a figure of the CPU.
var bonnie = tool{
	name: "bonnie++", commands: []string{"bonnie++"}, first: "V0123456789-", begins: func(line string) bool { return bonnieHead.MatchString(line) }, read: readBonnie,
	once: []string{"--Sequential Input-"},
}

var (
	bonnieHead = lazyregexp.New(`^(?:(?:Version +)?(\d\.\d\d\w*) *)? *-+Sequential Output-+ --Sequential Input-+ --Random-+$`)
	bonnieUnit = lazyregexp.New(`(?:^Machine +Size K/sec|^Name:Size etc +/sec|^Machine +Size:chnk? K/sec| Size K/sec)`)
	// debian0       7501M  376k  99  1.4g  96  117m  14 1510k  99  2.5g  95 +++++ +++
	bonnieRow = lazyregexp.New(`^(\S.*?)\s+(\d+)([MG])(?::\S+)?\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)$`)
)

func readBonnie(p *page) {
	ready := false
	for i, line := range p.lines {
		line = strings.TrimRight(line, " ")
		if m := bonnieHead.FindStringSubmatch(line); m != nil {
			ready = false
			p.labels["version"] = m[1]
			if m[1] == "" {
				delete(p.labels, "version")
			}
		}
		ready = ready || bonnieUnit.MatchString(line)
		m := bonnieRow.FindStringSubmatch(line)
		if m == nil || !ready {
			continue
		}
		p.labels["size"], p.labels["direct"], p.labels["jobs"] = bytesOf(m[2], m[3]), "0", "1"
		cells := m[4:]
		p.add(i, "storage.write.bandwidth", kilobytes(cells[2]), p.with("job", m[1]+" block output", "pattern", "write"))
		p.add(i, "storage.write.bandwidth", kilobytes(cells[4]), p.with("job", m[1]+" rewrite", "pattern", "rw"))
		p.add(i, "storage.read.bandwidth", kilobytes(cells[8]), p.with("job", m[1]+" block input", "pattern", "read"))
		seeks := p.with("job", m[1]+" seeks", "pattern", "randread")
		delete(seeks, "jobs")
		p.add(i, "storage.read.iops", number(cells[10]), seeks)
	}
}

// kilobytes reads K a second as version 1 prints them, and 376k, 117m and 1.4g as
// version 2 does. Both count in 1024s. What took no time is +++++.
func kilobytes(text string) float64 {
	n := strings.TrimRight(text, "kmg")
	if suffix := text[len(n):]; suffix != "" {
		return number(n) * binary[suffix]
	}
	return number(n) * (1 << 10)
}
