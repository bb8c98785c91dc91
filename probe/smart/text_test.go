package smart

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

func text(t testing.TB, name string) string {
	t.Helper()
	return captured.Text(t, filepath.Join("text", name+".txt"))
}

func parseString(s string, argv ...string) ([]assay.Measurement, error) {
	return New().Parse(assay.Transcript{Probe: "smart", Steps: []assay.Step{{
		Name: "measure", Argv: argv, Output: assay.Output{Stdout: []byte(s)},
	}}})
}

// The figures as a human reads them in each file; line is where they are.
func TestFiguresInText(t *testing.T) {
	for _, c := range []struct {
		file, metric string
		value        float64
		line         int
		label, text  string
	}{
		{"nvme-7.3", "smart.passed", 1, 41, "model", "WDC PC SN730 SDBPNTY-512G-1101"},
		{"nvme-7.3", "smart.data_written", 14028396 * 512_000, 50, "capacity", "512110190592"},
		{"nvme-7.3", "smart.data_read", 63787598 * 512_000, 49, "protocol", "NVMe"},
		{"nvme-7.3", "smart.available_spare", 1, 46, "threshold", "0.1"},
		{"nvme-7.3", "smart.percentage_used", .01, 48, "firmware", "11190001"},
		{"nvme-7.3", "smart.temperature", 46, 45, "version", "7.3"},
		{"nvme-7.3", "smart.power_on_hours", 1562 * 3600, 55, "tool", "smart"},
		{"nvme-7.3", "smart.unsafe_shutdowns", 106, 56, "", ""},
		{"nvme-7.3", "smart.media_errors", 0, 57, "", ""},
		{"nvme-7.3", "smart.error_log_entries", 1, 58, "unread", "1"},
		{"nvme-7.3", "smart.throttle_minutes", 0, 60, "", ""},
		{"nvme-7.1-ru", "smart.data_written", 56742372 * 512_000, 28, "capacity", "1600321314816"},
		{"nvme-7.1-ru", "smart.power_on_hours", 1998 * 3600, 33, "model", "KCM61VUL1T60"},
		{"nvme-7.1-ru", "smart.throttle_minutes", 284 * 60, 38, "warning", "17040"},
		{"nvme-7.1-ru", "smart.error_log_entries", 283, 36, "refused", "1"},
		{"nvme-7.4-macos", "smart.data_written", 695150 * 512_000, 33, "model", "APPLE SSD AP0512Z"},
		{"ata-hdd-failing-now", "smart.failing_attributes", 1, 7, "now", "Reallocated_Sector_Ct 30, threshold 36"},
		{"ata-hdd-failing-now", "smart.reallocated_sectors", 2887, 7, "source", "attribute 5 Reallocated_Sector_Ct"},
		{"ata-hdd-failing-now", "smart.self_test_failures", 3, 32, "newest", "Conveyance offline: unknown failure"},
		{"ata-hdd-6.2-selftests", "smart.self_test_failures", 6, 83, "hours", "16539"},
		{"ata-hdd-6.2-selftests", "smart.self_test_failures", 6, 83, "tests", "10"},
		{"ata-hdd-6.2-selftests", "smart.error_log_entries", 38449, 56, "other", "2"},
		{"ata-hdd-selftest-mended", "smart.self_test_failures", 3, 5, "since", "passed"},
		{"ata-hdd-crc", "smart.crc_errors", 560, 16, "source", "attribute 199 UDMA_CRC_Error_Count"},
		{"sas-hdd-5.41-predicted", "smart.reallocated_sectors", 2066, 18, "source", "grown defect list"},
		{"sas-hdd-non-medium", "smart.non_medium_errors", 1, 24, "", ""},
		{"sas-hdd-selftest", "smart.self_test_failures", 2, 5, "newest", "Background long: Failed in segment"},
		{"nvme-7.2-failed", "smart.passed", 0, 25, "critical_warning", "spare below threshold, read only"},
		{"nvme-7.2-failed", "smart.available_spare", 0, 32, "threshold", "0.05"},
		{"nvme-7.2-failed", "smart.error_log_entries", 4662, 44, "refused", "16"},
		{"ata-ssd-7.1-intel", "smart.data_written", 1412735 * 32 << 20, 58, "source", "attribute 241 Host_Writes_32MiB"},
		{"ata-ssd-7.1-intel", "smart.percentage_used", .14, 56, "source", "attribute 233 Media_Wearout_Indicator"},
		{"ata-ssd-7.1-intel", "smart.power_on_hours", 43583 * 3600, 36, "capacity", "120034123776"},
		{"ata-ssd-7.1-intel", "smart.temperature", 32, 48, "", ""},
		{"ata-ssd-7.1-intel", "smart.unsafe_shutdowns", 25, 41, "", ""},
		{"ata-ssd-7.1-intel", "smart.error_log_entries", 0, 62, "", ""},
		{"ata-ssd-7.0-macos", "smart.data_written", 81979088 << 20, 29, "source", "attribute 175 Host_Writes_MiB"},
		{"ata-ssd-7.0-macos", "smart.data_read", 114600601 << 20, 28, "source", "attribute 174 Host_Reads_MiB"},
		{"ata-ssd-7.5-statistics", "smart.data_written", 2043498859 * 512, 79, "source", "device statistics"},
		{"ata-ssd-7.5-statistics", "smart.data_read", 1406882279 * 512, 81, "source", "device statistics"},
		{"ata-ssd-7.5-statistics", "smart.percentage_used", 0, 91, "source", "device statistics"},
		{"ata-ssd-7.5-statistics", "smart.power_on_hours", 4684 * 3600, 78, "model", "Samsung SSD 860 EVO 250GB"},
		{"ata-ssd-7.5-statistics", "smart.temperature", 24, 54, "", ""},
		{"ata-hdd-5.41-failed-80-columns", "smart.passed", 0, 19, "news", "disk failing, a prefail attribute is at its threshold"},
		{"ata-hdd-5.41-failed-80-columns", "smart.media_errors", 0, 39, "reallocated", "4015"},
		{"ata-hdd-5.41-failed-80-columns", "smart.data_read", 2309696153 * 512, 57, "version", "5.41"},
		{"ata-hdd-6.6-pending", "smart.media_errors", 1, 17, "offline", "1"},
		{"ata-hdd-6.6-pending", "smart.temperature", 10, 15, "", ""},
		{"sas-hdd-7.1", "smart.passed", 1, 24, "model", "HGST HUS726040AL5210"},
		{"sas-hdd-7.1", "smart.data_written", 574543.134e9, 44, "firmware", "A907"},
		{"sas-hdd-7.1", "smart.media_errors", 0, 43, "verify", "0"},
		{"sas-hdd-7.1", "smart.temperature", 40, 26, "protocol", "SCSI"},
		{"sas-ssd-7.1", "smart.percentage_used", 0, 26, "capacity", "800166076416"},
		{"sas-ssd-7.1", "smart.data_read", 27805.729e9, 38, "grown_defects", ""},
		{"health-7.2-failed", "smart.passed", 0, 5, "news", "disk failing"},
		{"nvme-cli-1.x", "smart.data_written", 188048213 * 512000, 9, "protocol", "NVMe"},
		{"nvme-cli-1.x", "smart.temperature", 42, 3, "", ""},
		{"nvme-cli-1.x", "smart.percentage_used", .03, 6, "", ""},
		{"nvme-cli-1.x", "smart.power_on_hours", 241 * 3600, 14, "", ""},
		{"nvme-cli-1.x", "smart.media_errors", 0, 16, "", ""},
		{"nvme-cli-read-only", "smart.passed", 0, 2, "critical_warning", "spare below threshold, read only"},
		{"nvme-cli-read-only", "smart.available_spare", 0, 4, "threshold", "0.05"},
		{"nvme-cli-read-only", "smart.error_log_entries", 4698, 17, "", ""},
		{"byhand-sas-failing", "smart.passed", 0, 15, "news", "disk failing"},
		{"byhand-sas-failing", "smart.media_errors", 7, 27, "grown_defects", "56"},
		{"byhand-sas-failing", "smart.power_on_hours", 43549*3600 + 25*60, 20, "", ""},
		{"byhand-ata-errors", "smart.power_on_hours", 8808*3600 + 48*60, 8, "", ""},
		{"byhand-ata-errors", "smart.error_log_entries", 7, 13, "media", "1"},
		{"byhand-ata-errors", "smart.error_log_entries", 7, 13, "unread", "5"},
		{"byhand-ata-errors", "smart.media_errors", 3, 10, "pending", "3"},
		{"byhand-ata-errors", "smart.passed", 1, 2, "news", "an attribute was at its threshold in the past, the error log has entries"},
	} {
		ms, err := parseString(text(t, c.file))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		m := assay.Repeat{Measurements: ms}.Measurement(c.metric)
		switch {
		case m == nil:
			t.Errorf("%s: no %s", c.file, c.metric)
		case math.Abs(m.Value-c.value) > 1e-12*c.value || m.Line != c.line || m.Labels[c.label] != c.text:
			t.Errorf("%s: %s = %v on line %d, %s=%q, want %v on line %d, %q",
				c.file, c.metric, m.Value, m.Line, c.label, m.Labels[c.label], c.value, c.line, c.text)
		}
		for k, v := range m.Labels {
			if strings.Contains(strings.ToLower(k), "serial") || strings.Contains(v, "SCRUBBED") {
				t.Errorf("%s has the serial number in label %s", c.metric, k)
			}
		}
	}
}

// Each measurement is on the line that it names.
func TestLinesOfJSON(t *testing.T) {
	for file, want := range map[string]map[string]string{
		"nvme-refused":   {"smart.data_written": `"data_units_written"`, "smart.passed": `"passed"`, "smart.media_errors": `"media_errors"`},
		"ssd-sata":       {"smart.data_written": `"string": "129493"`, "smart.temperature": `"current"`},
		"ssd-statistics": {"smart.data_written": "3335329398"},
		"sas":            {"smart.data_written": "132824.923"},
	} {
		doc := load(t, file+".json")
		lines := strings.Split(string(doc), "\n")
		ms, err := New().Parse(transcript(doc))
		if err != nil {
			t.Fatal(err)
		}
		for metric, part := range want {
			m := assay.Repeat{Measurements: ms}.Measurement(metric)
			if m == nil || m.Line < 1 || m.Line > len(lines) || !strings.Contains(lines[m.Line-1], part) {
				t.Errorf("%s: %s is %+v, whose line does not hold %s", file, metric, m, part)
			}
		}
	}
}

func TestAbsentInText(t *testing.T) {
	for file, absent := range map[string][]string{
		"ata-hdd-6.6-pending": {"smart.passed", "smart.data_written", "smart.percentage_used", "smart.error_log_entries"},
		"nvme-7.4-macos":      {"smart.throttle_minutes"},
		"sas-hdd-7.1":         {"smart.percentage_used", "smart.power_on_hours", "smart.unsafe_shutdowns"},
		"ata-ssd-7.0-macos":   {"smart.percentage_used", "smart.available_spare"},
	} {
		ms, err := parseString(text(t, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, metric := range absent {
			if m := (assay.Repeat{Measurements: ms}).Measurement(metric); m != nil {
				t.Errorf("%s: %s = %v, but it was not printed", file, metric, m.Value)
			}
		}
	}
}

func TestTextErrors(t *testing.T) {
	nvme := text(t, "nvme-7.3")
	for _, c := range []struct{ name, text, says, hint string }{
		{"permission", text(t, "permission-7.3"), "failed: Permission denied", "root"},
		{"virtual disk", text(t, "virtio-7.3"), "Unable to detect device type", "hypervisor"},
		{"bridge", text(t, "usb-7.3-bridge"), "Unknown USB bridge [0x0bda:0x9201", "--scan-open"},
		{"sleeps", text(t, "standby-7.3"), "the drive is asleep (standby)", "/dev/sdb"},
		{"virtual drive of a controller", text(t, "sas-7.1-virtual"), "no SMART support", ""},
		{"information only", nvme[:strings.Index(nvme, "=== START OF SMART")], "no health data", "smartctl -x"},
		{"information only, ATA", strings.SplitAfter(text(t, "ata-ssd-7.0-macos"), "Enabled\n")[0], "no health data", "smartctl -x"},
		{"units contradict", strings.Replace(nvme, "14,028,396 [7.18 TB]", "14,028,396 [71.8 TB]", 1), "line 50: 14028396 units", ""},
		{"spare of 150 %", strings.Replace(nvme, "Spare:                    100%", "Spare:                    150%", 1), "of 150 % is impossible", ""},
		{"wrong option", "smartctl 7.3 2022-02-28 r5338 [x]\n\n=======> INVALID ARGUMENT TO -l: eror\n", "INVALID ARGUMENT TO -l: eror", ""},
	} {
		ms, err := parseString(c.text, "smartctl", "-a", "/dev/sdb")
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(assay.Hint(err), c.hint) {
			t.Errorf("%s: got %v, %v (hint %q), want %q (hint %q)", c.name, ms, err, assay.Hint(err), c.says, c.hint)
		}
	}
}

// The command line names the drive; -d and -l do not.
func TestDriveFromCommand(t *testing.T) {
	for _, command := range []string{"smartctl -d sat /dev/disk/by-id/../sdb -a", "smartctl -a -d nvme /dev/sdb"} {
		ms, err := parseString(text(t, "nvme-7.3"), strings.Fields(command)...)
		if err != nil || ms[0].Labels["drive"] != "sdb" {
			t.Errorf("%s: %v, %v", command, ms, err)
		}
	}
}

// Output cut after any of its lines gives the figures that it still holds. Only
// sums and worst values over several lines may be lower.
func TestCutAfterALine(t *testing.T) {
	sums := []string{"smart.media_errors", "smart.throttle_minutes", "smart.failing_attributes", "smart.self_test_failures"} // over lines
	for _, name := range []string{"nvme-7.3", "nvme-7.1-ru", "ata-ssd-7.1-intel", "ata-hdd-5.41-failed-80-columns", "sas-hdd-7.1"} {
		whole := text(t, name)
		full, err := parseString(whole)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			if whole[i] != '\n' {
				continue
			}
			ms, _ := parseString(whole[:i+1])
			for _, m := range ms {
				want := assay.Repeat{Measurements: full}.Measurement(m.Metric)
				if several := slices.Contains(sums, m.Metric); m.Value != want.Value && !(several && m.Value < want.Value) {
					t.Fatalf("%s cut at %d: %s = %v, want %v", name, i, m.Metric, m.Value, want.Value)
				}
			}
		}
	}
}

// When cut within a line, bytes written and read are whole or absent: a missing
// digit would make them a tenth.
func TestCutWithinALine(t *testing.T) {
	for _, name := range []string{"nvme-7.3", "nvme-7.1-ru", "ata-ssd-7.1-intel", "ata-ssd-7.5-statistics", "sas-hdd-7.1"} {
		whole := text(t, name)
		full, err := parseString(whole)
		if err != nil {
			t.Fatal(err)
		}
		traffic := regexp.MustCompile(`(?m)^(?:Data Units|24[12] |.*Logical Sectors|read:|write:).*$`)
		var cuts []int
		for _, at := range traffic.FindAllStringIndex(whole, -1) {
			for i := at[0]; i <= at[1]; i++ {
				cuts = append(cuts, i)
			}
		}
		if len(cuts) < 50 {
			t.Fatalf("%s: %d places to cut", name, len(cuts))
		}
		for _, i := range cuts {
			ms, _ := parseString(whole[:i])
			for _, metric := range []string{"smart.data_written", "smart.data_read"} {
				m, want := (assay.Repeat{Measurements: ms}).Measurement(metric), (assay.Repeat{Measurements: full}).Measurement(metric)
				if m != nil && m.Value != want.Value {
					t.Fatalf("%s cut at %d: %s = %v, want %v", name, i, metric, m.Value, want.Value)
				}
			}
		}
	}
}

func TestNoiseAndLineEnds(t *testing.T) {
	for _, name := range []string{"nvme-7.3", "ata-ssd-7.5-statistics", "sas-hdd-7.1", "ata-hdd-5.41-failed-80-columns"} {
		plain, err := parseString(text(t, name))
		if err != nil {
			t.Fatal(err)
		}
		noisy := strings.ReplaceAll(text(t, name), "\n", "\r\n") + "\r\nSo the drive is fine. Temperature: it was warm.\r\n{ \"and\": 1 }\r\n"
		got, err := parseString(noisy)
		if err != nil || lines(got) != lines(plain) {
			t.Errorf("%s with noise: %v\n%s", name, err, lines(got))
		}
	}
}

func TestFormat(t *testing.T) {
	f := New().(assay.Measurer).Format()
	captured.Begins(t, f, []string{
		"smartctl 7.3 2022-02-28 r5338 [x86_64-linux-5.18.14-arch1-1] (local build)",
		"    smartctl 5.41 2011-06-09 r3365 [i686-w64-mingw32-win7(64)-sp1] (sf-win32-5.41-1)",
		"smartctl version 5.38 [x86_64-redhat-linux-gnu] Copyright (C) 2002-8 Bruce Allen",
		"smartctl pre-7.4 2023-06-13 r5481 [x86_64-linux-6.1.0] (local build)",
		"=== START OF SMART DATA SECTION ===", "=== START OF INFORMATION SECTION ===", "=== START OF READ SMART DATA SECTION ===",
		"SMART overall-health self-assessment test result: PASSED", "SMART Health Status: OK",
		"ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE",
		"Smartctl open device: /dev/sda failed: Permission denied",
		"Smartctl open device: /dev/vda [SAT] failed: Operation not permitted",
	}, []string{
		"", "smartctl -a /dev/sda", "smartctl 7.3 is old", "I ran smartctl 7.3 2022-02-28", "SMART Health Status:", "SMART support is: Enabled",
		"=== START OF ENABLE/DISABLE COMMANDS SECTION ===", "Temperature: 44 Celsius", "smartctl version 7 is needed",
	})
	if !f.Accepts([]string{"json_format_version", "smartctl", "device"}) || f.Accepts([]string{"fio version", "jobs"}) || f.Accepts(nil) {
		t.Error("the wrong documents are accepted")
	}
}

// Splitting a text by the format gives one output per drive.
func TestSplits(t *testing.T) {
	f := New().(assay.Measurer).Format()
	headless := text(t, "nvme-7.2-failed")
	headless = headless[strings.Index(headless, "=== START OF SMART"):]
	all := text(t, "nvme-7.3") + text(t, "ata-ssd-7.1-intel") + text(t, "sas-hdd-7.1") + headless + text(t, "usb-7.3-bridge") + text(t, "health-7.2-failed")
	var parts []*bytes.Buffer
	for line := range strings.Lines(all) {
		if f.Begins(line) && (len(parts) == 0 || f.Splits(parts[len(parts)-1].Bytes(), line)) {
			parts = append(parts, &bytes.Buffer{})
		}
		parts[len(parts)-1].WriteString(line)
	}
	var models []string
	for _, part := range parts {
		ms, err := parseString(part.String())
		if err != nil {
			models = append(models, "-")
			continue
		}
		models = append(models, fmt.Sprint(ms[0].Labels["model"], " ", ms[0].Value))
	}
	want := []string{"WDC PC SN730 SDBPNTY-512G-1101 1", "INTEL SSDSC2BB120G6 1", "HGST HUS726040AL5210 1", " 0", "-", " 0"}
	if !slices.Equal(models, want) {
		t.Errorf("got %q, want %q", models, want)
	}
	if !f.Splits([]byte(text(t, "nvme-7.3")), "{\n") {
		t.Error("a JSON document is added to text")
	}
}

func TestSeveralDrivesInOneDocument(t *testing.T) {
	doc := "[\n" + string(load(t, "nvme-refused.json")) + ",\n" + string(load(t, "permission-denied.json")) + ",\n" + string(load(t, "sas.json")) + "]\n"
	ms, err := New().Parse(transcript([]byte(doc)))
	if err != nil {
		t.Fatal(err)
	}
	jobs := map[string]string{}
	for _, m := range ms {
		jobs[m.Labels["job"]] = m.Labels["model"]
	}
	if len(jobs) != 2 || jobs["drive 1"] != "Sabrent Rocket 4.0 1TB" || jobs["drive 3"] != "SEAGATE ST0000000" {
		t.Errorf("jobs %v", jobs)
	}
}

func TestCountsOfAllLocales(t *testing.T) {
	for s, want := range map[string]float64{
		"1234567": 1234567, "1,234,567 [632 GB]": 1234567, "1.234.567 [632 GB]": 1234567, "1 234 567 [1]": 1234567,
		"1\u00a0234": 1234, "1\u202f234": 1234, "1'234": 1234, "1\xa0234\xa0567": 1234567, "0": 0, "12": 12, "512 bytes logical, 4096 bytes": 512,
		"1000 234": 1000, "~340282366920938463463374607431768211455": 340282366920938463463374607431768211455,
	} {
		if got, _, ok := leadingCount(s); !ok || got != want {
			t.Errorf("%q is %v, %v, want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "-", "14,0", "14,028,3", "1,5", "x", "1.25", "<not available>", "1,2345", "0x4", "0X10"} {
		if got, _, ok := leadingCount(s); ok {
			t.Errorf("%q is taken for %v", s, got)
		}
	}
}

// nvme-cli prints the bits with %#x: hexadecimal, but a plain 0 where none is
// set. With -H it names each bit on a line of its own.
func TestCriticalWarningOfSmartLog(t *testing.T) {
	for value, want := range map[string]struct {
		passed  float64
		warning string
	}{
		"0":    {1, ""},
		"0x0":  {1, ""},
		"0x00": {1, ""},
		"0x4":  {0, "reliability degraded"},
		"0x04": {0, "reliability degraded"},
		"4":    {0, "reliability degraded"},
		"0x9\n      Available Spare[0]             : 1\n      Temp. Threshold[1]             : 0": {0, "spare below threshold, read only"},
		"16":   {0, "volatile memory backup failed"},
		"0x10": {0, "volatile memory backup failed"},
		"0xC0": {0, "reserved bits set"},
	} {
		ms, err := parseString("Smart Log for NVME device:nvme1 namespace-id:ffffffff\ncritical_warning\t\t\t: " + value + "\n")
		if err != nil {
			t.Errorf("%q: %v", value, err)
			continue
		}
		m := assay.Repeat{Measurements: ms}.Measurement("smart.passed")
		if m == nil || m.Value != want.passed || m.Labels["critical_warning"] != want.warning {
			t.Errorf("%q gave %+v, want %+v", value, m, want)
		}
	}
	if ms, _ := parseString("Smart Log for NVME device:nvme1 namespace-id:ffffffff\ncritical_warning\t\t\t: 0"); len(ms) > 0 {
		t.Errorf("a line that was cut is taken for a verdict: %+v", ms)
	}
	for _, value := range []string{"0x", "0x1ff", "256", "-", "0x4 and more"} {
		ms, _ := parseString("Smart Log for NVME device:nvme1 namespace-id:ffffffff\ncritical_warning\t\t\t: " + value + "\nmedia_errors : 0\n")
		if m := (assay.Repeat{Measurements: ms}).Measurement("smart.passed"); m != nil {
			t.Errorf("%q is taken for a verdict: %+v", value, m)
		}
	}
}

// A raw value requested in hexadecimal (smartctl -v 197,hex48) is not 0.
func TestRawValuesInHex(t *testing.T) {
	for s, want := range map[string]float64{"0x000000000010": 16, "0x0": 0, "25 (Min/Max 19/39)": 25} {
		if got, ok := leadingNumber(s); !ok || got != want {
			t.Errorf("%q is %v, %v, want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "0x", "0xg", "0x11223344556677889", "x10"} {
		if got, ok := leadingNumber(s); ok {
			t.Errorf("%q is taken for %v", s, got)
		}
	}
	pending := text(t, "ata-hdd-6.6-pending")
	row := regexp.MustCompile(`(?m)^(197 .*?)\d+$`)
	if !row.MatchString(pending) {
		t.Fatal("the file has no attribute 197")
	}
	ms, err := parseString(row.ReplaceAllString(pending, "${1}0x000000000010"))
	if m := (assay.Repeat{Measurements: ms}).Measurement("smart.media_errors"); err != nil || m == nil || m.Value != 16 {
		t.Errorf("0x10 pending sectors: %+v, %v", m, err)
	}
}

// Fujitsu drives pack the number of spare sectors, 2,000, above the count of used ones.
func TestRawValuesThatHoldSeveralCounters(t *testing.T) {
	whole := text(t, "ata-hdd-6.6-pending")
	for raw, want := range map[string]float64{"8589934592000": 0, "8589934592017": 17, "64800": 64800, "0 (2000 0)": 0} {
		row := regexp.MustCompile(`(?m)^( *5 .*?)\d+$`)
		if !row.MatchString(whole) {
			t.Fatal("the file has no attribute 5")
		}
		ms, err := parseString(row.ReplaceAllString(whole, "${1}"+raw))
		m := (assay.Repeat{Measurements: ms}).Measurement("smart.reallocated_sectors")
		if err != nil || m == nil || m.Value != want {
			t.Errorf("%s: %+v, %v", raw, m, err)
		}
	}
}

// Some drives count something else under the ids of unreadable sectors; smartctl's database
// knows their names.
func TestOtherCountersUnderTheIDsOfUnreadableSectors(t *testing.T) {
	const head = "Vendor Specific SMART Attributes with Thresholds:\n" +
		"ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n" +
		"  9 Power_On_Hours          0x0000   ---   ---   ---    Old_age   Offline      -       1234\n"
	for row, want := range map[string]float64{
		"198 Read_Sectors_Tot_Ct     0x0000   ---   ---   ---    Old_age   Offline      -       2290894141":  -1,
		"198 Read_Sectors_Tot_Ct     0x0000   ---   ---   ---    Old_age   Offline      -       25312189249": -1,
		"198 Host_Reads_GiB          0x0000   ---   ---   ---    Old_age   Offline      -       8123":        -1,
		"197 Not_In_Use              0x0032   100   100   000    Old_age   Always       -       7":           -1,
		"197 ECC_Error_Count         0x0032   100   100   000    Old_age   Always       -       12":          -1,
		"187 Unknown_JMF_Attribute   0x0032   100   100   000    Old_age   Always       -       3":           -1,
		"198 Uncor_Read_Error_Ct     0x0000   ---   ---   ---    Old_age   Offline      -       3":           3,
		"198 Uncorrectable_Sector_Ct 0x0010   120   120   000    Old_age   Offline      -       3":           3,
		"198 Offline_Scan_UNC_SectorCt 0x0010 100   100   000    Old_age   Offline      -       3":           3,
		"197 Current_Pending_ECC_Cnt 0x0032   100   100   000    Old_age   Always       -       1":           1,
		"197 Total_Unc_Read_Failures 0x0000   ---   ---   ---    Old_age   Offline      -       4":           4,
		"197 Read_Failure_Blk_Ct     0x0000   ---   ---   ---    Old_age   Offline      -       4":           4,
		"187 Reported_UE_Counts      0x0032   100   100   000    Old_age   Always       -       5":           5,
		"187 Uncorrectable_ECC_Ct    0x0032   100   100   000    Old_age   Always       -       5":           5,
	} {
		ms, err := parseString(head + row + "\n")
		m := (assay.Repeat{Measurements: ms}).Measurement("smart.media_errors")
		if err != nil || (m == nil) != (want < 0) || m != nil && m.Value != want {
			t.Errorf("%s: %+v, %v", row, m, err)
		}
	}
}

// A percentage of 255 is a byte that the drive does not keep, and a row of zeros without a
// threshold is such an attribute: neither means that the drive is worn out.
func TestWearThatNobodyKeeps(t *testing.T) {
	const head = "ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE\n"
	const used = "0x07  0x008  1             255  N--  Percentage Used Endurance Indicator\n"
	for name, c := range map[string]struct {
		text string
		want float64 // -1: none
	}{
		"a row of zeros":  {head + "233 Media_Wearout_Indicator ------   000   000   000    -    48395\n" + used, -1},
		"at its limit":    {head + "202 Percent_Lifetime_Remain ----CK   000   000   001    NOW  100\n" + used, 1},
		"fell to nothing": {head + "233 Media_Wearout_Indicator -O--CK   000   100   000    -    1\n" + used, 1},
		"a percentage":    {head + "233 Media_Wearout_Indicator ------   000   000   000    -    1\n" + strings.Replace(used, "255", "104", 1), 1.04},
	} {
		ms, err := parseString(c.text + "  9 Power_On_Hours          -O--C-   100   100   000    -    2449\n")
		if err != nil {
			t.Fatal(name, err)
		}
		m := (assay.Repeat{Measurements: ms}).Measurement("smart.percentage_used")
		if c.want < 0 && m != nil || c.want >= 0 && (m == nil || m.Value != c.want) {
			t.Errorf("%s: %+v, want %v", name, m, c.want)
		}
	}
}

// Where the raw value repeats the percentage, zeros say that nothing is left: the worn-out
// Kingston drives of Napsty/check_smart issue 96. A drive that fills in no value at all says
// nothing.
func TestNothingLeft(t *testing.T) {
	const head = "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n"
	const hours = "  9 Power_On_Hours          0x0032   100   100   000    Old_age   Always       -       2449\n"
	for name, c := range map[string]struct {
		text string
		want float64 // -1: none
	}{
		"remaining":      {hours + "169 Remaining_Lifetime_Perc 0x0000   000   000   000    Old_age   Offline      -       0\n", 1},
		"left":           {hours + "231 SSD_Life_Left           0x0000   000   000   000    Old_age   Offline      -       0\n", 1},
		"still good":     {hours + "169 Remaining_Lifetime_Perc 0x0000   093   093   000    Old_age   Offline      -       93\n", .07},
		"another count":  {hours + "231 SSD_Life_Left           0x0000   000   000   000    Old_age   Offline      -       7\n", -1},
		"erase cycles":   {hours + "177 Wear_Leveling_Count     0x0000   000   000   000    Old_age   Offline      -       0\n", -1},
		"nothing filled": {strings.ReplaceAll(hours, "100", "000") + "231 SSD_Life_Left           0x0000   000   000   000    Old_age   Offline      -       0\n", -1},
	} {
		ms, err := parseString(head + c.text)
		if err != nil {
			t.Fatal(name, err)
		}
		m := (assay.Repeat{Measurements: ms}).Measurement("smart.percentage_used")
		if c.want < 0 && m != nil || c.want >= 0 && (m == nil || math.Abs(m.Value-c.want) > 1e-12) {
			t.Errorf("%s: %+v, want %v", name, m, c.want)
		}
	}
}

// Without the database's name, nothing tells what an SSD counts as an LBA. The
// heads of a disk move blocks, and the standard statistics count them.
func TestTrafficOfUnknownDrives(t *testing.T) {
	const metric = "smart.data_written"
	unknown := text(t, "ata-ssd-6.5-not-in-database")
	const statistics = "Device Statistics (GP Log 0x04)\nPage  Offset Size        Value Flags Description\n" +
		"0x01  =====  =               =  ===  == General Statistics (rev 2) ==\n0x01  0x018  6            3000  ---  Logical Sectors Written\n"
	for name, c := range map[string]struct {
		text string
		want float64 // 0: none
	}{
		"an SSD":               {unknown, 0},
		"in the database":      {strings.Replace(unknown, "Not in smartctl database", "In smartctl database", 1), 15 * 512},
		"a disk":               {strings.Replace(unknown, "Solid State Device", "7200 rpm", 1), 15 * 512},
		"nobody says":          {strings.Replace(unknown, "Rotation Rate:    Solid State Device\n", "", 1), 0},
		"its statistics":       {unknown + "\n" + statistics, 3000 * 512},
		"a name with a unit":   {strings.Replace(unknown, "225 Unknown_SSD_Attribute  ", "225 Host_Writes_32MiB      ", 1), 15 * 32 << 20},
		"a unit of its own":    {strings.Replace(unknown, "241 Total_LBAs_Written     ", "241 Host_Writes_GiB        ", 1), 15 << 30},
		"an old smartctl":      {strings.Replace(unknown, "[for details use: -P showall]", "[for details use: -P show]", 1), 0},
		"a newer smartctl":     {strings.Replace(unknown, "database [for details use: -P showall]", "database 7.3/5319", 1), 0},
		"JSON, an SSD":         {`{"smartctl":{"version":[7,4]},"device":{"protocol":"ATA"},"in_smartctl_database":false,"logical_block_size":512,"rotation_rate":0,"ata_smart_attributes":{"table":[{"id":241,"name":"Total_LBAs_Written","value":100,"raw":{"value":15,"string":"15"}},{"id":9,"name":"Power_On_Hours","value":100,"raw":{"value":15,"string":"15"}}]}}`, 0},
		"JSON, a known SSD":    {`{"smartctl":{"version":[7,4]},"device":{"protocol":"ATA"},"in_smartctl_database":true,"logical_block_size":512,"rotation_rate":0,"ata_smart_attributes":{"table":[{"id":241,"name":"Total_LBAs_Written","value":100,"raw":{"value":15,"string":"15"}}]}}`, 15 * 512},
		"JSON, nobody says it": {`{"smartctl":{"version":[7,0]},"device":{"protocol":"ATA"},"logical_block_size":512,"rotation_rate":0,"ata_smart_attributes":{"table":[{"id":241,"name":"Total_LBAs_Written","value":100,"raw":{"value":15,"string":"15"}}]}}`, 15 * 512},
	} {
		ms, err := parseString(c.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m := (assay.Repeat{Measurements: ms}).Measurement(metric)
		if c.want == 0 && m != nil || c.want != 0 && (m == nil || m.Value != c.want) {
			t.Errorf("%s: %+v, want %v", name, m, c.want)
		}
	}
}

// The highest temperature of a drive's life is wherever its maker stores it.
func TestHottest(t *testing.T) {
	const row = "194 Temperature_Celsius     0x0022   048   072   000    Old_age   Always       -       48"
	for text, want := range map[string]string{
		row: "72", // normalised, and the temperature itself
		"194 Temperature_Celsius     -O---K   057   009   000    -    43 (Min/Max 0/91)":            "91",
		"194 Temperature_Celsius     0x0022   115   099   000    Old_age   Always       -       28": "",
		row + "\nLifetime    Max Temperature:         75 Celsius":                                   "75",
		row + "\n0x05  0x020  1              80  ---  Highest Temperature":                          "80",
		"194 Temperature_Celsius     0x0022   048   253   000    Old_age   Always       -       48": "",
	} {
		ms, err := parseString("ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n" + text + "\n")
		m := (assay.Repeat{Measurements: ms}).Measurement("smart.temperature")
		if err != nil || m == nil || m.Labels["highest"] != want {
			t.Errorf("%s: %+v, %v, want %q", text, m, err, want)
		}
	}
}

// Since 7.5 the temperatures of a SCSI drive follow an equals sign, and a locale may put a
// comma into its gigabytes.
func TestNewerSCSI(t *testing.T) {
	ms, err := parseString("=== START OF READ SMART DATA SECTION ===\nSMART Health Status: OK\n\nCurrent temperature = 30\n" +
		"Lifetime maximum temperature = 37\nElements in grown defect list: 0\n\n" +
		"read:          0        0         0         0          0     110374,315           0\n" +
		"write:         0        0         0         0          0     110385,698           0\n")
	if err != nil {
		t.Fatal(err)
	}
	for metric, want := range map[string]float64{"smart.temperature": 30, "smart.data_written": 110385.698e9, "smart.data_read": 110374.315e9} {
		if m := (assay.Repeat{Measurements: ms}).Measurement(metric); m == nil || m.Value != want {
			t.Errorf("%s is %+v, want %v", metric, m, want)
		}
	}
}

func TestLoadCycles(t *testing.T) {
	ms, err := parseString(text(t, "ata-hdd-6.2-selftests"))
	if m := (assay.Repeat{Measurements: ms}).Measurement("smart.load_cycles"); err != nil || m == nil || m.Value != 66583 {
		t.Errorf("%+v, %v", m, err)
	}
}

// nvme-cli prints a log of zeros if the ioctl failed: it means nothing.
func TestAnEmptySmartLogIsNone(t *testing.T) {
	if ms, err := parseString(text(t, "nvme-cli-1.8-nothing")); err == nil || !strings.Contains(err.Error(), "the log is empty") {
		t.Errorf("gave %v, %v", ms, err)
	}
}

// Newer versions print the unit in the user's locale, and the size after the
// count.
func TestNewerSmartLog(t *testing.T) {
	ms, err := parseString("Smart Log for NVME device:nvme1 namespace-id:ffffffff\n" +
		"critical_warning\t\t\t: 0\ntemperature\t\t\t\t: 104 °F (313 K)\npercentage_used\t\t\t\t: 1%\n" +
		"Data Units Written\t\t\t: 2000000 (1.02 TB)\n")
	if err != nil {
		t.Fatal(err)
	}
	rep := assay.Repeat{Measurements: ms}
	if c, w := rep.Measurement("smart.temperature"), rep.Measurement("smart.data_written"); c == nil || c.Value != 40 || w == nil || w.Value != 1.024e12 {
		t.Errorf("gave %v", ms)
	}
}
