package audit

import (
	"math"
	"strings"
	"testing"

	"assay"
)

// requested returns what an object store benchmark prints for one operation.
func requested(op string, ops, mean float64, labels ...string) printout {
	p := "object." + op + "."
	all := with(map[string]string{"tool": "warp", "loop": "closed", "object_size": "1048576", "concurrency": "16"}, labels...)
	figures := map[string]float64{p + "ops": ops, p + "throughput": ops * (1 << 20), p + "latency.mean": mean, "tool.duration": 300}
	return printout{kind: assay.KindBucket, labels: all, figures: figures}
}

// tailed adds percentiles and the maximum latency.
func tailed(p printout, op string, p99, most float64) printout {
	p.figures["object."+op+".latency.p50"] = p.figures["object."+op+".latency.mean"]
	p.figures["object."+op+".latency.p99"] = p99
	p.figures["object."+op+".latency.max"] = most
	return p
}

// garage returns a row of a published table: a size, a latency and MB/s.
func garage(size string, op string, ms, mbs float64) printout {
	return printout{kind: assay.KindBucket, labels: map[string]string{"object_size": size, "requests": "20"},
		figures: map[string]float64{"object." + op + ".latency.mean": ms / 1e3, "object." + op + ".throughput": mbs * 1e6}}
}

// compared puts rows into one table.
func compared(facts assay.Facts, rows ...printout) Evidence {
	e := told(facts, rows...)
	for i := range e.Results {
		e.Results[i].Trial.Comparison = "object storage"
	}
	return e
}

func withHostname(f assay.Facts, name string) assay.Facts {
	f.OS.Hostname = name
	return f
}

func lineOf(gbits float64, rtt float64) assay.Facts {
	f := assay.Facts{RTT: rtt}
	if gbits > 0 {
		f.NICs = []assay.NICFacts{{Name: "nic", State: "up", Speed: gbits * 1e9}}
	}
	return f
}

// putTail returns a printout of puts with a p99; a count of 0 requests is not
// printed.
func putTail(requests float64) printout {
	p := printout{kind: assay.KindBucket, labels: map[string]string{"tool": "warp"}, figures: map[string]float64{"object.put.latency.mean": .035, "object.put.latency.p99": .0435}}
	if requests > 0 {
		p.figures["object.put.ops"], p.figures["tool.duration"] = requests/7, 7
	}
	return p
}

func TestObjects(t *testing.T) {
	lan := lineOf(1, 300e-6)
	large := []string{"object_size", "10MB"}
	bonded := lineOf(1, 300e-6)
	bonded.NICs[0].Members = 2
	checkForeign(t, []fires{
		// 10 MB take 80 ms at 1 Gb/s.
		{"s3-floor", "10 MB in 40 ms over 1 Gb/s", told(lan, requested("get", 25, .040, large...)), "E", "40.0 ms against round trip 300 µs + 10.0 MB / 125 MB/s = 80.3 ms: 0.498 x"},
		{"pct-support", "p99 of 261 requests", told(lan, putTail(261)), "W", "p99 needs 299 requests, there were 37.3 requests/s x 7.00 s = 261"},
		{"pct-support", "p99 of 299 requests", told(lan, putTail(299)), "", ""},
		{"pct-support", "of who knows how many", told(lan, putTail(0)), "-", "number of requests"},
		{"s3-floor", "over two links of it", told(bonded, requested("get", 25, .0389, append(large, "concurrency", "1")...)), "", ""},
		{"s3-floor", "10 MB in 90 ms", told(lan, requested("get", 170, .090, large...)), "", ""},
		{"s3-floor", "a stat within a round trip", told(lan, requested("head", 80000, 200e-6)), "E", "200 µs against a round trip of 300 µs: 0.667 x"},
		{"s3-floor", "a stat of a round trip, rounded to 0", told(lineOf(1, 1.2e-3), requested("head", 16000, 1e-3)), "", ""},
		{"s3-floor", "the least, where no mean was printed", told(lan, printout{kind: assay.KindBucket, labels: map[string]string{"tool": "s3bench", "object_size": "104857600"}, figures: map[string]float64{"object.put.latency.min": .3677}}), "E", "368 ms against"},
		{"s3-floor", "a first byte before the request arrived", told(lineOf(10, 20e-3), func() printout {
			p := requested("get", 500, .032)
			p.figures["object.get.first_byte.mean"] = 5e-3
			return p
		}()), "E", "first byte after 5.00 ms against a round trip of 20.0 ms"},
		{"s3-floor", "over loopback", told(lan, requested("get", 25, .010, append(large, "endpoint", "127.0.0.1:9000")...)), "", ""},
		{"s3-floor", "no fact", told(assay.Facts{}, requested("get", 170, .090, large...)), "-", "round-trip time and line rate"},
		{"s3-floor", "no round trip", told(lineOf(1, 0), requested("get", 170, .090, large...)), "-", "round-trip time to the server"},
		{"s3-floor", "too fast for the line alone", told(lineOf(1, 0), requested("get", 25, .040, large...)), "W", "40.0 ms against 10.0 MB / 125 MB/s"},
		{"s3-floor", "an address of this host, by its route", told(lan, requested("get", 25, .010, append(large, "endpoint", "192.168.1.10:9000", "route", "local")...)), "", ""},
		{"s3-floor", "this host by its name", told(withHostname(lan, "nas"), requested("get", 25, .010, append(large, "endpoint", "http://nas:9000")...)), "", ""},
		{"s3-floor", "no line rate", told(lineOf(0, 300e-6), requested("get", 170, .090, large...)), "-", "line rate to the server"},
		{"s3-floor", "a line rate is nothing to a stat", told(lineOf(0, 300e-6), requested("head", 170, .090)), "", ""},
		{"s3-floor", "no latency", told(assay.Facts{}, printout{kind: assay.KindBucket, labels: map[string]string{"tool": "s3bench"}, figures: map[string]float64{"object.get.throughput": 1e8}}), "", ""},
		{"s3-floor", "a disk", told(assay.Facts{}, row(map[string]float64{"storage.read.iops": 100, "storage.read.latency.mean": 1e-6}, "bs", "4k", "iodepth", "1")), "", ""},
		{"s3-floor", "10 MB in 340 ms is 29.4 MB/s", told(lan, garage("10MB", "put", 340.15, 29.4)), "W", "29.4 MB/s x 340 ms / 10.0 MB = 1.000 in flight"},
		{"s3-floor", "four at a time", told(lan, garage("10MB", "put", 340.15, 117.6)), "", ""},
		{"s3-floor", "rounded to nothing, alone", told(lan, garage("1KB", "put", 29.79, .03)), "", ""},
		{"s3-floor", "binary sizes alone", told(lan, garage("64KB", "put", 54.37, 1.15)), "", ""},
		{"s3-floor", "by requests", told(lan, requested("put", 28.41, .035, "concurrency", "")), "W", "28.4 requests/s x 35.0 ms = 0.994 in flight"},
		{"s3-floor", "which says that it was one", told(lan, requested("put", 28.41, .035, "concurrency", "1")), "", ""},
		{"s3-floor", "sixteen of them", told(lan, requested("put", 160, .1)), "", ""},
		{"s3-floor", "sixteen that did other things too", told(lan, requested("put", 10, .1, "mixed", "yes")), "", ""},
		{"s3-floor", "sixteen of which one worked", told(lan, requested("put", 10, .1)), "W", "1.000 in flight"},

		{"coordinated-omission", "a tail from clients that wait", told(lan, tailed(requested("put", 35.69, .2168), "put", .3091, .8332)), "W",
			"p99 = 309 ms of 16 clients that wait for each answer; the slowest took 833 ms, during which each left out 833 ms / 217 ms - 1 = 2.84 requests"},
		{"coordinated-omission", "a tail without a stall", told(lan, tailed(requested("get", 107.18, .1089), "get", .1527, .2129)), "I", "213 ms / 109 ms - 1 = 0.955 requests"},
		{"coordinated-omission", "a tail of which the worst is not told", told(lan, func() printout {
			p := requested("get", 107.18, .1089)
			p.figures["object.get.latency.p99_9"] = .12
			return p
		}()), "W", "p99.9 = 120 ms of 16 clients"},
		{"coordinated-omission", "a mean alone", told(lan, requested("put", 160, .1)), "I", "16 clients that wait"},
		{"coordinated-omission", "a tool that is known to", told(lan, requested("put", 160, .1, "loop", "", "concurrency", "")), "I", "a closed loop"},
		{"coordinated-omission", "a script that is not", told(lan, garage("10MB", "put", 340.15, 29.4)), "", ""},
		{"coordinated-omission", "an open loop", told(lan, tailed(requested("get", 107.18, .1089, "loop", "open"), "get", .1527, 2)), "", ""},
		{"coordinated-omission", "a rate that was kept", told(lan, tailed(requested("put", 199.1, .01, "rate", "200"), "put", .02, .03)), "", ""},
		{"coordinated-omission", "a rate that was not", told(lan, tailed(requested("put", 160, .1, "rate", "200"), "put", .15, 2)), "W", "p99"},
		{"coordinated-omission", "throughput alone", told(lan, printout{kind: assay.KindBucket, labels: map[string]string{"tool": "s3bench", "loop": "closed"}, figures: map[string]float64{"object.get.throughput": 1e8, "object.get.ops": 100}}), "", ""},
		{"coordinated-omission", "a disk", told(assay.Facts{}, fioRun("read", 1000, .016, 60)), "", ""},
	})
}

// One conclusive row settles the other rows of the table, even if they are
// rounded, or mix KB of 1,024 with MB of 10^6.
func TestATableOfOneAtATime(t *testing.T) {
	e := compared(lineOf(1, 300e-6), garage("1KB", "put", 29.79, .03), garage("64KB", "put", 54.37, 1.15), garage("1MB", "put", 79.26, 12.62), garage("10MB", "put", 340.15, 29.4))
	warned := map[string]bool{}
	for _, f := range s3Floor.Check(e) {
		if f.Severity == assay.Warns {
			warned[f.Subject] = true
		}
	}
	if len(warned) != 4 {
		t.Errorf("warns of %v, want of all four", warned)
	}
	for _, f := range s3Floor.Check(compared(lineOf(1, 300e-6), garage("1KB", "put", 29.79, .03), garage("64KB", "put", 54.37, 1.15))) {
		t.Errorf("no row shows it alone: %s", f.Arithmetic)
	}
}

// A run as advised, with several clients and a rate that is kept, yields no
// finding.
func TestAdviceOnObjects(t *testing.T) {
	lan := lineOf(1, 300e-6)
	for _, c := range []struct {
		rule Rule
		e    Evidence
		says string
	}{
		{s3Floor, told(lan, garage("10MB", "put", 340.15, 29.4)), "warp put --host=HOST --access-key=KEY --secret-key=SECRET --bucket=BUCKET --obj.size=10000000 --concurrent=16 --duration=5m"},
		{coordinatedOmission, told(lan, tailed(requested("put", 160, .1), "put", .15, .2)), "--concurrent=64 --rps-limit=112 --duration=5m"},
		{coordinatedOmission, told(lan, tailed(requested("head", 160, .1), "head", .15, .2)), "warp stat "},
		{coordinatedOmission, told(lan, tailed(requested("get", 107.18, .1089), "get", .1527, .2129)), "oha -z 5m -q 75 -c 64 --latency-correction --no-tui"},
	} {
		found := c.rule.Check(c.e)
		if len(found) != 1 || !strings.Contains(found[0].Advice, c.says) {
			t.Errorf("%s: want %q in %+v", c.rule.ID, c.says, found)
		}
	}
	run := tailed(requested("put", 112, .07, "concurrency", "64", "rate", "112"), "put", .12, .2)
	for _, rule := range []Rule{s3Floor, coordinatedOmission} {
		for _, f := range rule.Check(told(lan, run)) {
			t.Errorf("what was advised: %s %s", f.Severity, f.Arithmetic)
		}
	}
}

func TestHalfStep(t *testing.T) {
	for _, c := range []struct{ v, unit, want float64 }{
		{.153, 1e-3, .5e-3}, {.1527, 1e-3, .05e-3}, {.34015, 1e-3, .005e-3}, {29.4e6, 1e6, .05e6}, {30000, 1e6, 5000}, {7, 1, .5}, {0, 1, .5},
	} {
		if got := halfStep(c.v, c.unit); math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("half a step of %v is %v, want %v", c.v, got, c.want)
		}
	}
}
