package lspci

import (
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

func learn(text string, f assay.Facts) (assay.Facts, error) {
	return captured.Learn(New(), text, "", f)
}

func TestLearn(t *testing.T) {
	for _, c := range []struct {
		file       string
		nvme, slot string
		mode, at   string
	}{
		{"samsung-970.txt", "disk", "", "Gen3 x4", "01:00.0"},
		{"pi5-downgraded.txt", "disk", "", "Gen2 x1", "0000:01:00.0 (downgraded from Gen3 x4)"},
		{"connectx4.txt", "", "0000:04:00.0", "Gen3 x4", "04:00.0 (downgraded from Gen3 x8)"},
		{"old-pciutils.txt", "", "0000:03:00.0", "Gen2 x2", "03:00.0 (downgraded from Gen3 x8)"},
	} {
		for name, text := range map[string]string{
			"as it is": captured.Text(t, c.file), "CRLF": strings.ReplaceAll(captured.Text(t, c.file), "\n", "\r\n"), "with prose after it": captured.Text(t, c.file) + "\nSo it runs at half its speed.\n",
			"twice": captured.Text(t, c.file) + captured.Text(t, c.file),
		} {
			f, err := learn(text, assay.Facts{})
			if err != nil {
				t.Errorf("%s %s: %v", c.file, name, err)
				continue
			}
			var l *assay.Link
			if c.nvme != "" {
				if d := f.Device(c.nvme); d != nil && d.Bus == assay.BusNVMe && len(f.Block) == 1 {
					l = d.Link
				}
			} else if len(f.NICs) == 1 && f.NICs[0].Slot == c.slot && strings.HasPrefix(f.NICs[0].Driver, "mlx") {
				l = f.NICs[0].Link
			}
			if l == nil || l.Mode != c.mode || l.At != c.at {
				t.Errorf("%s %s: %+v, %+v, %+v", c.file, name, l, f.Block, f.NICs)
			}
		}
	}
}

// Known facts about the drive and the card stay.
func TestWhatIsKnownStays(t *testing.T) {
	before := assay.Facts{
		Block: []assay.BlockDevice{{Name: "disk", Kind: "disk", Model: "Samsung SSD 970 EVO"}},
		NICs:  []assay.NICFacts{{Name: "p3p1", Slot: "0000:04:00.0", Speed: 25e9}},
	}
	f, err := learn(captured.Text(t, "samsung-970.txt")+captured.Text(t, "connectx4.txt"), before)
	if err != nil {
		t.Fatal(err)
	}
	if f.Block[0].Model != "Samsung SSD 970 EVO" || f.Block[0].Link == nil || len(f.NICs) != 1 || f.NICs[0].Name != "p3p1" || f.NICs[0].Speed != 25e9 || f.NICs[0].Link == nil {
		t.Errorf("%+v, %+v", f.Block, f.NICs)
	}
	if before.Block[0].Link != nil || before.NICs[0].Link != nil {
		t.Error("what was given was changed")
	}
}

func TestTwoDrives(t *testing.T) {
	two := captured.Text(t, "samsung-970.txt") + strings.ReplaceAll(captured.Text(t, "samsung-970.txt"), "01:00.0", "02:00.0")
	f, err := learn(two, assay.Facts{})
	if err != nil || len(f.Block) != 0 || len(f.Missing) != 1 || f.Missing[0].Why != "lspci shows 2 NVMe controllers" {
		t.Errorf("%v, %+v, %+v", err, f.Block, f.Missing)
	}
}

func TestLearnRefuses(t *testing.T) {
	one := captured.Text(t, "samsung-970.txt")
	for name, c := range map[string]struct{ text, says string }{
		"a virtual machine": {captured.Text(t, "virtio.txt"), "a virtual machine"},
		"a drive in one":    {captured.Text(t, "virtio.txt") + one, "a virtual machine"},
		"without -vv":       {"01:00.0 Non-Volatile memory controller: Samsung Electronics Co Ltd Device a809\n", "no link (LnkSta)"},
		"not root":          {captured.Text(t, "not-root.txt"), "this user may not read"},
		"cut off":           {one[:strings.Index(one, "LnkSta")], "no link (LnkSta)"},
		"asleep":            {strings.ReplaceAll(one, "Width x4", "Width x0"), "no link (LnkSta)"},
		"no such speed":     {strings.ReplaceAll(one, "Speed 8GT/s", "Speed 9GT/s"), "no link (LnkSta)"},
		"nothing":           {"", "no device"},
	} {
		f, err := learn(c.text, assay.Facts{})
		if err == nil || !strings.Contains(err.Error(), c.says) || len(f.Block)+len(f.NICs) > 0 {
			t.Errorf("%s: %v, %+v %+v", name, err, f.Block, f.NICs)
		}
	}
}

func TestFormat(t *testing.T) {
	f := New().Format()
	for _, file := range []string{"plain.txt", "virtio.txt"} {
		for i, line := range strings.Split(captured.Text(t, file), "\n") {
			if line == "" {
				continue
			}
			if want := strings.HasPrefix(line, "00:"); f.Begins(line) != want {
				t.Errorf("%s, line %d: begins: %v", file, i+1, !want)
			}
			if f.Splits(nil, line) != strings.HasPrefix(line, "00:00.0 ") {
				t.Errorf("%s, line %d splits wrongly", file, i+1)
			}
		}
	}
	captured.Begins(t, f, nil, []string{"", "10:15.3 Started the test: it ran", "01:00.0 is the drive: fast", "\tLnkSta:\tSpeed 8GT/s (ok), Width x4 (ok)"})
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		f.Add(captured.Text(f, filepath.Base(file)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		facts, err := learn(text, assay.Facts{})
		if (err == nil) != (len(facts.Block)+len(facts.NICs)+len(facts.Missing) > 0) {
			t.Fatalf("learned %+v and error %v", facts, err)
		}
		for _, b := range facts.Block {
			if b.Link == nil || !(b.Link.Ceiling > 0) || b.Link.Lanes > 32 {
				t.Errorf("%+v", b.Link)
			}
		}
		for _, n := range facts.NICs {
			if n.Slot == "" || n.Link == nil {
				t.Errorf("%+v", n)
			}
		}
	})
}
