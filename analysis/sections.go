package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/stats"
)

// column is one figure of a table: its metric and heading.
type column struct{ metric, label string }

// sectionKind is a table and its contents. A trial belongs to the section of
// its first metric.
type sectionKind struct {
	id, title, note string
	probesMetric    string // prefix of the metrics that belong here
	columns         []column
}

var sectionKinds = []sectionKind{
	{"storage", "Storage", "latency is completion latency", "storage.", storageColumns()},
	{"cpu", "CPU", "", "cpu.", []column{
		{"cpu.events_per_second", "events"}, {"cpu.latency.mean", "per event"}, {"cpu.scaling", "scaling"},
	}},
	{"memory", "Memory", "", "memory.", []column{
		{"memory.read.bandwidth", "bandwidth"}, {"memory.write.bandwidth", "bandwidth"},
	}},
	{"health", "Drive health", "as reported by the drives", "smart.", []column{
		{"smart.passed", "health"}, {"smart.available_spare", "spare"}, {"smart.percentage_used", "used"},
		{"smart.media_errors", "media errors"}, {"smart.temperature", "temperature"},
		{"smart.power_on_hours", "power-on time"}, {"smart.data_written", "written"},
		{"smart.unsafe_shutdowns", "unsafe shutdowns"}, {"smart.error_log_entries", "error log"},
	}},
	{"thermal", "Temperature and clock", "idle, under full CPU load, and after", "thermal.", []column{
		{"thermal.idle", "idle"}, {"thermal.load", "load"}, {"thermal.rise", "rise"}, {"thermal.settle", "settling time"},
		{"thermal.clock.idle", "clock idle"}, {"thermal.clock.load", "clock under load"}, {"thermal.throttles", "throttling events"},
		{"thermal.temperature", "temperature"},
	}},
	{"network", "Network", "payload received; percentages are of the most payload the link can carry", "net.", []column{
		{"net.tcp.throughput", "throughput"}, {"net.udp.throughput", "throughput"}, {resentMetric, "retransmits"},
		{"net.udp.jitter", "jitter"}, {"net.udp.loss", "packet loss"},
		{"net.rtt.median", "round trip"}, {"net.rtt.max", "longest round trip"}, {"net.rtt.loss", "ping loss"}, {"net.path_mtu", "path MTU"},
	}},
	{"pools", "Replicated storage pools", "all clients together", "pool.", twoWays("pool.", []string{"write", "read"}, []column{
		{"iops", "IOPS"}, {"bandwidth", "bandwidth"}, {"latency.mean", "mean"}, {"latency.max", "max"},
	})},
	{"objects", "Object storage", "", "object.", twoWays("object.", []string{"put", "get", "delete", "head", "list"}, []column{
		{"ops", "requests"}, {"throughput", "throughput"}, {"latency.mean", "mean"}, {"latency.p50", "p50"}, {"latency.p99", "p99"},
		{"first_byte.mean", "first byte"}, {"keys", "keys per page"},
	})},
	{"migrations", "Migrations of guests", "", "migration.", []column{
		{"migration.throughput", "speed"}, {"migration.transferred", "transferred"}, {"migration.duration", "duration"}, {"migration.downtime", "downtime"},
		{"migration.disk.transferred", "disks sent"}, {"migration.disk.duration", "disks took"},
		{"migration.downtime.seen", "by ping"}, {"migration.downtime.seen.udp", "by UDP"}, {"migration.downtime.seen.tcp", "by TCP"}, {"migration.clock.stood", "clock stood"},
		{"migration.io.longest", "longest write"}, {"migration.load.before", "load before"}, {"migration.load.during", "load meanwhile"}, {"migration.load.after", "load after"},
	}},
	{"failovers", "Failovers", "without an answer, by the observer who waited longest; requests of all observers", "failover.", []column{
		{"failover.time", "without an answer"}, {"failover.time.least", "other observer"}, {"failover.lost", "requests lost"}, {"failover.requests", "of"},
		{"failover.back", "when put back"}, {"failover.restart", "restart"}, {"failover.whole", "whole again"},
		{"failover.latency.before", "latency before"}, {"failover.latency.during", "while stopped"},
		{"failover.load.before", "load before"}, {"failover.load.stopped", "load while stopped"}, {"failover.load.recovery", "load until whole"}, {"failover.load.after", "load after"},
	}},
}

func twoWays(family string, ways []string, columns []column) []column {
	var out []column
	for _, way := range ways {
		for _, c := range columns {
			out = append(out, column{family + way + "." + c.metric, c.label})
		}
	}
	return out
}

func storageColumns() []column {
	var out []column
	for _, dir := range []string{"read", "write", "trim"} {
		p := "storage." + dir + "."
		out = append(out, column{p + "iops", "IOPS"}, column{p + "bandwidth", "bandwidth"},
			column{p + "latency.p50", "p50"}, column{p + "latency.p99", "p99"}, column{p + "latency.p99_9", "p99.9"})
	}
	p := "storage.sync."
	return append(out, column{p + "latency.p50", "flush p50"}, column{p + "latency.p99", "flush p99"}, column{p + "latency.p99_9", "flush p99.9"})
}

// kindOf returns a result's section: by what it measured or, if nothing, by
// what its probe would have measured.
func kindOf(r assay.Result) sectionKind {
	for _, rep := range r.Repeats {
		for _, m := range rep.Measurements {
			for _, k := range sectionKinds {
				if strings.HasPrefix(m.Metric, k.probesMetric) {
					return k
				}
			}
		}
	}
	id, known := sectionOf[r.Trial.Subject.Kind]
	if !known {
		id = "storage"
	}
	return sectionKinds[slices.IndexFunc(sectionKinds, func(k sectionKind) bool { return k.id == id })]
}

// sectionOf maps subjects to the section for results without figures.
var sectionOf = map[assay.SubjectKind]string{
	assay.KindCPU: "cpu", assay.KindMemory: "memory", assay.KindDrive: "health", assay.KindThermal: "thermal",
	assay.KindNetwork: "network", assay.KindLink: "network", assay.KindPool: "pools", assay.KindBucket: "objects", assay.KindGuest: "migrations", assay.KindFailover: "failovers",
}

func (b *builder) sections() []Section {
	rows := map[string][]Row{}
	for _, r := range b.run.Results {
		k := kindOf(r)
		rows[k.id] = append(rows[k.id], b.rows(r, k)...)
	}
	rows["cpu"] = append(rows["cpu"], scalingRows(b.run, rows["cpu"])...)
	var out []Section
	for _, k := range sectionKinds {
		if len(rows[k.id]) > 0 {
			out = append(out, Section{ID: k.id, Title: k.title, Note: k.note, Rows: rows[k.id]})
		}
	}
	return out
}

// rows returns the rows of a result: two if data flowed both ways at once.
func (b *builder) rows(r assay.Result, k sectionKind) []Row {
	there, back, both := bothWays(r)
	if !both {
		return []Row{b.row(r, k)}
	}
	return []Row{b.row(there, k), b.row(back, k)}
}

func (b *builder) row(r assay.Result, k sectionKind) Row {
	row := Row{
		Trial: r.Trial.ID, Title: r.Trial.Title, Subject: cmp.Or(r.Trial.From, r.Trial.Subject.ID),
		Settings: settingsInWords(r, b.fileSystem(r.Trial.Subject)), Absent: b.absence(r),
		Quick: r.Trial.Quick && float64(len(r.Counted()))*measured(r) < assay.QuickBelow.Seconds(),
	}
	if s := b.fewer(r); s != nil {
		b.short[RowID{row.Trial, row.Title}] = *s
	}
	both := len(r.Values("storage.read.iops")) > 0 && len(r.Values("storage.write.iops")) > 0
	for _, c := range k.columns {
		values := r.Values(c.metric)
		if len(values) == 0 {
			continue
		}
		label := c.label
		if both && strings.HasPrefix(c.metric, "storage.") {
			label = strings.Split(c.metric, ".")[1] + " " + label
		}
		f := figure(c.metric, label, values, measured(r))
		f.Ceiling = ceilingOf(f, r, b.run.Inventory)
		if c.metric == "net.tcp.throughput" {
			f.Ceiling = lineCeiling(f, r, b.run.Inventory)
		}
		f.TooHot = c.metric == "smart.passed" && f.Value < 1 && onlyTooHot(r)
		row.Figures = append(row.Figures, f)
	}
	b.mark(r.Trial.ID, row.Figures)
	return row
}

// fileSystem returns the file system under a directory: tmpfs, an overlay or
// NFS affects how to read a figure.
func (b *builder) fileSystem(s assay.Subject) string {
	if d := b.run.Inventory.Facts[s.Host].Dir(s.Name); d != nil {
		return d.FileSystem
	}
	return ""
}

// figure summarises one metric over the repeats; seconds is the length of one
// repeat.
func figure(metric, label string, values []float64, seconds float64) Figure {
	s := stats.Summarise(values)
	m, _ := assay.Describe(metric)
	return Figure{
		Metric: metric, Label: label, Value: s.Center, Low: s.Low, High: s.High, Level: s.Level, N: s.N,
		Seconds: seconds, Unit: m.Unit, Better: betterWord(m.Better),
		Repeats: values,
	}
}

// measured returns how long one repeat measured in s: as the tools report it,
// else as requested.
func measured(r assay.Result) float64 {
	if v := r.Values("tool.duration"); len(v) > 0 {
		return stats.Summarise(v).Center
	}
	return r.Trial.Length.Seconds()
}

// absence returns why a row has no figures, or nil if it has some.
func absence(r assay.Result) *assay.Absence {
	if r.Trial.Absent != nil {
		return r.Trial.Absent
	}
	if slices.ContainsFunc(r.Repeats, assay.Repeat.Counted) {
		return nil
	}
	for _, rep := range r.Repeats {
		if rep.Outcome == assay.Broke {
			return &assay.Absence{Word: assay.Failed, Why: rep.Error, Hint: rep.Hint}
		}
	}
	for _, rep := range r.Repeats {
		if rep.Outcome == assay.Interrupted {
			return &assay.Absence{Word: assay.NoData, Why: "the run was interrupted"}
		}
	}
	return &assay.Absence{Word: assay.NoData, Why: "the run ended before this trial started", Hint: "raise --time-budget, or run less with --only"}
}

// scalingRows returns, for each host, the speedup of all threads over one: a
// ratio per round, since each round measures both side by side; deciding trials
// run after all rounds. It is trusted only if both figures are.
func scalingRows(run assay.Run, cpu []Row) []Row {
	one, all := map[string]assay.Result{}, map[string]assay.Result{}
	for _, r := range run.Results {
		if isDecider(r) || len(r.Values("cpu.events_per_second")) == 0 {
			continue
		}
		if r.Trial.Settings["threads"] == "1" {
			one[r.Trial.Subject.Host] = r
		} else {
			all[r.Trial.Subject.Host] = r
		}
	}
	var out []Row
	for _, h := range run.Inventory.Hosts {
		a, b := one[h.Name].Values("cpu.events_per_second"), all[h.Name].Values("cpu.events_per_second")
		n := min(len(a), len(b))
		if n == 0 {
			continue
		}
		ratios := make([]float64, n)
		for i := range ratios {
			ratios[i] = b[i] / a[i]
		}
		f := figure("cpu.scaling", "scaling", ratios, 0)
		f.Rejected = rejectedIn(cpu, one[h.Name].Trial.ID) || rejectedIn(cpu, all[h.Name].Trial.ID)
		if threads := run.Inventory.Facts[h.Name].CPU.Threads; threads > 0 {
			f.Ceiling = &Ceiling{Name: prose.Plural(threads, "thread"), Value: float64(threads), Share: f.Value / float64(threads)}
		}
		title := "CPU, all threads vs one"
		if len(run.Inventory.Hosts) > 1 {
			title = h.Name + ": " + title
		}
		out = append(out, Row{
			Trial: all[h.Name].Trial.ID, Title: title, Subject: all[h.Name].Trial.Subject.ID,
			Settings: "ratio of the two above, per round", Figures: []Figure{f},
		})
	}
	return out
}

// rejectedIn reports whether a trial's row has a rejected figure.
func rejectedIn(rows []Row, trial string) bool {
	for _, r := range rows {
		if r.Trial == trial && slices.ContainsFunc(r.Figures, func(f Figure) bool { return f.Rejected }) {
			return true
		}
	}
	return false
}

// settingsInWords describes how a trial was actually measured, from the labels
// of its first figure.
func settingsInWords(r assay.Result, fileSystem string) string {
	if labels := firstLabels(r); labels != nil {
		return labelsInWords(labels, lentInWords(r, fileSystem))
	}
	return ""
}

// lentInWords describes the space that a trial measured, or returns "" if it had
// none.
func lentInWords(r assay.Result, fileSystem string) string {
	switch {
	case r.Scratch.Bytes <= 0:
		return ""
	case r.Trial.Subject.Kind == assay.KindBlock:
		return quantity.Bytes(r.Scratch.Bytes) + " of the device"
	default:
		return strings.TrimSuffix(quantity.Bytes(r.Scratch.Bytes)+" file on "+fileSystem, " on ")
	}
}

func labelsInWords(l map[string]string, lent string) string {
	var words []string
	say := func(label, format string) {
		if v := l[label]; v != "" {
			words = append(words, fmt.Sprintf(format, v))
		}
	}
	objects := l["object_size"] != ""
	say("engine", "%s")
	switch n, err := strconv.Atoi(l["jobs"]); {
	case objects && l["concurrency"] != "": // however it is split into jobs
		say("concurrency", "%s in flight")
		say("rate", "%s a second")
	case err == nil:
		say("iodepth", "depth %s")
		words = append(words, prose.Plural(n, "job"))
	default:
		say("iodepth", "depth %s")
	}
	switch l["direct"] {
	case "1":
		words = append(words, "direct")
	case "0":
		words = append(words, "buffered")
	}
	if s := l["sync"]; s != "" && s != "0" {
		words = append(words, map[bool]string{true: "sync", false: s}[s == "1"])
	}
	switch n := l["fdatasync"]; n {
	case "", "0":
	case "1":
		words = append(words, "fdatasync after each write")
	default:
		words = append(words, "fdatasync after "+n+" writes")
	}
	if n, err := strconv.Atoi(l["threads"]); err == nil {
		words = append(words, prose.Plural(n, "thread"))
	}
	if n, err := strconv.ParseInt(l["block"], 10, 64); err == nil {
		words = append(words, quantity.Bytes(n)+" blocks")
	}
	say("scope", "%s")
	say("cache", "cache %s")
	if lent != "" && !objects && (l["engine"] != "" || l["bs"] != "") {
		words = append(words, lent)
	}
	say("drive", "%s")
	say("protocol", "%s")
	say("sensor", "%s")
	say("settled", "settled: %s")
	words = append(words, flowInWords(l)...)
	return strings.Join(words, ", ")
}
