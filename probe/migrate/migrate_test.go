package migrate

import (
	"maps"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
	"assay/probe/probetest"
)

func parse(text string) ([]assay.Measurement, error) {
	return New().Parse(assay.Transcript{Probe: "migrate", Steps: []assay.Step{{Name: stepMeasure, Output: assay.Output{Stdout: []byte(text)}}}})
}

const (
	miB = 1 << 20
	giB = 1 << 30
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		file    string
		want    map[string]float64
		labels  map[string]string
		samples int
	}{
		{"pve9-shared.txt", map[string]float64{
			"migration.throughput": 806.6 * miB, "migration.transferred": 11.7 * giB, "migration.memory": 12.6 * giB, "migration.duration": 20,
			"migration.downtime": .059, "migration.downtime.limit": .1, "migration.transfer_time": 16,
		}, map[string]string{"tool": "migrate", "job": "VM 20057", "guest": "20057", "to": "dalia", "address": "10.100.3.103", "mode": "online", "transport": "ssh", "clock": ""}, 15},
		{"pve8-shared.txt", map[string]float64{
			"migration.throughput": 457 * miB, "migration.memory": 4 * giB, "migration.duration": 18,
			"migration.downtime": .073, "migration.downtime.limit": .1, "migration.transfer_time": 9,
		}, map[string]string{"job": "VM 105", "to": "pve1"}, 8},
		{"pve6-shared.txt", map[string]float64{
			"migration.throughput": 256 * miB, "migration.memory": 554508288, "migration.duration": 8,
			"migration.downtime": .057, "migration.downtime.limit": .1, "migration.transfer_time": 2,
		}, map[string]string{"job": "VM 101", "to": "pve3"}, 0},
		{"pve4-shared.txt", map[string]float64{
			"migration.throughput": 73.14 * miB, "migration.memory": 546119680, "migration.duration": 20,
			"migration.downtime": .102, "migration.downtime.limit": .1, "migration.transfer_time": 7,
		}, map[string]string{"job": "VM 108", "to": "proxmox02", "transport": ""}, 0},
		{"pve8-local-storage.txt", map[string]float64{
			"migration.throughput": 102.8 * miB, "migration.transferred": 4.2 * giB, "migration.memory": 4 * giB, "migration.duration": 222,
			"migration.downtime": .174, "migration.downtime.limit": .2, "migration.transfer_time": 40,
			"migration.disk.transferred": 40 * giB, "migration.disk.duration": 137,
		}, map[string]string{"disks": "scsi0,scsi1", "mode": "online"}, 2},
		{"pve5-local-storage.txt", map[string]float64{
			"migration.throughput": 107.79 * miB, "migration.memory": 2165121024, "migration.duration": 102,
			"migration.downtime": .031, "migration.downtime.limit": .1, "migration.transfer_time": 19, "migration.disk.transferred": 8 * giB,
		}, map[string]string{"disks": "scsi0", "transport": "tcp"}, 0},
		{"ct-offline-shared.txt", map[string]float64{"migration.duration": 4}, map[string]string{"job": "CT 100", "mode": "offline"}, 0},
		{"ct-restart-local.txt", map[string]float64{
			"migration.duration": 49, "migration.disk.transferred": 4 * giB, "migration.disk.duration": 38.4,
		}, map[string]string{"job": "CT 205", "mode": "restart"}, 0},
	} {
		t.Run(c.file, func(t *testing.T) {
			text := captured.Text(t, c.file)
			for name, text := range map[string]string{
				"as it is": text, "CRLF": strings.ReplaceAll(text, "\n", "\r\n"), "with prose after it": text + "\nThe VM is migrated in about 20 seconds.\n",
				"indented": "    " + strings.ReplaceAll(text, "\n", "\n    "),
			} {
				got, err := parse(text)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				found := map[string]float64{}
				for _, m := range got {
					found[m.Metric] = m.Value
					for key, want := range c.labels {
						if m.Labels[key] != want {
							t.Errorf("%s: %s's label %s is %q, want %q", name, m.Metric, key, m.Labels[key], want)
						}
					}
				}
				if !maps.EqualFunc(found, c.want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*b }) {
					t.Errorf("%s: %v, want %v", name, found, c.want)
				}
				if len(got[0].Samples) != c.samples {
					t.Errorf("%s: %d samples, want %d", name, len(got[0].Samples), c.samples)
				}
			}
		})
	}
}

func TestSamplesAndLines(t *testing.T) {
	got, err := parse(captured.Text(t, "pve9-shared.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(captured.Text(t, "pve9-shared.txt"), "\n")
	for metric, says := range map[string]string{
		"migration.throughput": "average migration speed", "migration.transferred": "migration completed", "migration.duration": "finished successfully",
		"migration.downtime": "downtime 59 ms", "migration.downtime.limit": "downtime limit", "migration.memory": "10.6 GiB of 12.6 GiB", "migration.transfer_time": "average migration speed",
	} {
		for _, m := range got {
			if m.Metric == metric && !strings.Contains(lines[m.Line-1], says) {
				t.Errorf("%s stands on line %d: %s", metric, m.Line, lines[m.Line-1])
			}
		}
	}
	first, last := got[0].Samples[0], got[0].Samples[14]
	if first.At != 1 || first.Value != 428.3*miB || last.At != 15 || last.Value != giB {
		t.Errorf("samples from %+v to %+v", first, last)
	}
}

func TestParseRefuses(t *testing.T) {
	whole := captured.Text(t, "pve9-shared.txt")
	for name, c := range map[string]struct{ text, says string }{
		"no connection":      {captured.Text(t, "failed-ssh.txt"), "line 3: the migration failed: migration aborted (duration 00:00:00): Can't connect"},
		"cancelled":          {captured.Text(t, "cancelled.txt"), "the migration of VM 110 failed: online migrate failure - interrupted by signal"},
		"problems":           {captured.Text(t, "problems.txt"), "qmp command 'migrate' failed"},
		"cut off early":      {whole[:strings.Index(whole, "2025-11-14 21:47:50")], "ends before the migration of VM 20057 was complete"},
		"cut off in a disk":  {strings.Split(captured.Text(t, "pve8-local-storage.txt"), "drive-scsi0: transferred 32.0")[0], "ends before the migration of VM 203"},
		"no speed":           {strings.ReplaceAll(whole, "806.6 MiB", strings.Repeat("9", 40)+" MiB"), "is not a valid measurement"},
		"points":             {strings.ReplaceAll(whole, "11.7 GiB VM-state", "1.1.7 GiB VM-state"), "is not a valid measurement"},
		"disk of many bytes": {strings.ReplaceAll(captured.Text(t, "pve8-local-storage.txt"), "32.0 GiB of", strings.Repeat("9", 40)+" GiB of"), "impossible disk size"},
		"an instant":         {strings.ReplaceAll(captured.Text(t, "ct-offline-shared.txt"), "00:00:04", "00:00:00"), "took less than a second"},
		"nothing":            {"", "printed no usable output"},
		"prose":              {"I migrated the VM and it was transferred.\n", "printed no usable output"},
	} {
		got, err := parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v does not say %q", name, err, c.says)
		}
		if len(got) != 0 {
			t.Errorf("%s: gives %v", name, got)
		}
	}
}

// Complete figures before a log breaks off are returned, along with an error
// that says so.
func TestALogThatBreaksOff(t *testing.T) {
	whole := captured.Text(t, "pve9-shared.txt")
	got, err := parse(whole[:strings.Index(whole, "NOTICE")])
	if err == nil || !strings.Contains(err.Error(), "ends before the migration of VM 20057 finished") {
		t.Errorf("says %v", err)
	}
	if len(got) != 6 {
		t.Errorf("%d figures", len(got))
	}
	for _, m := range got {
		if m.Metric == "migration.duration" {
			t.Error("a duration out of nothing")
		}
	}
	// Three quoted lines are not a log that breaks off.
	quoted := "  migration downtime limit: 100 ms\n  average migration speed: 512.5 MiB/s - downtime 30 ms\n  migration completed, transferred 138.0 MiB VM-state\n"
	if got, err := parse(quoted); err != nil || len(got) != 4 {
		t.Errorf("a quotation: %d figures, %v", len(got), err)
	}
}

func TestSeveralLogs(t *testing.T) {
	one, two := captured.Text(t, "pve9-shared.txt"), captured.Text(t, "pve6-shared.txt")
	got, err := parse(one + two)
	if err != nil || len(got) != 7+6 {
		t.Fatalf("%d figures, %v", len(got), err)
	}
	if got[7].Labels["job"] != "VM 101" || got[7].Line <= strings.Count(one, "\n") {
		t.Errorf("the second: %+v", got[7])
	}
}

func TestClock(t *testing.T) {
	log := captured.Text(t, "pve8-shared.txt")
	for name, c := range map[string]struct {
		text  string
		clock string
		took  float64
	}{
		"as it is":           {log, "", 9},
		"set back":           {strings.ReplaceAll(log, "2025-01-04 00:34:3", "2025-01-04 00:33:3"), "backwards", 0},
		"summer time ends":   {strings.NewReplacer("00:34:38", "23:34:38", "00:34:42", "23:34:42", "2025-01-04 00:34:38", "2025-01-03 23:34:38", "2025-01-04 00:34:42", "2025-01-03 23:34:42").Replace(log), "", 9},
		"a year ends":        {strings.NewReplacer("2025-01-04 00:34:2", "Dec 31 23:59:5", "2025-01-04 00:34:3", "Jan  1 00:00:0", "2025-01-04 00:34:4", "Jan  1 00:00:1").Replace(log), "", 9},
		"the end is earlier": {strings.ReplaceAll(log, "2025-01-04 00:34:42", "2025-01-04 00:34:12"), "backwards", 9},
	} {
		got, err := parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		took := 0.0
		for _, m := range got {
			if m.Metric == "migration.transfer_time" {
				took = m.Value
			}
		}
		if got[0].Labels["clock"] != c.clock || took != c.took {
			t.Errorf("%s: clock %q, %v s of sending", name, got[0].Labels["clock"], took)
		}
	}
}

// Every line that opens an output, and lines that do not.
func TestBegins(t *testing.T) {
	f := New().Format()
	for _, file := range []string{"pve9-shared.txt", "pve8-shared.txt", "pve6-shared.txt", "pve4-shared.txt", "ct-offline-shared.txt", "failed-ssh.txt", "cancelled.txt"} {
		began := 0
		sofar := ""
		for _, line := range strings.Split(captured.Text(t, file), "\n") {
			if f.Begins(line) {
				if began++; began > 1 && f.Splits([]byte(sofar), line) {
					t.Errorf("%s is split before %q", file, line)
				}
			}
			if began > 0 {
				sofar += line + "\n"
			}
		}
		if began == 0 {
			t.Errorf("%s is not recognised", file)
		}
		if !f.Splits([]byte(sofar), "2025-01-04 00:34:24 starting migration of VM 105 to node 'pve1' (10.10.1.1)") {
			t.Errorf("%s swallows the next log", file)
		}
	}
	captured.Begins(t, f, nil, []string{
		"", "- Migration benchmark :", "So that migrating from *pve02* to *pve03* will only migrate the RAM", "4294967296 bytes (4.3 GB, 4.0 GiB) copied, 38.4 s, 112 MB/s",
		"Starting migration of VM 20057 by hand", "migration successful", "The average migration speed: quite good", "transferred 1.0 GiB of 100.0 GiB (1.00%)",
		"2048.00 MiB transferred (7310.70 MiB/sec)",
	})
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		f.Add(captured.Text(f, filepath.Base(file)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parse(text)
		if err == nil && len(got) == 0 {
			t.Fatal("neither figures nor an error")
		}
		probetest.CheckFigures(t, got, strings.Count(text, "\n")+1)
		probetest.CheckNoZero(t, got)
		for _, m := range got {
			for _, s := range m.Samples {
				if s.At < 0 {
					t.Errorf("sample %+v", s)
				}
			}
		}
		format := New().Format()
		for _, line := range strings.Split(text, "\n") {
			format.Begins(line)
		}
	})
}
