package pasted

import (
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// pgbench reads the summary of PostgreSQL's pgbench 9 to 17 and the -P rows before it. Of
// two rates it returns the one without connection time.
var pgbench = tool{
	name: "pgbench", commands: []string{"pgbench"}, first: "tnp", begins: func(line string) bool {
		return pgbenchHead.MatchString(line) || pgbenchRow.MatchString(line)
	}, read: readPgbench,
	once: []string{"transaction type: "},
}

var (
	pgbenchHead  = lazyregexp.New(`^(?:transaction type: \S|tps = [\d.]+ \((?:without|including|excluding) |number of transactions actually processed: \d)`)
	pgbenchRow   = lazyregexp.New(`^progress: ([\d.]+) s, ([\d.]+) tps, lat [\d.]+ ms `)
	pgbenchField = lazyregexp.New(`^(transaction type|scaling factor|query mode|number of clients|number of threads|duration|number of transactions actually processed|latency average|latency stddev|tps)(?::| =) +(.+)$`)
	pgbenchValue = lazyregexp.New(`^([\d.]+)(?: (ms|s))?\b`)
	pgbenchDone  = lazyregexp.New(`^(\d+)/\d+$`) // after -t: it doesn't say how long that took
)

var pgbenchLabels = map[string]string{"scaling factor": "scale", "query mode": "mode", "number of clients": "clients", "number of threads": "threads"}

func readPgbench(p *page) {
	for _, line := range p.lines {
		if m := pgbenchField.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			if key := pgbenchLabels[m[1]]; key != "" {
				p.labels[key] = m[2]
			} else if m[1] == "transaction type" {
				p.labels["test"] = strings.Trim(m[2], "<>")
			}
		}
	}
	including := p.lines
	for _, line := range including {
		if strings.Contains(line, "excluding connections") {
			including = nil // the other rate of the pair is comparable
		}
	}
	done, doneAt := 0.0, 0
	var rows []assay.Sample
	for i, line := range p.lines {
		if m := pgbenchRow.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			rows = append(rows, assay.Sample{At: number(m[1]), Value: number(m[2])})
		}
		m := pgbenchField.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		if count := pgbenchDone.FindStringSubmatch(m[2]); count != nil {
			done, doneAt = number(count[1]), i
		} else if m[1] == "tps" && done > 0 {
			if v := pgbenchValue.FindStringSubmatch(m[2]); v != nil && number(v[1]) > 0 {
				p.add(doneAt, "tool.duration", done/number(v[1]), p.with())
			}
			done = 0 // the second rate excludes connection time; the run does not
		}
		if including == nil && strings.Contains(line, "including connections") {
			continue
		}
		v := pgbenchValue.FindStringSubmatch(m[2])
		if v == nil {
			continue
		}
		switch m[1] {
		case "tps":
			before := len(p.found)
			p.add(i, "database.transactions", number(v[1]), p.with())
			if len(p.found) > before && len(rows) > 1 {
				p.found[before].Samples = rows
			}
		case "latency average":
			p.add(i, "database.latency.mean", number(v[1])*instant[v[2]], p.with())
		case "latency stddev":
			p.add(i, "database.latency.stddev", number(v[1])*instant[v[2]], p.with())
		case "duration":
			p.add(i, "tool.duration", number(v[1]), p.with())
		}
	}
}
