package dmidecode

import (
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
	"assay/limits"
)

func learn(text string) (assay.Facts, error) {
	var f assay.Facts
	err := New().Learn(assay.Transcript{Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: []byte(text)}}}}, &f)
	return f, err
}

func TestLearn(t *testing.T) {
	for _, c := range []struct {
		file                   string
		modules, channels, mts int
		rated                  int
		ceiling                float64
	}{
		{"asus-am4.txt", 1, 1, 0, 2133, 0},
		{"ddr5-am5.txt", 2, 2, 6000, 4800, 2 * 8 * 6000e6},
		{"hp-ddr3.txt", 1, 0, 1067, 1333, 0}, // one of a server's modules: nothing says that it is all
		{"legion5.txt", 2, 2, 3200, 3200, 2 * 8 * 3200e6},
		{"nuc11.txt", 2, 2, 3200, 3200, 2 * 8 * 3200e6},
		{"thinkpad2014.txt", 1, 0, 1333, 1333, 0},
	} {
		for name, text := range map[string]string{
			"as it is": captured.Text(t, c.file), "CRLF": strings.ReplaceAll(captured.Text(t, c.file), "\n", "\r\n"), "with more after it": captured.Text(t, c.file) + "\nThat is all.\n$ \n",
		} {
			f, err := learn(text)
			if err != nil {
				t.Errorf("%s %s: %v", c.file, name, err)
				continue
			}
			m := f.Memory
			if len(m.DIMMs) != c.modules || m.Channels != c.channels || m.DIMMs[0].MTs != c.mts || m.DIMMs[0].Rated != c.rated || limits.Memory(m).Value != c.ceiling {
				t.Errorf("%s %s: %d channels, %+v", c.file, name, m.Channels, m.DIMMs)
			}
		}
	}
}

// Channels are counted only if all slots are shown.
func TestPartOfTheSlots(t *testing.T) {
	alone := captured.Text(t, "thinkpad2014.txt")
	array := "Handle 0x0008, DMI type 16, 23 bytes\nPhysical Memory Array\n\tNumber Of Devices: %\n\n"
	for text, want := range map[string]int{
		alone: 0,
		"# dmidecode 3.3\nGetting SMBIOS data from sysfs.\nSMBIOS 2.7 present.\n\n" + alone: 1,
		strings.Replace(array, "%", "1", 1) + alone:                                         1,
		strings.Replace(array, "%", "4", 1) + alone:                                         0,
		"Getting SMBIOS data from sysfs.\n" + strings.Replace(array, "%", "4", 1) + alone:   0,
	} {
		if f, err := learn(text); err != nil || f.Memory.Channels != want || len(f.Memory.DIMMs) != 1 {
			t.Errorf("%d channels, want %d: %v", f.Memory.Channels, want, err)
		}
	}
}

// A module whose firmware reports its clock, which is half of its transfer
// rate.
func TestClockForTransfers(t *testing.T) {
	f, err := learn(captured.Text(t, "asus-am4.txt") + "        Configured Clock Speed: 1067 MHz\n")
	if err != nil || f.Memory.DIMMs[0].MTs != 2133 {
		t.Errorf("%+v, %v", f.Memory.DIMMs, err)
	}
}

func TestLearnRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"no tables":     {captured.Text(t, "no-tables.txt"), "/dev/mem: No such file"},
		"not root":      {"# dmidecode 3.3\nScanning /dev/mem for entry point.\n/dev/mem: Permission denied\n", "Permission denied"},
		"QEMU":          {captured.Text(t, "qemu.txt"), "emulated by a hypervisor"},
		"EC2":           {strings.NewReplacer("HP     ", "Amazon EC2").Replace(captured.Text(t, "hp-ddr3.txt")), "emulated by a hypervisor"},
		"all empty":     {strings.ReplaceAll(captured.Text(t, "hp-ddr3.txt"), "4096 MB", "No Module Installed"), "no memory module"},
		"cut off":       {captured.Text(t, "asus-am4.txt")[:900], "no memory module"},
		"the mainboard": {"Handle 0x0002, DMI type 2, 15 bytes\nBase Board Information\n\tManufacturer: QEMU\n", "no memory module"},
		"nothing":       {"", "no memory module"},
	} {
		f, err := learn(c.text)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v does not say %q", name, err, c.says)
		}
		if f.Memory.DIMMs != nil || f.Memory.Channels != 0 {
			t.Errorf("%s: learned %+v", name, f.Memory)
		}
	}
}

func TestFormat(t *testing.T) {
	f := New().Format()
	text := captured.Text(t, "asus-am4.txt")
	lines := strings.Split(text, "\n")
	if !f.Begins(lines[0]) || !f.Begins(lines[4]) || f.Begins(lines[5]) || f.Begins("# dmidecode prints the modules") || f.Begins("$ dmidecode -t 17") {
		t.Error("its first lines are not told from others")
	}
	if f.Splits([]byte(lines[0]), lines[4]) || f.Splits([]byte(text), lines[4]) || !f.Splits([]byte(text), lines[0]) {
		t.Error("a second output is not told from the next module")
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		f.Add(captured.Text(f, filepath.Base(file)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		facts, err := learn(text)
		if (err == nil) != (len(facts.Memory.DIMMs) > 0) {
			t.Fatalf("%d modules and error %v", len(facts.Memory.DIMMs), err)
		}
		for _, d := range facts.Memory.DIMMs {
			if d.Bytes <= 0 || d.MTs < 0 || d.Rated < 0 || facts.Memory.Channels < 0 {
				t.Errorf("%+v", d)
			}
		}
	})
}
