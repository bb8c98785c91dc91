package table

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay"
)

// told is one figure that a reader finds in a file.
type told struct {
	id, metric string
	value      float64
	line       int
	labels     string // "bs=4k pattern=randread", all of which must be there
}

func find(t Table, id, metric string) *assay.Measurement {
	for _, r := range t.Results {
		if r.Trial.ID == id {
			return r.Repeats[0].Measurement(metric)
		}
	}
	return nil
}

func readFile(t *testing.T, name string) Table {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	table, err := Read(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestFiguresThatAReaderSees(t *testing.T) {
	for _, c := range []struct {
		file    string
		results int
		unread  int
		want    []told
	}{
		{"hosts.md", 53, 1, []told{
			{"pve1 smart", "smart.media_errors", 519, 14, "drive=Samsung PM9A1 tool=smart"},
			{"pve4 smart", "smart.percentage_used", .26, 17, ""},
			{"pve4 smart", "smart.power_on_hours", 42270 * 3600, 17, ""},
			{"pve1 smart", "smart.passed", 1, 14, ""},
			{"pve1 4k randread", "storage.read.iops", 359e3, 25, "bs=4k pattern=randread tool=fio varies=host"},
			{"pve4 4k randwrite", "storage.write.iops", 423e3, 28, "pattern=randwrite"},
			{"pve1 1m read", "storage.read.bandwidth", 7659 * (1 << 20), 34, "bs=1m pattern=read"},
			{"pve4 1m write", "storage.write.bandwidth", 8780 * (1 << 20), 37, ""},
			{"pve1 cpu 1 thread", "cpu.events_per_second", 1060, 45, "threads=1 tool=sysbench"},
			{"pve4 cpu 1 thread", "cpu.latency.mean", .8e-3, 48, ""},
			{"pve4 cpu 12 threads", "cpu.scaling", 9.3, 57, "threads=12 cpu=i7-8700T"},
			{"pve4 thermal", "thermal.rise", 26, 66, ""},
			{"pve1 memory read 1 thread", "memory.read.bandwidth", 21656 * (1 << 20), 74, ""},
			{"pve1 memory read 6 threads", "memory.read.bandwidth", 112164 * (1 << 20), 83, "threads=6"},
			{"pve2 pve2 to pve1", "net.tcp.throughput", 9.39e9 / 8, 92, "from=pve2 to=pve1 link=10GbE"},
			{"pve4 pve4 to pve2", "net.tcp.retransmits", 0, 97, ""},
		}},
		{"pi.txt", 20, 0, []told{
			{"SD Card read", "storage.read.bandwidth", 44.34e6, 5, "pattern=read runtime=30 tool=fio varies=subject"},
			{"SD Card read", "storage.read.latency.mean", .71322, 7, ""},
			{"Longhorn 4k randwrite", "storage.write.iops", 4981.7, 13, "bs=4k pattern=randwrite"},
			{"USB 4k randread", "storage.read.latency.mean", 12.72e-3, 12, ""},
			{"put 1KB", "object.put.latency.mean", 29.79e-3, 20, "object_size=1KB varies=object_size requests=20"},
			{"get 10MB", "object.get.throughput", 69.64e6, 23, "object_size=10MB"},
		}},
		{"drives.txt", 9, 0, []told{
			{"Intel Optane SSD DC P4800X Series 375 GB 4k write", "storage.write.bandwidth", 322931 << 10, 7, "bs=4k direct=1 engine=libaio iodepth=1 jobs=1 pattern=write sync=1 runtime=60 file=/dev/sdx"},
			{"Micron 9300 MAX 3.2 TB 4k write", "storage.write.iops", 51000, 10, ""},
			{"Seagate Constellation 7200.2 500 GB 4k write", "storage.write.latency.mean", 8.47e-3, 19, ""},
		}},
		{"sweep.md", 2, 0, []told{
			{"4k randread", "storage.read.iops", 12500, 5, "iodepth=1 jobs=1 bs=4k pattern=randread varies=iodepth"},
			{"4k randread (2)", "storage.read.latency.mean", 150e-6, 6, "iodepth=32"},
			{"4k randread (2)", "storage.read.latency.p99", .4e-3, 6, ""},
		}},
		{"units.md", 2, 0, []told{
			{"4k randread", "storage.read.latency.mean", .308e-3, 3, "bs=4k pattern=randread"},
			{"4k randwrite", "storage.write.latency.p99", 9.009e-3, 4, ""},
			{"4k randwrite", "storage.write.bandwidth", 5 * (1 << 20), 4, ""},
		}},
		{"doubt.md", 0, 13, nil},
		{"comma.csv", 3, 0, []told{
			{"pve1 usr 4k randread", "storage.read.iops", 359e3, 3, "pattern=randread bs=4k tool=fio"},
			{"pve1 usr 4k randread", "storage.read.latency.mean", 1250.5e-6, 4, ""},
			{"pve2 usr 1m read", "storage.read.bandwidth", 7659 * (1 << 20), 6, ""},
			{"pve2 usr network", "net.tcp.throughput", 9.39e9 / 8, 7, "tool=iperf3"},
		}},
		{"rows.yaml", 5, 0, []told{
			{"pve1 4k randread", "storage.read.iops", 359e3, 8, "tool=fio direct=1"},
			{"pve1 usr 4k randrw", "storage.read.iops", 1060, 15, "pattern=randrw"},
			{"pve1 usr 4k randrw", "storage.write.iops", 500, 16, "note=by hand"},
			{"pve1 usr 4k randrw", "storage.read.latency.p99_9", 2.5e-3, 17, ""},
			{"pve1 usr 4k randrw", "tool.duration", 60, 21, ""},
			{"pve1 memory read 6 threads", "memory.read.bandwidth", 112164 * (1 << 20), 24, "threads=6 block=1M tool=sysbench direct=1"},
			{"pve1 memory write 6 threads", "memory.write.bandwidth", 77872 * (1 << 20), 24, ""},
			{"pve1 pve1 to pve2", "net.tcp.throughput", 9.4e9 / 8, 25, ""},
		}},
	} {
		t.Run(c.file, func(t *testing.T) {
			table := readFile(t, c.file)
			if len(table.Results) != c.results || len(table.Unread) != c.unread {
				t.Errorf("%d results and %d unread, want %d and %d", len(table.Results), len(table.Unread), c.results, c.unread)
				for _, u := range table.Unread {
					t.Log(u)
				}
			}
			for _, w := range c.want {
				m := find(table, w.id, w.metric)
				if m == nil {
					var ids []string
					for _, r := range table.Results {
						ids = append(ids, r.Trial.ID)
					}
					t.Errorf("no %s of %q in %q", w.metric, w.id, ids)
					continue
				}
				if math.Abs(m.Value-w.value) > 1e-12*w.value || m.Line != w.line {
					t.Errorf("%s of %q is %v on line %d, want %v on %d", w.metric, w.id, m.Value, m.Line, w.value, w.line)
				}
				if d, _ := assay.Describe(w.metric); m.Unit != d.Unit {
					t.Errorf("%s is in %q", w.metric, m.Unit)
				}
				for _, label := range strings.Split(w.labels, " ") {
					if key, v, ok := strings.Cut(label, "="); ok && !strings.HasPrefix(m.Labels[key], v) {
						t.Errorf("%s of %q: %s is %q, want %q", w.metric, w.id, key, m.Labels[key], v)
					}
				}
			}
		})
	}
}

func TestEachTableIsAComparison(t *testing.T) {
	seen := map[string]int{}
	for _, r := range readFile(t, "pi.txt").Results {
		seen[r.Trial.Comparison]++
		if r.Trial.Repeats != 0 || len(r.Repeats) != 1 || r.Repeats[0].N != 1 || !r.Repeats[0].Counted() {
			t.Errorf("%s is no foreign result", r.Trial.ID)
		}
	}
	if len(seen) != 2 || seen["table on line 3"] != 12 || seen["table on line 18"] != 8 {
		t.Errorf("comparisons: %v", seen)
	}
}

func TestWhatIsInDoubtSaysWhy(t *testing.T) {
	table := readFile(t, "doubt.md")
	for _, want := range []string{
		`"512" under "Read (MB/s)": can't tell whether this is storage or memory`,
		`"~480" under "Read (MB/s)" is not a plain number`,
		`"512" under "Seq Read": no metric or unit in the header or the cell`,
		`"12k" under "Mixed Read Write IOPS": can't tell what this measures`,
		`"900" under "Events/sec": can't tell what kind of events`,
		`a ↔ b (bidirectional)`,
	} {
		if !slices.ContainsFunc(table.Unread, func(u Unread) bool { return strings.Contains(u.Why, want) && u.Line > 0 }) {
			t.Errorf("nothing says: %s", want)
		}
	}
}

// Notes say mb/s for the MB/s of a drive. Spelled out, bits are meant.
func TestStorageIsNotMeasuredInMegabits(t *testing.T) {
	for unit, want := range map[string]float64{
		"MB/s": 6900e6, "MBps": 6900e6, "Mbit/s": 6900e6 / 8,
		"mb/s": -1, "Mb/s": -1, "Mbps": -1,
	} {
		for _, text := range []string{
			"## SSD benchmark\n\n| Drive | Read " + unit + " | Write " + unit + " |\n|---|---|---|\n| 980 PRO | 6900 | 5000 |\n",
			"## SSD benchmark\n\n| Drive | Seq Read | Seq Write |\n|---|---|---|\n| 980 PRO | 6900 " + unit + " | 5000 " + unit + " |\n",
		} {
			table := Blog([]byte(text))
			switch {
			case want < 0 && (len(table.Results) != 0 || len(table.Unread) != 2 || !strings.Contains(table.Unread[0].Why, "MB/s")):
				t.Errorf("%s: %d results, unread %v", unit, len(table.Results), table.Unread)
			case want > 0 && (len(table.Results) == 0 || len(table.Unread) != 0 || table.Results[0].Repeats[0].Measurements[0].Value != want):
				t.Errorf("%s: %+v, unread %v", unit, table.Results, table.Unread)
			}
		}
	}
}

// Text with figures but no table, and a cut-off end of one.
func TestProseIsNoTable(t *testing.T) {
	for _, text := range []string{
		"", "We got 359k IOPS and 7,659 MiB/s.\nRead IOPS and write latency (ms) matter.\n",
		"| a | b |\n", "| Host | Read IOPS |\n|---|---|\n", "Size   PUT ms\n-------------\n",
		"  read: IOPS=3244, BW=12.7MiB/s (13.3MB/s)\n    clat (usec): min=1, max=2, avg=1.50\n",
		"| Task | Owner |\n|---|---|\n| Read the manual | 4 people |\n",
		"Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        29G  3.5G   24G  13% /usr\n",
	} {
		if table := Blog([]byte(text)); len(table.Results)+len(table.Unread) > 0 {
			t.Errorf("%q gives %+v", text, table)
		}
		if _, err := Read("x.md", []byte(text)); !errors.Is(err, assay.ErrNoOutput) {
			t.Errorf("%q gives %v", text, err)
		}
	}
}

func TestNoiseAroundATableChangesNothing(t *testing.T) {
	text, err := os.ReadFile("testdata/pi.txt")
	if err != nil {
		t.Fatal(err)
	}
	plain := Blog(text)
	noisy := Blog(slices.Concat(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), []byte("\r\n\r\nAnalysis\r\nroot@pve:~# exit\r\n| not a table\r\n")))
	if len(noisy.Results) != len(plain.Results) || len(noisy.Unread) != 0 {
		t.Errorf("%d results and %v unread, want %d", len(noisy.Results), noisy.Unread, len(plain.Results))
	}
	cut := Blog(text[:bytes.Index(text, []byte("Rand Write 4K Lat"))])
	if m := find(cut, "SD Card 4k randwrite", "storage.write.iops"); m == nil || m.Value != 722.7 {
		t.Errorf("the whole rows of a cut table are lost: %v", m)
	}
}

func TestAFioCommandOfManySettingsSaysNone(t *testing.T) {
	text := "fio --rw=<read|write> --bs=<4K|4M> --numjobs=<1|4>\n\nBandwidth (KB) IO/s\nA drive 100 25\nAnother 200 50\n"
	table := Blog([]byte(text))
	if len(table.Results) != 0 || len(table.Unread) != 4 {
		t.Errorf("%+v", table)
	}
}

func TestCSVDialectsAgree(t *testing.T) {
	want := readFile(t, "comma.csv")
	for _, name := range []string{"semicolon.csv", "tab.tsv"} {
		got := readFile(t, name)
		if len(got.Results) != len(want.Results) {
			t.Fatalf("%s: %d results, want %d", name, len(got.Results), len(want.Results))
		}
		for i := range want.Results {
			for j, m := range want.Results[i].Repeats[0].Measurements {
				if g := got.Results[i].Repeats[0].Measurements[j]; g.Value != m.Value || g.Line != m.Line {
					t.Errorf("%s: %v, want %v", name, g, m)
				}
			}
		}
	}
	if again := want.Results[0].Repeats; len(again) != 2 || again[1].N != 2 || again[1].Measurement("storage.read.iops").Value != 361e3 {
		t.Errorf("the second run is no repeat: %+v", again)
	}
}

func TestYAMLSaysMoreThanFigures(t *testing.T) {
	table := readFile(t, "rows.yaml")
	if table.Title != "Two hosts" || table.Source != "a forum" {
		t.Errorf("title %q, source %q", table.Title, table.Source)
	}
	f := table.Facts["pve1"]
	if d := f.Device(disk); d == nil || d.Model != "PM9A1" || d.Link.Lanes != 4 {
		t.Errorf("disk: %+v", d)
	}
	if d := f.Dir("usr"); d == nil || d.FileSystem != "ext4" || d.Device != "usr" || f.Device("usr").Bus != assay.BusUSB {
		t.Errorf("usr: %+v", d)
	}
	mixed := table.Results[1]
	if mixed.Trial.Subject.Name != "usr" || mixed.Trial.Subject.Kind != assay.KindDirectory || mixed.Trial.Comparison != "drives" {
		t.Errorf("%+v", mixed.Trial)
	}
	if argv := mixed.Repeats[0].Transcript.Step("measure").Argv; len(argv) != 3 || argv[1] != "--rw=randrw" {
		t.Errorf("command: %q", argv)
	}
	if first := table.Results[0]; first.Trial.Subject.Name != given {
		t.Errorf("%+v", first.Trial.Subject)
	}
	series := find(table, "pve1 pve1 to pve2", "net.tcp.throughput").Samples
	if len(series) != 2 || series[1] != (assay.Sample{At: 2, Value: 9.5e9 / 8}) {
		t.Errorf("series: %v", series)
	}
}

func TestErrorsSayWhereAndWhatWasMeant(t *testing.T) {
	const rows = "title: t\nrows:\n"
	for _, c := range []struct{ name, text, want string }{
		{"x.yaml", "titel: t\nrows: []\n", `x.yaml:1:1: the file has no "titel"; did you mean "title"?`},
		{"x.yaml", rows + "  - {metric: storage.read.iop, value: 1}\n", `x.yaml:3:6: unknown metric "storage.read.iop"; did you mean storage.read.iops?`},
		{"x.yaml", rows + "  - {figures: {storage.read.bandwidth: 5 MB}}\n", "storage.read.bandwidth is not in MB: its units are B/s"},
		{"x.yaml", rows + "  - metric: storage.read.bandwidth\n    value: 5\n    unit: MiBs\n", `x.yaml:5:11: unknown unit "MiBs"; did you mean MiB/s?`},
		{"x.yaml", rows + "  - {figures: {storage.read.bandwidth: 5}}\n", "storage.read.bandwidth has no unit: use one of B/s"},
		{"x.yaml", rows + "  - {figures: {storage.read.iops: .nan}}\n", "x.yaml:3:35: \".nan\" is not a number"},
		{"x.yaml", rows + "  - {figures: {storage.read.iops: -5}}\n", "of -5 is impossible"},
		{"x.yaml", rows + "  - {pattrn: read, metric: storage.read.iops, value: 1}\n", `x.yaml:3:6: unknown key "pattrn"; did you mean pattern?`},
		{"x.yaml", rows + "  - {host: a, pattrn: read, metric: storage.read.iop, value: 1}\n", "did you mean pattern?\nx.yaml:3:29: unknown metric"},
		{"x.yaml", "title: t\n---\ntitle: u\n", "x.yaml:2:1: expected one document, found 2"},
		{"x.yaml", rows + "  - {host: a}\n", "row without a figure"},
		{"x.yaml", rows + "  - {figures: {storage.read.iops: {value: 5, uper: 3}}}\n", "did you mean upper?"},
		{"x.yaml", rows + "  - {figures: {storage.read.iops: {value: 5, series: [1]}}}\n", "a series needs every"},
		{"x.yaml", rows + "  - {host: a, host: b}\n", "x.yaml:3"},
		{"x.yaml", rows + "  - [a]\n", "x.yaml:3:5: rows is a list; expected NAME: VALUE"},
		{"x.yaml", "title: t\n", "no rows"},
		{"x.yaml", "facts: {pve: {pcie: gen9}}\nrows: []\n", "x.yaml:1:15: fact pcie=gen9"},
		{"x.yaml", "facts: {pve/usr: {ram: 2GiB}}\nrows: []\n", "facts about usr can only describe its drive and file system"},
		{"x.yaml", "rows: [\n", "x.yaml:"},
		{"x.yaml", strings.Repeat("[", 1000), "nested too deeply"},
		{"x.yaml", "", "x.yaml"},
		{"x.csv", "host,metrik,value\n", `x.csv:1:6: unknown column "metrik"; did you mean metric?`},
		{"x.csv", "host,metric\n", `no column "value"`},
		{"x.csv", "metric,value\nstorage.read.iops\n", "x.csv:2: 1 fields under a header of 2"},
		{"x.csv", "metric,value,unit\nstorage.read.iop,1,\n", `x.csv:2:1: unknown metric "storage.read.iop"`},
		{"x.csv", "metric,value,unit\nstorage.read.bandwidth,1,MBs\n", `x.csv:2:26: unknown unit "MBs"`},
		{"x.csv", "metric;value;unit\ncpu.events_per_second;1,06;\n", "use a decimal point"},
		{"x.csv", "metric,value\n", "only a header"},
		{"x.csv", "metric,value\nstorage.read.iops,\"5\n", "x.csv"},
		{"x.csv", "", "x.csv"},
	} {
		_, err := Read(c.name, []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.HasSuffix(err.Error(), ".") {
			t.Errorf("%q gives %v, want %q", c.text, err, c.want)
		}
	}
}

func TestUnits(t *testing.T) {
	for word, want := range map[string]measure{
		"MB/s": {assay.BytesPerSecond, 1e6}, "MiB/s": {assay.BytesPerSecond, 1 << 20}, "Mb/s": {assay.BytesPerSecond, 1e6 / 8},
		"Gbit/s": {assay.BytesPerSecond, 1e9 / 8}, "Gbps": {assay.BytesPerSecond, 1e9 / 8}, "Gbits/sec": {assay.BytesPerSecond, 1e9 / 8},
		"MBps": {assay.BytesPerSecond, 1e6}, "KB/s": {assay.BytesPerSecond, 1e3}, "KiB/s": {assay.BytesPerSecond, 1 << 10},
		"GB": {assay.Bytes, 1e9}, "MBytes": {assay.Bytes, 1e6}, "µs": {assay.Seconds, 1e-6}, "us": {assay.Seconds, 1e-6}, "ms": {assay.Seconds, 1e-3},
		"kIOPS": {assay.PerSecond, 1e3}, "°C": {assay.Celsius, 1}, "GHz": {assay.Hertz, 1e9}, "%": {assay.One, .01},
	} {
		if got, ok := unit(word); !ok || got != want {
			t.Errorf("%s is %v, %v, want %v", word, got, ok, want)
		}
	}
	for _, word := range []string{"", "Mb", "furlong", "/sps"} {
		if got, ok := unit(word); ok {
			t.Errorf("%q is %v", word, got)
		}
	}
}

// Some old tools print KB for 1,024 B, others for 1,000: the operations in the
// same rows tell which. If they do not, KB is 1,000.
func TestKilobytesOfAColumn(t *testing.T) {
	const rule = "|---|---|---|\n"
	for name, c := range map[string]struct {
		text string
		want float64
	}{
		"1,024":                  {"| drive | 4k read Bandwidth (KB) | 4k read IOPS |\n" + rule + "| a | 400000 | 100000 |\n| b | 205824 | 51000 |\n| c | 1359 | 339 |\n", 400000 << 10},
		"1,024 a second":         {"| drive | 4k read (KB/s) | 4k read IOPS |\n" + rule + "| a | 400000 | 100000 |\n", 400000 << 10},
		"1,000":                  {"| drive | 4k read Bandwidth (KB) | 4k read IOPS |\n" + rule + "| a | 409600 | 100000 |\n| b | 4096 | 1000 |\n", 409600e3},
		"neither":                {"| drive | 4k read Bandwidth (KB) | 4k read IOPS |\n" + rule + "| a | 300000 | 100000 |\n", 300000e3},
		"the tie":                {"| drive | 4k read Bandwidth (KB) | 4k read IOPS |\n" + rule + "| a | 409600 | 100000 |\n| b | 4000 | 1000 |\n", 409600e3},
		"no block":               {"| drive | read Bandwidth (KB) | read IOPS |\n" + rule + "| a | 400000 | 100000 |\n", 400000e3},
		"kB is 1,000":            {"| drive | 4k read Bandwidth (kB) | 4k read IOPS |\n" + rule + "| a | 400000 | 100000 |\n", 400000e3},
		"a unit of the cell's":   {"| drive | 4k read Bandwidth (KB) | 4k read IOPS |\n" + rule + "| a | 400 MB/s | 100000 |\n| b | 400000 | 100000 |\n", 400e6},
		"few operations tell no": {"| drive | 4k read Bandwidth (KB) | 4k read IOPS |\n" + rule + "| a | 82 | 20 |\n", 82e3},
	} {
		t.Run(name, func(t *testing.T) {
			got := Blog([]byte("## fio\n\n" + c.text))
			if len(got.Results) == 0 {
				t.Fatalf("unread: %v", got.Unread)
			}
			m := got.Results[0].Repeats[0].Measurement("storage.read.bandwidth")
			if m == nil || m.Value != c.want {
				t.Errorf("%+v, want %g", m, c.want)
			}
		})
	}
}

// The tool named by a row is the tool of its figures.
func TestToolOfARow(t *testing.T) {
	got := Blog([]byte("Benchmark | Result\n-- | --\nfio 1M sequential read | 417 MB/s\niozone 1M random write | 324 MB/s\niozone 4K random read | 40.35 MB/s\n"))
	if len(got.Unread) != 0 || len(got.Results) != 3 {
		t.Fatalf("%d results, unread %v", len(got.Results), got.Unread)
	}
	for i, want := range []struct {
		title, tool, pattern string
		value                float64
	}{{"1m read", "fio", "read", 417e6}, {"1m randwrite", "iozone", "randwrite", 324e6}, {"4k randread", "iozone", "randread", 40.35e6}} {
		r := got.Results[i]
		m := r.Repeats[0].Measurements[0]
		if r.Trial.Title != want.title || m.Labels["tool"] != want.tool || m.Labels["pattern"] != want.pattern || m.Value != want.value || m.Labels["subject"] != "" {
			t.Errorf("%q: %+v", r.Trial.Title, m)
		}
	}
}

// If rows name operations and columns name metrics, a figure belongs to both. A
// pool benchmark is not one of a drive.
func TestRowsOfOperations(t *testing.T) {
	const body = "| Test | Bandwidth (MB/s) | IOPS | Latency (ms) |\n|---|---|---|---|\n| 4k random read | 409.6 | 100000 | 0.31 |\n| 4k random write | 204.8 | 50000 | 0.62 |\n| seq read 1M | 3000 | 2861 | - |\n"
	got := Blog([]byte("## fio, iodepth=32\n\n" + body))
	if len(got.Unread) != 0 || len(got.Results) != 3 {
		t.Fatalf("%d results, unread %v", len(got.Results), got.Unread)
	}
	for i, want := range []struct {
		title, bs string
		figures   int
	}{{"4k randread", "4k", 3}, {"4k randwrite", "4k", 3}, {"1m read", "1m", 2}} {
		r := got.Results[i]
		all := r.Repeats[0].Measurements
		if r.Trial.Title != want.title || len(all) != want.figures || all[0].Labels["bs"] != want.bs || all[0].Labels["subject"] != "" || all[0].Labels["iodepth"] != "32" {
			t.Errorf("%q: %+v", r.Trial.Title, all)
		}
	}
	if got = Blog([]byte("## rados bench\n\n" + body)); len(got.Results) != 0 || len(got.Unread) != 8 {
		t.Errorf("a pool: %d results, unread %v", len(got.Results), got.Unread)
	}
}

func TestSecondsOfAHeader(t *testing.T) {
	for text, want := range map[string]string{"Average Latency(s)": "s", "4k read latency (s)": "s", "Latency(s) (ms)": "ms", "Client(s)": "", "read IOPS per client(s)": ""} {
		if p := readPhrase(text); p.unit != want || (want == "s" && !p.whole()) {
			t.Errorf("%q: %+v", text, p)
		}
	}
}
