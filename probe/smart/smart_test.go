package smart

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func load(t testing.TB, name string) []byte {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func transcript(docs ...[]byte) assay.Transcript {
	tr := assay.Transcript{Probe: "smart"}
	for _, doc := range docs {
		tr.Steps = append(tr.Steps, assay.Step{Name: "measure", Output: assay.Output{Stdout: doc}})
	}
	return tr
}

func lines(ms []assay.Measurement) string {
	var b strings.Builder
	for _, m := range ms {
		fmt.Fprintf(&b, "%s %v %s", m.Metric, m.Value, m.Unit)
		var labels []string
		for k, v := range m.Labels {
			labels = append(labels, fmt.Sprintf(" %s=%q", k, v))
		}
		slices.Sort(labels)
		b.WriteString(strings.Join(labels, "") + "\n")
	}
	return b.String()
}

func TestParseGolden(t *testing.T) {
	for _, name := range []string{
		"nvme-refused", "nvme-media-errors", "nvme-failing", "hdd-pending", "ssd-sata",
		"ssd-statistics", "sas", "sas-grown-defects", "sas-ssd",
		"ssd-crc", "nvme-cli-1", "nvme-cli-2-human", "nvme-cli-floats", "handmade-nvme-cli-failing",
	} {
		t.Run(name, func(t *testing.T) {
			ms, err := New().Parse(transcript(load(t, name+".json")))
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(lines(ms)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), lines(ms)); diff != "" {
				t.Errorf("measurements (-want +got):\n%s", diff)
			}
			for _, m := range ms {
				for k, v := range m.Labels {
					if strings.Contains(v, "SCRUBBED") || k == "serial" {
						t.Errorf("%s has the serial number in label %s", m.Metric, k)
					}
				}
			}
		})
	}
}

// The figures that decide whether to discard a drive, worked out by hand.
func TestFiguresByHand(t *testing.T) {
	for _, c := range []struct {
		file, metric string
		value        float64
		label, text  string
	}{
		{"nvme-refused", "smart.data_written", 76471882 * 512_000, "model", "Sabrent Rocket 4.0 1TB"},
		{"nvme-refused", "smart.power_on_hours", 8733 * 3600, "protocol", "NVMe"},
		{"nvme-refused", "smart.error_log_entries", 4871, "refused", "1"},
		{"nvme-refused", "smart.error_log_entries", 4871, "unread", "4870"},
		{"nvme-media-errors", "smart.media_errors", 7, "drive", "nvme0"},
		{"nvme-failing", "smart.passed", 0, "critical_warning", "spare below threshold, reliability degraded"},
		{"nvme-failing", "smart.percentage_used", 1.04, "drive", "nvme1n1"},
		{"nvme-failing", "smart.throttle_minutes", 900, "critical", "180"},
		{"nvme-failing", "smart.error_log_entries", 230, "media", "2"},
		{"nvme-failing", "smart.error_log_entries", 230, "refused", "3"},
		{"nvme-failing", "smart.error_log_entries", 230, "other", "1"},
		{"hdd-pending", "smart.media_errors", 8, "reallocated", "1975"},
		{"hdd-pending", "smart.passed", 0, "news", "disk failing, a prefail attribute is at its threshold, the error log has entries, a self-test failed"},
		{"ssd-sata", "smart.data_written", 129493 * 32 << 20, "source", "attribute 241 Total_LBAs_Written"},
		{"ssd-sata", "smart.data_read", 573613 * 32 << 20, "source", "attribute 242 Total_LBAs_Read"},
		{"ssd-sata", "smart.percentage_used", 0, "source", "attribute 202 End_of_Life"},
		{"ssd-statistics", "smart.percentage_used", 0.06, "source", "device statistics"},
		{"ssd-statistics", "smart.data_written", 3335329398 * 512, "source", "device statistics"},
		{"ssd-statistics", "smart.media_errors", 0, "reported", "0"},
		{"sas-grown-defects", "smart.media_errors", 0, "grown_defects", "56"},
		{"ssd-crc", "smart.crc_errors", 108, "source", "attribute 199 CRC_Error_Count"},
		{"nvme-cli-1", "smart.temperature", 28, "protocol", "NVMe"},
		{"nvme-cli-1", "smart.data_written", 1474968593 * 512_000, "tool", "smart"},
		{"nvme-cli-2-human", "smart.passed", 1, "critical_warning", ""},
		{"handmade-nvme-cli-failing", "smart.passed", 0, "critical_warning", "spare below threshold, reliability degraded"},
		{"handmade-nvme-cli-failing", "smart.available_spare", .03, "threshold", "0.1"},
		{"handmade-nvme-cli-failing", "smart.throttle_minutes", 48 * 60, "critical", "420"},
		{"hdd-pending", "smart.failing_attributes", 1, "now", "Reallocated_Sector_Ct 1, threshold 5"},
		{"sas-grown-defects", "smart.reallocated_sectors", 56, "source", "grown defect list"},
		{"sas", "smart.data_written", 132824.923e9, "firmware", "RSL5"},
		{"sas-ssd", "smart.percentage_used", .11, "protocol", "SCSI"},
	} {
		ms, err := New().Parse(transcript(load(t, c.file+".json")))
		if err != nil {
			t.Fatal(err)
		}
		m := assay.Repeat{Measurements: ms}.Measurement(c.metric)
		if m == nil {
			t.Errorf("%s: no %s", c.file, c.metric)
			continue
		}
		if math.Abs(m.Value-c.value) > 1e-12*c.value || m.Labels[c.label] != c.text {
			t.Errorf("%s: %s = %v %s=%q, want %v %q", c.file, c.metric, m.Value, c.label, m.Labels[c.label], c.value, c.text)
		}
	}
}

func TestAbsentIsNotZero(t *testing.T) {
	for file, absent := range map[string][]string{
		"hdd-pending":       {"smart.percentage_used", "smart.available_spare", "smart.unsafe_shutdowns", "smart.data_written"},
		"nvme-failing":      {"smart.temperature"},
		"sas-grown-defects": {"smart.percentage_used", "smart.error_log_entries", "smart.unsafe_shutdowns"},
		"ssd-sata":          {"smart.throttle_minutes"},
	} {
		ms, err := New().Parse(transcript(load(t, file+".json")))
		if err != nil {
			t.Fatal(err)
		}
		for _, metric := range absent {
			if m := (assay.Repeat{Measurements: ms}).Measurement(metric); m != nil {
				t.Errorf("%s: %s = %v, but the drive does not report it", file, metric, m.Value)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name      string
		docs      [][]byte
		want      string
		wantsHint bool
	}{
		{"virtio", [][]byte{load(t, "virtio.json")}, "Unable to detect device type", true},
		{"permission", [][]byte{load(t, "permission-denied.json")}, "Permission denied", true},
		{"bridge and sat", [][]byte{load(t, "usb-unknown-bridge.json"), load(t, "sat-refused.json")},
			"smartctl: /dev/sdb: Unknown USB bridge [0x0bda:0x9201 (0xf200)]; with -d sat: smartctl: Smartctl open device: /dev/vda [SAT] failed", true},
		{"old", [][]byte{[]byte("=======> UNRECOGNIZED OPTION: json=c\n")}, "does not know --json", true},
		{"empty", [][]byte{nil}, "printed no usable output", false},
		{"not run", nil, "not run", false},
		{"text", [][]byte{[]byte("smartctl 7.3\n")}, "no JSON", false},
		{"another tool", [][]byte{[]byte(`{"fio version":"fio-3.33"}`)}, "not a document of smartctl", false},
		{"a list", [][]byte{[]byte(`[]`)}, "not a document of smartctl", false},
		{"is disabled", [][]byte{[]byte(`{"smartctl":{"exit_status":4},"device":{"protocol":"ATA"},"smart_support":{"available":true,"enabled":false}}`)}, "is disabled", true},
		{"negative", [][]byte{[]byte(`{"smartctl":{},"nvme_smart_health_information_log":{"media_errors":-1}}`)}, "of -1 is impossible", false},
		{"spare of 255 %", [][]byte{[]byte(`{"smartctl":{},"nvme_smart_health_information_log":{"available_spare":255}}`)}, "of 255 % is impossible", false},
		{"overflow", [][]byte{[]byte(`{"smartctl":{},"nvme_smart_health_information_log":{"media_errors":1e999}}`)}, "found no SMART data", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			ms, err := New().Parse(transcript(c.docs...))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, %v; want an error with %q", ms, err, c.want)
			}
			if got := assay.Hint(err) != ""; got != c.wantsHint {
				t.Errorf("hint %q of %v", assay.Hint(err), err)
			}
		})
	}
}

// A failing disk keeps its figures: bits 3 to 7 of the exit status are
// findings, not failures, and bit 2 may come with partial output.
func TestNewsKeepsFigures(t *testing.T) {
	for _, status := range []int{4, 8, 64, 4 + 8 + 128} {
		doc := fmt.Appendf(nil, `{"smartctl":{"exit_status":%d},"device":{"protocol":"ATA"},"temperature":{"current":30}}`, status)
		ms, err := New().Parse(transcript(doc))
		if err != nil {
			t.Fatalf("status %d: %v", status, err)
		}
		r := assay.Repeat{Measurements: ms}
		if r.Measurement("smart.temperature") == nil {
			t.Errorf("status %d: the temperature is lost", status)
		}
		passed := r.Measurement("smart.passed")
		if failing := status&8 != 0; failing != (passed != nil && passed.Value == 0) {
			t.Errorf("status %d: smart.passed is %v", status, passed)
		}
	}
}

// Some builds warn on standard output before their JSON.
func TestParseBeginsAtTheDocument(t *testing.T) {
	for _, file := range []string{"nvme-refused.json", "ssd-sata.json"} {
		doc := load(t, file)
		want, err := New().Parse(transcript(doc))
		if err != nil {
			t.Fatal(err)
		}
		warned := append([]byte("smartctl: the drive database {7.3/5319} is old\n\n"), doc...)
		got, err := New().Parse(transcript(warned))
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			want[i].Line += 2 // the warning and the blank line
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: a warning changes the figures:\n%s", file, diff)
		}
	}
}

// answers is a Place that replays smartctl output.
type answers struct {
	assay.Place
	outputs []assay.Output
	asked   []assay.Cmd
	err     error
}

func (a *answers) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	a.asked = append(a.asked, c)
	out := a.outputs[min(len(a.asked), len(a.outputs))-1]
	return out, a.err
}

func TestRunTriesSATBehindAnUnknownBridge(t *testing.T) {
	at := &answers{outputs: []assay.Output{
		{Stdout: load(t, "usb-unknown-bridge.json"), Exit: 1},
		{Stdout: load(t, "ssd-statistics.json")},
	}}
	trial := assay.Trial{Subject: assay.Subject{Name: "sdb"}, Settings: map[string]string{"device": "/dev/sdb"}}
	tr, err := New().Run(t.Context(), trial, assay.Bench{Place: at})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"smartctl", "--json=c", "-x", "-d", "sat", "/dev/sdb"}
	if len(tr.Steps) != 2 || !slices.Equal(at.asked[1].Argv, want) {
		t.Fatalf("asked %v, want %v as second step", at.asked, want)
	}
	for _, c := range at.asked {
		if !slices.Contains(c.Env, "LC_ALL=C") || c.Timeout == 0 {
			t.Errorf("%v: env %v, timeout %v", c.Argv, c.Env, c.Timeout)
		}
	}
	ms, err := New().Parse(tr)
	if err != nil || len(ms) == 0 {
		t.Errorf("got %v, %v", ms, err)
	}
}

func TestRunAsksOnce(t *testing.T) {
	at := &answers{outputs: []assay.Output{{Stdout: load(t, "nvme-refused.json")}}}
	tr, err := New().Run(t.Context(), assay.Trial{Subject: assay.Subject{Name: "nvme0n1"}}, assay.Bench{Place: at})
	if err != nil || len(tr.Steps) != 1 || tr.Steps[0].Argv[3] != "/dev/nvme0n1" {
		t.Errorf("got %+v, %v", tr, err)
	}
	at = &answers{outputs: []assay.Output{{}}, err: assay.ErrNoCommand}
	tr, err = New().Run(t.Context(), assay.Trial{Subject: assay.Subject{Name: "sda"}}, assay.Bench{Place: at})
	if !errors.Is(err, assay.ErrNoCommand) || len(tr.Steps) != 1 {
		t.Errorf("got %+v, %v", tr, err)
	}
}

func TestTrials(t *testing.T) {
	inv := assay.Inventory{Facts: map[string]assay.Facts{
		"a": {Root: true, Block: []assay.BlockDevice{
			{Name: "nvme0n1", Path: "/dev/nvme0n1", Kind: "disk", Bus: assay.BusNVMe},
			{Name: "vda", Path: "/dev/vda", Kind: "disk", Bus: assay.BusVirtio},
			{Name: "sda", Path: "/dev/sda", Kind: "disk", Bus: assay.BusSATA, Model: "QEMU HARDDISK"},
			{Name: "loop0", Path: "/dev/loop0", Kind: "loop", Bus: assay.BusLoop},
			{Name: "zram0", Path: "/dev/zram0", Kind: "zram"},
			{Name: "mmcblk0", Path: "/dev/mmcblk0", Kind: "disk", Bus: assay.BusMMC},
			{Name: "sdu", Path: "/dev/sdu", Kind: "disk", Bus: assay.BusUSB},
		}},
		"b": {Block: []assay.BlockDevice{
			{Name: "sda", Path: "/dev/sda", Kind: "disk", Bus: assay.BusSATA},
			{Name: "vda", Path: "/dev/vda", Kind: "disk", Bus: assay.BusVirtio},
		}},
	}}
	drive := func(host, name string) {
		inv.Subjects = append(inv.Subjects, assay.Subject{ID: host + "/drive/" + name, Kind: assay.KindDrive, Host: host, Name: name})
	}
	for _, name := range []string{"nvme0n1", "vda", "sda", "loop0", "zram0", "mmcblk0", "sdu", "gone"} {
		drive("a", name)
	}
	drive("b", "sda")
	drive("b", "vda")
	drive("c", "sda")
	inv.Subjects = append(inv.Subjects, assay.Subject{ID: "a/cpu/cpu", Kind: assay.KindCPU, Host: "a"})

	trials, err := New().Trials(inv, assay.Case{Probe: "smart", Name: "health", On: assay.KindDrive, Once: true, Order: "first"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]assay.AbsenceWord{
		"smart/health@a/drive/nvme0n1": "", "smart/health@a/drive/sdu": "",
		"smart/health@a/drive/vda": assay.NotSupported, "smart/health@a/drive/sda": assay.NotSupported,
		"smart/health@a/drive/loop0": assay.NotSupported, "smart/health@a/drive/zram0": assay.NotSupported,
		"smart/health@a/drive/mmcblk0": assay.NotSupported, "smart/health@a/drive/gone": assay.Unknown,
		"smart/health@b/drive/sda": assay.Unknown, "smart/health@b/drive/vda": assay.NotSupported,
		"smart/health@c/drive/sda": assay.Unknown,
	}
	got := map[string]assay.AbsenceWord{}
	for _, tr := range trials {
		got[tr.ID] = ""
		if tr.Absent != nil {
			got[tr.ID] = tr.Absent.Word
			if tr.Absent.Why == "" {
				t.Errorf("%s is absent without a reason", tr.ID)
			}
			continue
		}
		if tr.Risk != assay.Reads || tr.Scratch != 0 || tr.Bound != 2*time.Minute ||
			tr.Settings["device"] != "/dev/"+tr.Subject.Name {
			t.Errorf("%+v", tr)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("absences (-want +got):\n%s", diff)
	}
}

func TestTrialsRefuses(t *testing.T) {
	if _, err := New().Trials(assay.Inventory{}, assay.Case{Name: "x", On: assay.KindCPU}); err == nil {
		t.Error("a case on a CPU was accepted")
	}
	if _, err := New().Trials(assay.Inventory{}, assay.Case{Name: "x", Set: map[string]string{"device": "/dev/sda"}}); err == nil {
		t.Error("a setting was accepted")
	}
}
