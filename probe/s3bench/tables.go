package s3bench

import (
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// tables reads the output of dvassallo/s3-benchmark: one row per number of
// threads, with the times to first and last byte in milliseconds.
type tables struct {
	size  string // B, of the last heading
	runs  bool   // the first column counts runs, not threads
	found []assay.Measurement
}

var (
	downloads = lazyregexp.New(`^Download performance with (\d+) ([KM])B objects`)
	row       = lazyregexp.New(`^\| +(\d+) \| +(\d+\.\d) MB/s \|((?: +\d+){8}) \|((?: +\d+){8}) \|$`)
	columns   = []string{"latency.mean", "latency.min", "latency.p25", "latency.p50", "latency.p75", "latency.p90", "latency.p99", "latency.max"}
)

func (t *tables) read(now line) {
	text, line := now.text, now.number
	switch {
	case strings.HasPrefix(text, "| Threads |"):
		t.runs = false
	case strings.HasPrefix(text, "|       # |"):
		t.runs = true
	}
	if m := downloads.FindStringSubmatch(text); m != nil {
		t.size = bytesOf(m[1] + m[2])
		return
	}
	m := row.FindStringSubmatch(text)
	if m == nil {
		return
	}
	labels := labelled("dvassallo/s3-benchmark", "GET", "get", map[string]string{"object_size": t.size})
	labels["job"] = strings.TrimSpace("get " + t.size + " x " + m[1])
	if !t.runs {
		labels["concurrency"] = m[1]
	}
	out := collect{labels: labels, stem: "object.get."}
	f := figured(m[2], line)
	f.value *= 1 << 20
	out.add("object.get.throughput", f)
	first, last := strings.Fields(m[3]), strings.Fields(m[4])
	for i, name := range columns {
		out.add("object.get."+name, milliseconds(last[i], line))
	}
	out.add("object.get.first_byte.mean", milliseconds(first[0], line))
	t.found = append(t.found, out.found...)
}

func milliseconds(s string, line int) figure {
	f := figured(s, line)
	f.value *= 1e-3
	return f
}
