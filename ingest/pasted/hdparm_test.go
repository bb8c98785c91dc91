package pasted

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"assay"
	"assay/ingest"
)

// drives returns host, drive and line of every figure of a drive in a text, as ingest cuts it.
func drives(t *testing.T, text string) string {
	t.Helper()
	var r ingest.Reading
	if err := r.Read("f", strings.NewReader(text), []assay.Reader{hdparm}); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, it := range r.Items {
		for _, m := range it.Repeats[0].Measurements {
			if m.Metric == "storage.read.bandwidth" {
				all = append(all, fmt.Sprintf("%s%s:%d", it.Trial.Subject.Host, m.Labels["file"], m.Line))
			}
		}
	}
	return strings.Join(all, " ")
}

func TestDrivesOfHdparm(t *testing.T) {
	const row = " Timing buffered disk reads: 410 MB in  3.00 seconds = 136.67 MB/sec\n"
	file := func(name string) string {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, c := range []struct{ name, text, want string }{
		{"two drives of one command", file("hdparm-two-drives.txt"), "slax/dev/sda:7 slax/dev/sdb:15"},
		{"no command", file("hdparm-old-md1.txt"), "/dev/md1:3 /dev/hdc:7"},
		{"a command each", file("hdparm-t-usb.txt"), "/dev/LVMGROUP/VOLUME:5 /dev/sda2:9 /dev/sda:13"},
		{"many drives", "root@a:~# hdparm -t /dev/sd?\n" + strings.Repeat("\n/dev/sda:\n"+row, 2) + "\n/dev/sdb:\n" + row + strings.Repeat("\n/dev/sdc:\n"+row, 2),
			"a/dev/sda:4 a/dev/sda:7 a/dev/sdb:10 a/dev/sdc:13 a/dev/sdc:16"},
		{"one of them failed", "# hdparm -t /dev/sda /dev/sdb\n\n/dev/sda:\nread() failed: Input/output error\n\n/dev/sdb:\n" + row, "/dev/sdb:7"},
		{"the headings are lost", "# hdparm -t /dev/sda /dev/sdb\n" + row, ":2"},
		{"a pattern without headings", "# hdparm -t /dev/sd[ab]\n" + row, ":2"},
		{"one drive without a heading", "# hdparm -t --direct /dev/sdb\n" + row, "/dev/sdb:2"},
		{"a heading of something else", "/dev/md0:\n        Version : 1.2\n  Creation Time : Thu\n     Raid Level : raid1\n" + row, ":5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := drives(t, c.text); got != c.want {
				t.Errorf("drives %q, want %q", got, c.want)
			}
		})
	}
}
