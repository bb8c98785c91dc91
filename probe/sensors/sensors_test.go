package sensors

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"

	"github.com/google/go-cmp/cmp"
)

func parse(text string) ([]assay.Measurement, error) {
	return New().Parse(assay.Transcript{Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: []byte(text)}}}})
}

// short formats a measurement as one line; an asterisk marks the headline.
func short(m assay.Measurement) string {
	return fmt.Sprintf("%d: %s %s%s %.4g", m.Line, m.Labels["sensor"], m.Labels["kind"], map[string]string{"1": "*"}[m.Labels["headline"]], m.Value)
}

func TestParse(t *testing.T) {
	for file, want := range map[string][]string{
		"intel-drivetemp.txt": {
			"3: coretemp-isa-0000/Package id 0 cpu* 43", "4: coretemp-isa-0000/Core 0 cpu 33", "5: coretemp-isa-0000/Core 1 cpu 33",
			"6: coretemp-isa-0000/Core 2 cpu 38", "7: coretemp-isa-0000/Core 3 cpu 43", "8: coretemp-isa-0000/Core 4 cpu 33",
			"9: coretemp-isa-0000/Core 5 cpu 34", "13: drivetemp-scsi-0-50/temp1 drive 31", "19: drivetemp-scsi-5-0/temp1 drive 26",
		},
		"amd-no-adapter.txt": {
			"7: k10temp-pci-00c3/Tctl cpu* 42.5", "2: nvme-pci-0400/Composite drive 36.9", "4: nvme-pci-0400/Sensor 2 drive 72.8",
			"8: k10temp-pci-00c3/Tccd2 cpu 36", "11: nvme-pci-0100/Composite drive 42.9", "13: nvme-pci-0100/Sensor 1 drive 42.9",
			"14: nvme-pci-0100/Sensor 2 drive 42.9",
		},
		"laptop.txt": {
			"3: k10temp-pci-00c3/Tctl cpu* 31", "7: nvme-pci-0200/Composite drive 25.9", "13: amdgpu-pci-0500/edge other 29",
		},
		"superio-open-inputs.txt": {"8: it8720-isa-0a10/temp2 other 22"},
		"switch-no-degree.txt": {
			"6: coretemp-isa-0000/Package id 0 cpu* 28", "7: coretemp-isa-0000/Core 2 cpu 25", "8: coretemp-isa-0000/Core 6 cpu 26",
			"9: coretemp-isa-0000/Core 8 cpu 25", "10: coretemp-isa-0000/Core 12 cpu 26",
		},
		"gb2312.txt": {
			"3: nvme-pci-4300/Composite drive 49.9", "5: nvme-pci-4300/Sensor 1 drive 47.9", "8: nvme-pci-4300/Sensor 2 drive 49.9",
		},
		"two-sockets-head-lost.txt": {
			"8: coretemp-isa-0001/Physical id 1 cpu* 42", "2: Physical id 0 cpu 39", "3: Core 0 cpu 31", "4: Core 1 cpu 33",
			"9: coretemp-isa-0001/Core 0 cpu 34",
		},
		"board.json": {
			"76: coretemp-isa-0000/Package id 0 cpu* 37", "28: nct6798-isa-02a0/CPUTIN other 37", "61: nvme-pci-0200/Composite drive 34.85",
			"68: nvme-pci-0200/Sensor 1 drive 34.85", "82: coretemp-isa-0000/Core 0 cpu 31", "88: coretemp-isa-0000/Core 4 cpu 33",
		},
		"byhand-broken.json": {
			"34: coretemp-isa-0000/Package id 0 cpu* 60", "15: dell_smm-isa-00de/CPU other 61", "18: dell_smm-isa-00de/SODIMM other 33",
			"21: dell_smm-isa-00de/SODIMM #2 other 34", "39: coretemp-isa-0000/Core 0 cpu 62",
		},
		"byhand-raw-fahrenheit.txt": {
			"4: coretemp-isa-0000/Package id 0 cpu* 43", "9: coretemp-isa-0000/Core 0 cpu 33.5", "14: nvme-pci-0100/Composite drive 40",
		},
	} {
		ms, err := parse(captured.Text(t, file))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var got []string
		for _, m := range ms {
			got = append(got, short(m))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// However the degree sign was mangled, and whatever surrounds it.
func TestCharacterSets(t *testing.T) {
	plain := captured.Text(t, "intel-drivetemp.txt")
	want, err := parse(plain)
	if err != nil {
		t.Fatal(err)
	}
	for _, sign := range []string{"\xb0C", "\ufffdC", "Â°C", "ºC", "C", " C", "° C", "&deg;C"} {
		noisy := strings.ReplaceAll(plain, "°C", sign)
		noisy = strings.ReplaceAll(noisy, "\n", "\r\n") + "\r\nIt is +1.0 better: a fine day, 20 C outside.\r\n"
		got, err := parse(noisy)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v\n%s", sign, err, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, says, hint string }{
		{"none", captured.Text(t, "none.txt"), "no sensors found", "sensors-detect"},
		{"empty", "", "printed no usable output", ""},
		{"nothing but fans", "asus-isa-0000\nAdapter: ISA adapter\nfan1:        2800 RPM\n", "no temperature", ""},
		{"open inputs only", "acpitz-acpi-0\ntemp1: +0.0°C\n", "no temperature", ""},
		{"cut JSON", captured.Text(t, "board.json")[:900], "not a whole JSON document", ""},
		{"empty JSON", "{\n\n}\n", "no temperature", ""},
	} {
		ms, err := parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(assay.Hint(err), c.hint) {
			t.Errorf("%s: got %v, %v", c.name, ms, err)
		}
	}
}

// Another machine's output does not remove the figures of this one.
func TestNoSensorsAfterSome(t *testing.T) {
	ms, err := parse(captured.Text(t, "laptop.txt") + captured.Text(t, "none.txt"))
	if err != nil || len(ms) != 3 {
		t.Errorf("got %v, %v", ms, err)
	}
}

// A truncated text gives the temperatures that it still holds.
func TestCutText(t *testing.T) {
	whole := captured.Text(t, "intel-drivetemp.txt")
	full, err := parse(whole)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		ms, _ := parse(whole[:i])
		for _, m := range ms {
			if !slices.ContainsFunc(full, func(f assay.Measurement) bool {
				return f.Labels["sensor"] == m.Labels["sensor"] && f.Value == m.Value
			}) {
				t.Fatalf("cut at %d: %v", i, short(m))
			}
		}
	}
}

func TestFormat(t *testing.T) {
	f := New().Format()
	captured.Begins(t, f, []string{
		"coretemp-isa-0000", "  k10temp-pci-00c3", "drivetemp-scsi-0-50", "ucsi_source_psy_USBC000:001-isa-0000", "cpu_thermal-virtual-0",
		"jc42-i2c-0-18", "Package id 0:  +43.0°C  (high = +82.0°C, crit = +100.0°C)", "Tctl:         +42.5°C",
	}, []string{
		"", "pci-0000:00:17.0-ata-1", "nvme-pci-0100 is hot", "Adapter: ISA adapter", "Core 0 is at 43.0°C", "temp1: warm",
		"I use coretemp-isa-0000", "Core 0: busy", "lrwxrwxrwx 1 root root 9 x-pci-0000 -> y",
	})
	if !f.Accepts([]string{"nct6798-isa-02a0", "nvme-pci-0200"}) || f.Accepts([]string{"sysstat"}) || f.Accepts(nil) {
		t.Error("the wrong documents are accepted")
	}
	one := captured.Text(t, "intel-drivetemp.txt")
	if f.Splits([]byte(one), "nvme-pci-0100") || !f.Splits([]byte(one), "coretemp-isa-0000") || f.Splits([]byte("coretemp-isa-0000\n"), "Core 0: +40.0°C") {
		t.Error("another chip splits, or the same one does not")
	}
	if headless := []byte("Package id 0:  +43.0°C\nCore 0: +40.0°C\n"); f.Splits(headless, "Core 1: +41.0°C") || !f.Splits(headless, "Package id 0:  +44.0°C") {
		t.Error("a look without its head is not told from the next")
	}
	if half := []byte("Core 0: +31.0°C\n\ncoretemp-isa-0001\nAdapter: ISA adapter\n"); f.Splits(half, "Core 0: +34.0°C") {
		t.Error("a chip is cut in two because the one before it had lost its name")
	}
	if !f.Splits([]byte(one), "{") {
		t.Error("JSON is added to text")
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) < 10 {
		f.Fatal("no seeds", err)
	}
	for _, file := range files {
		f.Add(captured.Text(f, filepath.Base(file)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		ms, err := parse(text)
		if (err == nil) == (len(ms) == 0) {
			t.Fatalf("%d measurements and error %v", len(ms), err)
		}
		lines := strings.Count(text, "\n") + 1
		for _, m := range ms {
			known, ok := assay.Describe(m.Metric)
			if !ok || known.Unit != m.Unit || math.IsNaN(m.Value) || m.Value <= coldest || m.Value >= hottest || m.Line < 1 || m.Line > lines {
				t.Errorf("%+v of %d lines", m, lines)
			}
		}
	})
}
