package pasted

import (
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
)

// elbencho reads the table of elbencho 1.8 to 3 and its CSV, from the column for the
// moment when the last thread finished. It uses only read and write phases.
var elbencho = tool{
	name: "elbencho", commands: []string{"elbencho"}, first: "OCI", begins: elbenchoBegins, read: readElbencho,
	once: []string{"COMMAND LINE: ", "RESULT TYPE ", elbenchoCSV},
}

// tailShare is the share of a phase after which the first thread may finish and all
// still count as having worked to its end.
const tailShare = .95

var (
	elbenchoHead = lazyregexp.New(`^OPERATION +RESULT TYPE +FIRST DONE +LAST DONE\s*$`)
	elbenchoLine = lazyregexp.New(`^COMMAND LINE: "(?:\S*/)?elbencho" `)
	// WRITE     Elapsed time     :    2m3.241s    2m5.755s
	elbenchoRow = lazyregexp.New(`^(?:([A-Z][A-Z0-9]*) +| +)([A-Z][A-Za-z /]*?%?)(?: (us|ms|%|MiB/s|MB/s|MiB|MB))? +: +(?:\[ (.*) \]|(\S+) +(\S+))\s*$`)
)

func elbenchoBegins(line string) bool {
	return strings.HasPrefix(line, elbenchoCSV) || elbenchoHead.MatchString(line) || elbenchoLine.MatchString(line)
}

// phase is one operation of a run, with the rows that were read.
type phase struct {
	op        string
	line      int // of its first row, counted from 0
	seconds   float64
	rows      map[string]elbenchoCell
	tail      bool // threads finished long before the last
	latencies map[string]float64
	shares    []percentileCell
}

// percentileCell is the latency that a percentage of operations did not exceed.
type percentileCell struct {
	line             int
	percent, seconds float64
}

type elbenchoCell struct {
	line  int
	value float64
}

func readElbencho(p *page) {
	if strings.HasPrefix(p.lines[0], elbenchoCSV) {
		readElbenchoCSV(p)
		return
	}
	p.elbenchoOptions()
	var now *phase
	times := map[string]int{}
	for i, line := range p.lines {
		m := elbenchoRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[1] != "" {
			p.elbencho(now, times)
			now = &phase{op: m[1], line: i, rows: map[string]elbenchoCell{}, latencies: map[string]float64{}}
		}
		switch {
		case now == nil:
		case m[2] == "Elapsed" || m[2] == "Elapsed time":
			now.seconds = elbenchoTime(m[6], m[3])
			now.tail = elbenchoTime(m[5], m[3]) < tailShare*now.seconds
		case m[2] == "IO latency":
			for word := range strings.FieldsSeq(m[4]) {
				name, v, _ := strings.Cut(word, "=")
				now.latencies[name] = elbenchoTime(v, m[3])
			}
			now.rows[m[2]] = elbenchoCell{line: i}
		case m[2] == "IO lat %":
			for word := range strings.FieldsSeq(m[4]) { // 99%<=6889
				percent, v, _ := strings.Cut(word, "%<=")
				now.shares = append(now.shares, percentileCell{i, number(percent), elbenchoTime(v, m[3])})
			}
		case m[6] != "":
			v := number(m[6])
			if size := unit(m[3]); size > 0 {
				v *= size
			}
			now.rows[m[2]] = elbenchoCell{i, v}
		}
	}
	p.elbencho(now, times)
}

// elbencho adds the figures of a read or write phase.
func (p *page) elbencho(now *phase, times map[string]int) {
	if now == nil || now.op != "READ" && now.op != "WRITE" {
		return
	}
	dir := strings.ToLower(now.op)
	job := now.op
	if times[job]++; times[job] > 1 {
		job += " " + strconv.Itoa(times[job])
	}
	labels := p.with("job", job)
	if _, objects := now.rows["Objects/s"]; objects {
		stem := map[string]string{"read": "object.get.", "write": "object.put."}[dir]
		p.add(now.rows["Throughput"].line, stem+"throughput", now.rows["Throughput"].value, labels)
		p.add(now.rows["Objects/s"].line, stem+"ops", now.rows["Objects/s"].value, labels)
		p.add(now.line, "tool.duration", now.seconds, labels)
		return
	}
	if pattern := labels["pattern"]; pattern != "" && !strings.HasSuffix(pattern, "rw") {
		labels["pattern"] = strings.TrimSuffix(pattern, "-") + dir
	}
	if now.tail {
		labels["tail"] = "yes"
	}
	stem := "storage." + dir + "."
	for _, of := range []struct{ row, metric string }{{"Throughput", "bandwidth"}, {"IOPS", "iops"}, {"Total", "bytes"}} {
		p.add(now.rows[of.row].line, stem+of.metric, now.rows[of.row].value, labels)
	}
	for _, of := range []struct{ word, metric string }{{"avg", "latency.mean"}, {"min", "latency.min"}, {"max", "latency.max"}} {
		p.add(now.rows["IO latency"].line, stem+of.metric, now.latencies[of.word], labels)
	}
	for _, of := range now.shares {
		if of.percent > 0 && of.percent < 100 {
			p.add(of.line, assay.PercentileMetric(stem, of.percent), of.seconds, labels)
		}
	}
	p.add(now.line, "tool.duration", now.seconds, labels)
}

// elbenchoOptions labels how it ran if the command is known, from a results file or
// a typed line. Threads are per host.
func (p *page) elbenchoOptions() {
	for _, line := range p.lines {
		if elbenchoLine.MatchString(line) {
			p.argv = strings.Fields(strings.ReplaceAll(strings.TrimPrefix(line, "COMMAND LINE: "), `"`, ""))
			break
		}
	}
	if len(p.argv) == 0 {
		return
	}
	if last := p.argv[len(p.argv)-1]; len(p.argv) > 1 && last != "..." && !strings.HasPrefix(last, "-") {
		// The command is complete, as it ends in a path: missing options have their
		// defaults.
		p.labels["direct"], p.labels["pattern"], p.labels["bs"], p.labels["iodepth"], p.labels["jobs"] = "0", "-", "1048576", "1", "1"
	}
	for i, word := range p.argv {
		name, value, joined := strings.Cut(word, "=")
		if !joined && i+1 < len(p.argv) {
			value = p.argv[i+1]
		}
		switch name {
		case "--direct":
			p.labels["direct"] = "1"
		case "--rand":
			p.labels["pattern"] = "rand"
		case "-b", "--block":
			n := strings.TrimRight(value, "kKmMgG")
			p.labels["bs"] = bytesOf(n, value[len(n):])
		case "-t", "--threads":
			p.labels["jobs"] = value
		case "--iodepth":
			p.labels["iodepth"] = value
		}
	}
	if strings.Contains(strings.Join(p.argv, " "), "--hosts") {
		delete(p.labels, "jobs")
	}
	for key, v := range p.labels {
		if v == "" {
			delete(p.labels, key)
		}
	}
}

// elbenchoTime parses 2m5.755s and 91us, and a bare number in the row's unit; it
// returns -1 for anything else.
func elbenchoTime(text, unit string) float64 {
	if v := number(text); v >= 0 {
		return v * instant[unit]
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return -1
	}
	return d.Seconds()
}
