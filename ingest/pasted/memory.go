package pasted

import (
	"strings"

	"assay/internal/lazyregexp"
)

// stream reads McCalpin's STREAM. Its MB are decimal, and its rate is that of the
// best pass.
var stream = tool{
	name: "stream", first: "FS", begins: func(line string) bool {
		return streamHead.MatchString(line) || strings.HasPrefix(line, "STREAM version $Revision")
	}, read: readStream,
	once: []string{"STREAM version", "Function "},
}

var (
	streamHead    = lazyregexp.New(`^Function +(?:Best )?Rate \(?MB/s\)? +Avg time +Min time +Max time`)
	streamRow     = lazyregexp.New(`^(Copy|Scale|Add|Triad): +([\d.]+) +[\d.]+ +[\d.]+ +[\d.]+`)
	streamThreads = lazyregexp.New(`^Number of Threads counted = (\d+)`)
	streamMemory  = lazyregexp.New(`^Total memory required = ([\d.]+) (M)iB`)
)

func readStream(p *page) {
	for i, line := range p.lines {
		if m := streamThreads.FindStringSubmatch(line); m != nil {
			p.labels["threads"] = m[1]
		} else if m := streamMemory.FindStringSubmatch(line); m != nil {
			p.labels["buffers"] = bytesOf(m[1], m[2])
		} else if m := streamRow.FindStringSubmatch(line); m != nil {
			p.add(i, "memory.copy.bandwidth", number(m[2])*1e6, p.with("job", strings.ToLower(m[1]), "test", "STREAM "+m[1]))
		}
	}
}

// mbw reads the means that mbw prints.
var mbw = tool{
	name: "mbw", commands: []string{"mbw"}, first: "A0123456789", begins: func(line string) bool { return mbwRow.MatchString(line) }, read: readMBW,
	once: []string{"AVG\tMethod: MEMCPY", "AVG\tMethod: DUMB", "AVG\tMethod: MCBLOCK"},
}

var mbwRow = lazyregexp.New(`^(AVG|\d+)\s+Method: (MEMCPY|DUMB|MCBLOCK)\s+Elapsed: ([\d.]+)\s+MiB: ([\d.]+)\s+Copy: ([\d.]+) MiB/s`)

func readMBW(p *page) {
	for i, line := range p.lines {
		if m := mbwRow.FindStringSubmatch(line); m != nil && m[1] == "AVG" {
			labels := p.with("job", m[2], "test", "mbw "+m[2], "threads", "1", "buffers", bytesOf(m[4], "M"))
			p.add(i, "memory.copy.bandwidth", number(m[5])*(1<<20), labels)
			p.add(i, "tool.duration", number(m[3]), labels)
		}
	}
}
