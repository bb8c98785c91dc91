package thermal

import (
	"os"
	"strings"
	"testing"
	"time"

	"assay"

	"github.com/google/go-cmp/cmp"
)

func parsed(t *testing.T, file string) []assay.Measurement {
	t.Helper()
	out, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	ms, err := New().Parse(transcript(out))
	if err != nil {
		t.Fatal(err)
	}
	return ms
}

func transcript(stdout []byte) assay.Transcript {
	return assay.Transcript{Probe: "thermal", Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: stdout}}}}
}

// of returns the measurement of a metric for one sensor, or nil.
func of(ms []assay.Measurement, metric, sensor string) *assay.Measurement {
	for i := range ms {
		if ms[i].Metric == metric && ms[i].Labels["sensor"] == sensor {
			return &ms[i]
		}
	}
	return nil
}

func TestParseDesktop(t *testing.T) {
	ms := parsed(t, "desktop.txt")
	for _, c := range []struct {
		metric, sensor string
		value          float64
	}{
		{"thermal.idle", "coretemp/Package id 0", 42},
		{"thermal.load", "coretemp/Package id 0", 90},
		{"thermal.rise", "coretemp/Package id 0", 48},
		{"thermal.settle", "coretemp/Package id 0", 2.05},
		{"thermal.settle", "coretemp/Core 0", 2.05},
		{"thermal.load", "nvme0n1/Composite", 39.85},
		{"thermal.settle", "acpitz/temp1", 0},
		{"thermal.clock.idle", "", .85e9},
		{"thermal.clock.load", "", 4e9},
		{"thermal.throttles", "", 10},
	} {
		m := of(ms, c.metric, c.sensor)
		if m == nil {
			t.Errorf("no %s of %q", c.metric, c.sensor)
			continue
		}
		if d := m.Value - c.value; d > 1e-6 || d < -1e-6 {
			t.Errorf("%s of %q = %v, want %v", c.metric, c.sensor, m.Value, c.value)
		}
	}
	if m := ms[0]; m.Metric != "thermal.idle" || m.Labels["headline"] != "1" || m.Labels["sensor"] != "coretemp/Package id 0" {
		t.Errorf("the headline is %+v", m)
	}
	r := assay.Repeat{Measurements: ms}
	if s := r.Measurement("thermal.load").Samples; len(s) != 9 || s[4] != (assay.Sample{At: 5.12, Value: 89}) {
		t.Errorf("samples %v: want 9 from idle to after", s)
	}
	if s := r.Measurement("thermal.clock.load").Samples; len(s) != 9 || s[2].Value != 4.2e9 {
		t.Errorf("samples of the clock %v", s)
	}
}

func TestWhatCannotBeReadIsLeftOut(t *testing.T) {
	ms := parsed(t, "desktop.txt")
	for _, sensor := range []string{"iwlwifi/temp1", "nct6775/AUXTIN0"} {
		if m := of(ms, "thermal.load", sensor); m != nil {
			t.Errorf("%s has %v", sensor, m.Value)
		}
	}
	drive := of(ms, "thermal.rise", "nvme0n1/Composite")
	if drive.Labels["settled"] != "no" || of(ms, "thermal.settle", "nvme0n1/Composite") != nil {
		t.Errorf("the drive never came near idle: %v", drive.Labels)
	}
	if s := of(ms, "thermal.rise", "acpitz/temp1").Labels["settled"]; s != "yes" {
		t.Errorf("settled=%s of a sensor that never rose", s)
	}
}

func TestParseWithoutSensors(t *testing.T) {
	ms := parsed(t, "vm.txt")
	var metrics []string
	for _, m := range ms {
		metrics = append(metrics, m.Metric)
		if m.Labels["source"] != "cpuinfo" {
			t.Errorf("%s from %q", m.Metric, m.Labels["source"])
		}
	}
	if diff := cmp.Diff([]string{"thermal.clock.idle", "thermal.clock.load"}, metrics); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	head := "assay-thermal 1\nsensor 1 cpu a\n"
	for name, c := range map[string]struct{ out, want string }{
		"nothing":       {"", "printed no usable output"},
		"not ours":      {"hello\n", "printed no usable output"},
		"broken off":    {head + "phase idle 1\ntick 1.00 1=40000\n", "stopped early"},
		"newer":         {"assay-thermal 2\n", `version "2"`},
		"nothing read":  {head + "phase idle 1\ntick 1.00\nphase load 2\ntick 2\nend settled 3\n", "no sensor and no clock"},
		"nonsense only": {head + "phase idle 1\ntick 1.00 1=nan clock=-5\nphase load 2\ntick 2 1=1e9 clock=inf\nend settled 3\n", "no sensor and no clock"},
		"a long line":   {head + strings.Repeat("x", 2<<20), "line 3"},
	} {
		ms, err := New().Parse(transcript([]byte(c.out)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, %v; want an error with %q", name, ms, err, c.want)
		}
	}
	if _, err := New().Parse(assay.Transcript{}); err == nil {
		t.Error("a transcript without steps was read")
	}
}

// A CPU that goes offline takes its counters along: no figure rather than a
// negative one.
func TestThrottlesThatGoBack(t *testing.T) {
	out := "assay-thermal 1\nclock cpufreq\nphase idle 1\ntick 1 clock=800000 throttles=9\n" +
		"phase load 2\ntick 3 clock=900000 throttles=4\nphase after 4\ntick 4 throttles=4\nend settled 4\n"
	ms, err := New().Parse(transcript([]byte(out)))
	if err != nil {
		t.Fatal(err)
	}
	if m := of(ms, "thermal.throttles", ""); m != nil {
		t.Errorf("got %v", m.Value)
	}
}

func TestHeadline(t *testing.T) {
	sensed := func(kind, key string, load float64) curve {
		return curve{sensor: sensor{kind: kind, key: key}, load: load}
	}
	for _, c := range []struct {
		want   string
		curves []curve
	}{
		{"coretemp/Package id 1", []curve{sensed("cpu", "coretemp/Core 3", 99), sensed("cpu", "coretemp/Package id 0", 80), sensed("cpu", "coretemp/Package id 1", 85)}},
		{"k10temp/Tdie", []curve{sensed("cpu", "k10temp/Tctl", 95), sensed("cpu", "k10temp/Tdie", 68)}},
		{"k10temp/Tctl", []curve{sensed("cpu", "k10temp/Tccd1", 75), sensed("cpu", "k10temp/Tctl", 70)}},
		{"a/Core 1", []curve{sensed("other", "acpitz/temp1", 99), sensed("cpu", "a/Core 0", 50), sensed("cpu", "a/Core 1", 51)}},
		{"y", []curve{sensed("other", "x", 30), sensed("drive", "y", 40)}},
	} {
		sortCurves(c.curves)
		if c.curves[0].key != c.want {
			t.Errorf("the headline is %q, want %q", c.curves[0].key, c.want)
		}
	}
}

func TestTrials(t *testing.T) {
	yes := true
	inv := assay.Inventory{
		Facts: map[string]assay.Facts{
			"metal":  {Sensors: []assay.Sensor{{Key: "coretemp/Package id 0", Path: "/sys/class/hwmon/hwmon0/temp1_input", Kind: "cpu"}, {Key: "no\tgood", Path: "/x"}}},
			"clocks": {CPU: assay.CPUFacts{Driver: "cpufreq-dt"}},
			"bare":   {},
			"vm":     {CPU: assay.CPUFacts{Virtual: &yes}},
		},
		Subjects: []assay.Subject{{ID: "metal/cpu/cpu", Kind: assay.KindCPU, Host: "metal"}},
	}
	for _, host := range []string{"metal", "clocks", "bare", "vm", "gone"} {
		inv.Subjects = append(inv.Subjects, assay.Subject{ID: host + "/thermal/thermal", Kind: assay.KindThermal, Host: host})
	}
	trials, err := New().Trials(inv, assay.Case{Name: "load", On: assay.KindThermal, Seconds: 60, Longest: 300, Set: map[string]string{"settle": "10"}})
	if err != nil || len(trials) != 5 {
		t.Fatalf("got %d trials, %v", len(trials), err)
	}
	metal := trials[0]
	if metal.ID != "thermal/load@metal/thermal/thermal" || metal.Bound != (5+300+10)*time.Second+slack || metal.Overhead != 15*time.Second {
		t.Errorf("%+v", metal)
	}
	if diff := cmp.Diff([]string{"metal/thermal/thermal", "metal/cpu/cpu"}, metal.Claims); diff != "" {
		t.Errorf("claims:\n%s", diff)
	}
	args := sensorArgs(metal.Settings["sensors"])
	if diff := cmp.Diff([]string{"cpu", "coretemp/Package id 0", "/sys/class/hwmon/hwmon0/temp1_input"}, args); diff != "" {
		t.Errorf("sensors:\n%s", diff)
	}
	if trials[1].Absent != nil {
		t.Errorf("a host with a clock to watch is absent: %v", trials[1].Absent)
	}
	for i, want := range map[int]assay.Absence{
		2: {Word: assay.NotSupported, Hint: "modprobe coretemp"},
		3: {Word: assay.NotSupported, Hint: "check on the hypervisor"},
		4: {Word: assay.Unknown},
	} {
		got := trials[i].Absent
		if got == nil || got.Word != want.Word || !strings.Contains(got.Hint, want.Hint) || got.Why == "" {
			t.Errorf("%s: got %+v, want %+v", trials[i].ID, got, want)
		}
	}
}

// The planner stretches a trial as far as the case allows, and the probe's
// bound must not end it earlier.
func TestBound(t *testing.T) {
	inv := assay.Inventory{
		Facts:    map[string]assay.Facts{"a": {CPU: assay.CPUFacts{Driver: "x"}}},
		Subjects: []assay.Subject{{ID: "a/thermal/thermal", Kind: assay.KindThermal, Host: "a"}},
	}
	set := map[string]string{"idle": "5", "settle": "20"}
	for name, c := range map[string]struct {
		seconds, longest float64
		want             time.Duration // 0: the planner's
	}{
		"as far as that": {12, 300, (5+300+20)*time.Second + slack},
		"without end":    {12, 0, 0},
		"no length":      {0, 0, (5+30+20)*time.Second + slack},
	} {
		trials, err := New().Trials(inv, assay.Case{Name: "load", Seconds: c.seconds, Longest: c.longest, Set: set})
		if err != nil || len(trials) != 1 || trials[0].Bound != c.want {
			t.Errorf("%s: %+v, %v, want a bound of %s", name, trials, err, c.want)
		}
	}
}

// "How long it took" has no figure if it never got there; only how long it was
// waited for is known.
func TestNotSettled(t *testing.T) {
	head := "assay-thermal 1\nsensor 1 cpu coretemp/Package id 0\nsensor 2 drive nvme0n1/Composite\n" +
		"phase idle 1\ntick 1 1=40000 2=30000\nphase load 2\ntick 3 1=90000 2=30000\nphase after 4\n"
	for name, c := range map[string]struct {
		out      string
		settings map[string]string
		want     string // of the CPU's figures
	}{
		"bound":           {"tick 24 1=50000 2=30000\nend bound 24\n", map[string]string{"settle": "20"}, "no, not within 20 s"},
		"a broken bound":  {"tick 24 1=50000 2=30000\nend bound 24\n", map[string]string{"settle": "2.5"}, "no, not within 2.5 s"},
		"bound unset":     {"tick 34 1=50000 2=30000\nend bound 34\n", map[string]string{"sensors": ""}, "no, not within 30 s"},
		"bound not known": {"tick 24 1=50000 2=30000\nend bound 24\n", nil, "no"},
		"not waited for":  {"tick 5 1=50000 2=30000\nend settled 5\n", map[string]string{"settle": "20"}, "no"},
	} {
		tr := transcript([]byte(head + c.out))
		tr.Settings = c.settings
		ms, err := New().Parse(tr)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, metric := range []string{"thermal.idle", "thermal.load", "thermal.rise"} {
			if got := of(ms, metric, "coretemp/Package id 0").Labels["settled"]; got != c.want {
				t.Errorf("%s: %s is labelled %q, want %q", name, metric, got, c.want)
			}
		}
		if of(ms, "thermal.settle", "coretemp/Package id 0") != nil || of(ms, "thermal.settle", "nvme0n1/Composite") == nil {
			t.Errorf("%s: who settled? %+v", name, ms)
		}
		if got := of(ms, "thermal.rise", "nvme0n1/Composite").Labels["settled"]; got != "yes" {
			t.Errorf("%s: the drive, which settled, is labelled %q", name, got)
		}
	}
}

func TestTrialsRefusesSettings(t *testing.T) {
	for _, set := range []map[string]string{
		{"idle": "-1"}, {"idle": "NaN"}, {"settle": "1e9"}, {"threads": "many"}, {"threads": "-1"}, {"fan": "off"},
	} {
		if _, err := New().Trials(assay.Inventory{}, assay.Case{Name: "load", Set: set}); err == nil {
			t.Errorf("%v was accepted", set)
		}
	}
}

// check verifies that every measurement is as the probe promises.
func check(t *testing.T, ms []assay.Measurement, err error) {
	t.Helper()
	if (err == nil) != (len(ms) > 0) {
		t.Fatalf("%d measurements and error %v", len(ms), err)
	}
	for _, m := range ms {
		known, ok := assay.Describe(m.Metric)
		if !ok || known.Unit != m.Unit || m.Value != m.Value {
			t.Errorf("%s = %v %s", m.Metric, m.Value, m.Unit)
		}
		low, high := 0.0, 1e300
		if m.Unit == assay.Celsius {
			low, high = coldest-hottest, hottest-coldest
		}
		if m.Value < low || m.Value > high {
			t.Errorf("%s = %v", m.Metric, m.Value)
		}
	}
}

func seed(f *testing.F) {
	for _, file := range []string{"desktop.txt", "vm.txt"} {
		doc, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(doc)
	}
}

func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, out []byte) {
		ms, err := New().Parse(transcript(out))
		check(t, ms, err)
	})
}
