package compare

import (
	"strings"
	"testing"
	"time"

	"assay"
)

func TestUnlikeSettingsAreRefused(t *testing.T) {
	with := func(more ...string) assay.Result {
		return measured("pve1", "/srv", "randread-4k", labels("4k", more...), map[string][]float64{"storage.read.iops": sample(1, 6, 50e3)})
	}
	longer := with()
	longer.Trial.Length = 30 * time.Second
	requested := with()
	requested.Trial.Settings["prefill"] = "no"
	restarted := with("objects", "128584", "cache", "cold: 125 GiB are read, and the store has 62 GiB of memory")
	restarted.Trial.Settings["store_memory"], restarted.Trial.Settings["space"] = "67410186240", "134821773312"
	upgraded := with("cache", "unknown: 64 GiB are read, and the store has 124 GiB of memory")
	upgraded.Trial.Settings["store_memory"] = "134820372480"
	base := with("size", "1073741824", "pool", "assay-1", "prefix", "benchmark_data_a_1", "observer", "a", "interval", "0.01",
		"objects", "128586", "cache", "cold: 125 GiB are read, and the store has 63 GiB of memory")
	base.Trial.Settings["prefill"] = "yes"
	base.Trial.Settings["store_memory"], base.Trial.Settings["space"] = "67411234816", "134823870464"
	for _, test := range []struct {
		name  string
		other assay.Result
		want  string // name: values; "" for alike
	}{
		{"alike", with(), ""},
		{"buffered", with("direct", "0"), "direct: 1 | 0"},
		{"two at once", with("direct", "0", "iodepth", "1"), "direct: 1 | 0; iodepth: 32 | 1"},
		{"synchronous", with("sync", "1"), "sync: 0 | 1"},
		{"the same size in other words", with("bs", "4096"), ""},
		{"a slightly smaller file", with("size", "1000m"), ""},
		{"a far smaller file", with("size", "256m"), "size: 1073741824 | 256m"},
		{"a store whose memory another kernel counts otherwise", restarted, ""},
		{"a store with twice the memory", upgraded, "cache: cold | unknown; store_memory: 67411234816 | 134820372480"},
		{"longer", longer, "seconds: 5 | 30"},
		{"as requested", requested, "prefill: yes | no"},
		{"where it lay, and who called it so", with("file", "/x", "job", "j", "host", "h"), ""},
		{"what came out beside the figure", with("thread_events", "903", "thread_events_stddev", "1.5", "least_share", ".2", "most_share", ".3", "cpu_share", ".5"), ""},
		{"a pool lent for the run, its objects' names and whoever waited longest", with("pool", "assay-2", "prefix", "benchmark_data_b_2", "observer", "b", "interval", "0.0101"), ""},
		{"another version of the tool", with("version", "3.36"), ""},
	} {
		columns := []Column{column(runOf("a", base)), column(runOf("b", test.other))}
		c := Compare(columns, Options{})
		var got []string
		for _, row := range c.Refused {
			for _, d := range row.Settings {
				got = append(got, d.Name+": "+strings.Join(d.Values, " | "))
			}
			if row.Cells[1].Against != nil || len(c.Rows) > 0 {
				t.Errorf("%s: refused and judged", test.name)
			}
		}
		if text := strings.Join(got, "; "); text != test.want {
			t.Errorf("%s: %q, want %q", test.name, text, test.want)
		}
		if c := Compare(columns, Options{Unlike: true}); len(c.Rows) != 1 || len(c.Refused) != 0 || (len(c.Rows[0].Settings) > 0) != (test.want != "") {
			t.Errorf("%s: with Unlike there are %d rows", test.name, len(c.Rows))
		}
	}
}

// Repeats of up to twice the length are comparable, unless the figure changes with
// time.
func TestLengthsOfFiguresThatDriftMustBeNearer(t *testing.T) {
	falling := []float64{100, 98, 95, 91, 88, 84}
	for _, test := range []struct {
		name    string
		length  time.Duration
		values  []float64
		rule    string
		refused bool
	}{
		{"nearly twice as long", 9900 * time.Millisecond, sample(1, 6, 100), "", false},
		{"half as long", 2500 * time.Millisecond, sample(1, 6, 100), "", false},
		{"more than twice as long", 11 * time.Second, sample(1, 6, 100), "", true},
		{"falls from repeat to repeat", 9900 * time.Millisecond, falling, "", true},
		{"falls, a little longer", 6 * time.Second, falling, "", false},
		{"falls within each repeat", 9900 * time.Millisecond, sample(1, 6, 100), "slc-cliff", true},
		{"has another footnote", 9900 * time.Millisecond, sample(1, 6, 100), "cov", false},
	} {
		base := measured("pve1", "/srv", "x", labels("4k"), map[string][]float64{"storage.read.iops": sample(3, 6, 100)})
		other := measured("pve1", "/srv", "x", labels("4k"), map[string][]float64{"storage.read.iops": test.values})
		other.Trial.Length = test.length
		b := runOf("b", other)
		b.Findings = []assay.Finding{{Rule: test.rule, Severity: assay.Warns, Subject: other.Trial.ID, Metrics: []string{"storage.read.iops"}}}
		c := Compare([]Column{column(runOf("a", base)), column(b)}, Options{})
		if (len(c.Refused) == 1) != test.refused || len(c.Rows)+len(c.Refused) != 1 {
			t.Errorf("%s: %d refused, %d compared", test.name, len(c.Refused), len(c.Rows))
		}
	}
}

// How long it took until the mean was known is a result, unless the figure changes with
// time: then what came later would have counted too.
func TestRepeatsThatEndedEarlyAreComparedAsPlanned(t *testing.T) {
	run := func(values []float64, seconds float64, ended string) *assay.Run {
		res := measured("pve1", "/srv", "randread-4k", labels("4k"), map[string][]float64{"storage.read.iops": values})
		res.Trial.Length = 10 * time.Minute
		for i := range res.Repeats[1:] {
			rep := &res.Repeats[i+1]
			rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: "tool.duration", Value: seconds, Unit: assay.Seconds, Labels: labels("4k", "ended", ended)})
		}
		return runOf("run", res)
	}
	steady, falling := sample(1, 6, 100), []float64{100, 98, 95, 91, 88, 84}
	for _, c := range []struct {
		name    string
		other   *assay.Run
		refused bool
	}{
		{"ended when the mean was known", run(steady, 168, "asked"), false},
		{"ended for another reason", run(steady, 168, ""), true},
		{"falls from repeat to repeat", run(falling, 168, "asked"), true},
	} {
		got := Compare([]Column{column(run(steady, 600, "")), column(c.other)}, Options{})
		if len(got.Rows)+len(got.Refused) != 1 || (len(got.Refused) == 1) != c.refused {
			t.Errorf("%s: %d compared, %d refused", c.name, len(got.Rows), len(got.Refused))
		} else if !c.refused && (got.Rows[0].Cells[0].Seconds != 600 || got.Rows[0].Cells[1].Seconds != 168) {
			t.Errorf("%s: shown as %g and %g s", c.name, got.Rows[0].Cells[0].Seconds, got.Rows[0].Cells[1].Seconds)
		}
	}
}

// If reading the same file takes four times as long, that is the result, not a
// difference of settings. A tool that reads for a given time must have been given the
// same time.
func TestTheSameWorkMayTakeLonger(t *testing.T) {
	reading := func(bytes, seconds float64) []Column {
		var columns []Column
		for _, r := range [][2]float64{{1e9, .1}, {bytes, seconds}} {
			columns = append(columns, column(runOf("a", measured("pve1", "/srv", "read-cold", labels("1m"), map[string][]float64{
				"storage.read.bandwidth": sample(1, 6, r[0]/r[1]), "storage.read.bytes": sample(0, 6, r[0]), "tool.duration": sample(2, 6, r[1]),
			}))))
		}
		return columns
	}
	if c := Compare(reading(1e9, .4), Options{}); len(c.Rows) != 1 || len(c.Refused) != 0 {
		t.Errorf("the same work: %d compared, %d refused", len(c.Rows), len(c.Refused))
	}
	if c := Compare(reading(4e9, .4), Options{}); len(c.Rows) != 0 || len(c.Refused) != 1 {
		t.Errorf("four times the work: %d compared, %d refused", len(c.Rows), len(c.Refused))
	}
}

func TestFactsAreListed(t *testing.T) {
	a, b := runOf("a", reads(1, 6, 1e3)), runOf("b", reads(1, 6, 1e3))
	facts := func(kernel, model, firmware string) assay.Facts {
		return assay.Facts{
			OS:    assay.OSFacts{Kernel: kernel},
			Dirs:  []assay.DirFacts{{Path: "/srv", FileSystem: "ext4", Drives: []string{"sda"}, Options: []string{"rw", "noatime"}}},
			Block: []assay.BlockDevice{{Name: "sda", Model: model, Firmware: firmware, Bus: assay.BusSATA}},
		}
	}
	a.Inventory.Facts["pve1"], b.Inventory.Facts["pve1"] = facts("6.8", "MX500", "M3CR045"), facts("6.11", "870 EVO", "")
	row := Compare([]Column{column(a), column(b)}, Options{}).Rows[0]
	var got []string
	for _, d := range row.Facts {
		got = append(got, d.Name+": "+strings.Join(d.Values, " | "))
	}
	// A value missing on one side is not a difference.
	if text := strings.Join(got, "; "); text != "drive: MX500 | 870 EVO; kernel: 6.8 | 6.11" {
		t.Error(text)
	}
}

func TestAColumnThatDiffersInItselfShowsIt(t *testing.T) {
	with := func(version, depth string) assay.Result {
		return measured("pve1", "/srv", "x", labels("4k", "version", version, "iodepth", depth), map[string][]float64{"storage.read.iops": sample(1, 6, 1e3)})
	}
	base := column(runOf("a", with("3.33", "32")), runOf("b", with("3.36", "16")))
	c := Compare([]Column{base, column(runOf("c", with("3.33", "32")))}, Options{})
	if len(c.Refused) != 1 {
		t.Fatalf("%d rows refused", len(c.Refused))
	}
	row := c.Refused[0]
	if got := row.Settings[0].Values[0] + " | " + row.Settings[0].Values[1]; got != "32, 16 | 32" {
		t.Errorf("depth: %s", got)
	}
	if got := row.Facts[0].Name + ": " + row.Facts[0].Values[0] + " | " + row.Facts[0].Values[1]; got != "fio: 3.33, 3.36 | 3.33" {
		t.Error(got)
	}
}

func TestSizesInAllWords(t *testing.T) {
	for word, want := range map[string]int64{
		"4096": 4096, "4k": 4096, "4K": 4096, "4kb": 4096, "4KiB": 4096, "1m": 1 << 20, "2G": 2 << 30, "1t": 1 << 40,
		"": 0, "k": 0, "4x": 0, "-1": 0, "0": 0, "4 k": 0, "999999999999999t": 0, "99999999999999999999": 0,
	} {
		got, ok := assay.ParseSize(word)
		if ok != (want > 0) || ok && got != want {
			t.Errorf("%q: %d %v, want %d", word, got, ok, want)
		}
	}
}

// What measured equally long is compared, although one might have taken longer.
func TestRepeatsOfOneLengthAreComparedWhateverWasPlanned(t *testing.T) {
	run := func(planned time.Duration, ended string) *assay.Run {
		res := measured("pve1", "/srv", "randread-4k", labels("4k"), map[string][]float64{"storage.read.iops": sample(1, 6, 100)})
		res.Trial.Length = planned
		for i := range res.Repeats[1:] {
			rep := &res.Repeats[i+1]
			rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: "tool.duration", Value: 30, Unit: assay.Seconds, Labels: labels("4k", "ended", ended)})
		}
		return runOf("run", res)
	}
	got := Compare([]Column{column(run(10*time.Minute, "asked")), column(run(30*time.Second, ""))}, Options{})
	if len(got.Rows) != 1 || len(got.Refused) != 0 {
		t.Errorf("%d compared, refused: %+v", len(got.Rows), got.Refused)
	}
}
