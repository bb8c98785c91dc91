package free

import (
	"strings"
	"testing"

	"assay"
)

// The first is from "Linux Disk I/O Performance in the Homelab" (2024, procps
// 4.0 of Debian 12), the second was printed by procps 4.0.2, the third by
// busybox 1.35, the fourth by procps 3.3.9 in a public forum.
const (
	wyse = `               total        used        free      shared  buff/cache   available
Mem:         1928172     1516896      113516       69372      520256      411276
Swap:         999420         256      999164
`
	human = `               total        used        free      shared  buff/cache   available
Mem:            31Gi        12Gi       1.2Gi       410Mi        18Gi        18Gi
`
	busybox = `              total        used        free      shared  buff/cache   available
Mem:       24674736     1221572    15331760        1088     8121404    23100000
Swap:             0           0           0
`
	old = `             total       used       free     shared    buffers     cached
Mem:       8176372    7912300     264072          0     116240    6031168
-/+ buffers/cache:    1764892    6411480
`
	mebibytes = `               total        used        free      shared  buff/cache   available
Mem:           64215        9001       40122         102       15091       54400
`
)

func TestFigures(t *testing.T) {
	for _, c := range []struct {
		name, text, argv string
		total, available int64
	}{
		{"KiB", wyse, "", 1928172 << 10, 411276 << 10},
		{"twice", wyse + strings.Replace(wyse, "411276", "445024", 1), "", 1928172 << 10, 445024 << 10},
		{"human", human, "free -h", 31 << 30, 18 << 30},
		{"busybox", busybox, "", 24674736 << 10, 23100000 << 10},
		{"without available", old, "", 8176372 << 10, 0},
		{"in MiB", "  total used free shared\nMem: 7821 1 1 1\n", "free -m", 7821 << 20, 0},
		{"in MiB, with totals", mebibytes, "free -mt", 64215 << 20, 54400 << 20},
		{"in MiB, wide", mebibytes, "free -wm", 64215 << 20, 54400 << 20},
		{"in MiB, repeated", mebibytes, "free -m -s 5 -c 1", 64215 << 20, 54400 << 20},
		{"in kB", "  total used free shared\nMem: 67332212 1 1 1\n", "free --kilo", 67332212e3, 0},
		{"in MB", "  total used free shared\nMem: 67332 1 1 1\n", "free --mega", 67332e6, 0},
		{"in GB", "  total used free shared\nMem: 540 1 1 1\n", "free --giga", 540e9, 0},
		{"in TB", "  total used free shared\nMem: 2 1 1 1\n", "free --tera", 2e12, 0},
		{"in PB", "  total used free shared\nMem: 1 1 1 1\n", "free --peta", 1e15, 0},
		{"in TiB", "  total used free shared\nMem: 2 1 1 1\n", "free --tebi", 2 << 40, 0},
		{"in PiB", "  total used free shared\nMem: 1 1 1 1\n", "free --pebi", 1 << 50, 0},
		{"in kB by --si", "  total used free shared\nMem: 25276502 1 1 1\n", "free --si", 25276502e3, 0},
		{"in MB by --si", "  total used free shared\nMem: 25276 1 1 1\n", "free --si --mebi", 25276e6, 0},
		{"in GB by --si", "  total used free shared\nMem: 25 1 1 1\n", "free -g --si", 25e9, 0},
		{"human by --si", "  total used free shared\nMem: 25G 1 1 1\n", "free -h --si", 25e9, 0},
		{"little, in KiB", "  total used free shared\nMem: 125848 1 1 1\n", "free -k", 125848 << 10, 0},
		{"little, human", "  total used free shared\nMem: 122Mi 1 1 1\n", "free -h", 122 << 20, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f assay.Facts
			if err := New().Learn(transcript(c.text, c.argv), &f); err != nil {
				t.Fatal(err)
			}
			if f.Memory.Total != c.total || f.Memory.Available != c.available {
				t.Errorf("total %d, available %d; want %d, %d", f.Memory.Total, f.Memory.Available, c.total, c.available)
			}
		})
	}
}

// An alias may have added -m, and the line with the command may be missing.
func TestWhatCannotBeTold(t *testing.T) {
	for _, text := range []string{"", mebibytes, strings.Replace(mebibytes, "64215", "515643", 1), "  total used free shared\n", "  total used free shared\nMem: 7821 1 1 1\n", "  total used free shared\nMem: x 1 1 1\n"} {
		var f assay.Facts
		if err := New().Learn(transcript(text, ""), &f); err == nil || f.Memory.Total != 0 {
			t.Errorf("%q gives %d, %v", text, f.Memory.Total, err)
		}
	}
}

func TestFormat(t *testing.T) {
	f := New().Format()
	if !f.Begins(strings.Split(wyse, "\n")[0]) || f.Begins("total 48") || f.Begins("the total used free space") {
		t.Error("the header is not told from other lines")
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{wyse, human, busybox, old} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var facts assay.Facts
		if err := New().Learn(transcript(string(text), ""), &facts); err == nil && (facts.Memory.Total < least || facts.Memory.Available > facts.Memory.Total) {
			t.Fatalf("total %d, available %d", facts.Memory.Total, facts.Memory.Available)
		}
	})
}

func transcript(text, argv string) assay.Transcript {
	return assay.Transcript{Steps: []assay.Step{{Name: "measure", Argv: strings.Fields(argv), Output: assay.Output{Stdout: []byte(text)}}}}
}
