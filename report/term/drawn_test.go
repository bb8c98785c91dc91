package term

import (
	"testing"

	"assay/report/block"

	"github.com/google/go-cmp/cmp"
)

// Rejected bars are hollow, and end in an arrow if longer than the space. Without
// space for bars only the bars are cut.
func TestBarsTakeTheRoomThereIs(t *testing.T) {
	bars := block.Bars{Bars: []block.Bar{
		{Group: "4 KiB random write, IOPS", Title: "sd", Share: .5, Cell: block.Cell{Text: "722 IOPS", Figure: &block.Figure{Spread: "± 0.25 %"}}},
		{Group: "4 KiB random write, IOPS", Title: "usb", Share: 1, Beyond: true, Cell: block.Cell{Text: "91.0k IOPS", Notes: []int{1}, Figure: &block.Figure{Rejected: true}}},
		{Group: "4 KiB random write, IOPS", Title: "longhorn", Share: 1, Cell: block.Cell{Text: "1.44k IOPS", Figure: &block.Figure{Spread: "± ?"}}, Aside: "2.00 × faster"},
		{Group: "4 KiB random write, IOPS", Title: "nfs", Absent: &block.Absent{Word: "failed", Why: "input/output error"}},
	}}
	for _, c := range []struct {
		columns int
		told    bool
		want    string
	}{
		{80, false, `4 KiB random write, IOPS
  sd        ███████████████                     722 IOPS ± 0.25 %
  usb       ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░▶  ✗ 91.0k IOPS [1]
  longhorn  ██████████████████████████████    1.44k IOPS ± ?       2.00 × faster
  nfs       failed: input/output error
`},
		{80, true, `4 KiB random write, IOPS
  sd        ███████████████████▌                         722 IOPS
  usb       ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░▶  ✗ 91.0k IOPS
  longhorn  ███████████████████████████████████████    1.44k IOPS  2.00 × faster
  nfs       failed: input/output error
`},
		{40, false, `4 KiB random write, IOPS
  sd        722 IOPS ± 0.25 %
  usb       ✗ 91.0k IOPS [1]
  longhorn  1.44k IOPS ± ? 2.00 × faster
  nfs       failed: input/output error
`},
	} {
		bars.Told = c.told
		if got := rendered(t, block.Document{Blocks: block.Blocks{bars}}, Options{Width: c.columns}); got != c.want {
			t.Errorf("%d columns, told %v:\n%s\nwant\n%s", c.columns, c.told, got, c.want)
		}
	}
}

// A timeline states what it draws, and its range.
func TestTimelinesSayWhatTheyDraw(t *testing.T) {
	over := block.Timeline{Title: "Storage over time", Aside: "warm-up included", Joined: true, Series: []block.Series{
		{Title: "reads", Range: "5 to 10", Points: []block.Point{{0, 5}, {1, 10}}},
		{Title: "writes", Range: "3.20 GB/s to 3.30 GB/s", Points: []block.Point{{0, 10}, {1, 10}}},
	}}
	heat := over
	heat.Title, heat.Aside, heat.Joined = "Temperature", "", false
	got := rendered(t, block.Document{Blocks: block.Blocks{over, heat}}, Options{Width: 60})
	want := `Storage over time, warm-up included; from 0 to the maximum
  reads   ▅█  5 to 10
  writes  ██  3.20 GB/s to 3.30 GB/s
Temperature; each line from its minimum to its maximum
  reads   ▁█  5 to 10
  writes  ▁▁  3.20 GB/s to 3.30 GB/s
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A title without room has a line of its own: cut, those of two tests on one host would
// be the same.
func TestLongTitlesOfDrawingsAreWhole(t *testing.T) {
	share := func(title string, share block.Number, text string) block.Bar {
		return block.Bar{Title: title, Share: share, Cell: block.Cell{Text: text}}
	}
	points := []block.Point{{0, 0}, {1, 1}, {2, 2}}
	for _, c := range []struct {
		name  string
		block block.Block
		want  string
	}{
		{"bars", block.Bars{Mark: 1, Bars: []block.Bar{
			share("proxmox1: 1 MiB sequential read", .75, "81 %"), share("proxmox1: 1 MiB sequential write", .25, "28 %"), share("pve2: writes", .5, "50 %"),
		}}, `  proxmox1: 1 MiB sequential read
                █████████████▌    ▏ 81 %
  proxmox1: 1 MiB sequential write
                ████▌             ▏ 28 %
  pve2: writes  █████████         ▏ 50 %
`},
		{"lanes", block.Lanes{To: 1, Lanes: []block.Lane{
			{Title: "seen from k8s-worker-1 by TCP", Words: "no answer", Stretches: []block.Stretch{{From: 0, To: 1, Is: block.Bad}}},
			{Title: "seen from k8s-worker-1 by UDP", Stretches: []block.Stretch{{From: 0, To: 1, Is: block.Good}}},
		}}, `  seen from k8s-worker-1 by TCP
    ·························  no answer
  seen from k8s-worker-1 by UDP
    █████████████████████████
`},
		{"timeline", block.Timeline{Title: "Storage", Series: []block.Series{
			{Title: "proxmox1: 1 MiB sequential read", Points: points, Range: "0 to 2"}, {Title: "proxmox1: 1 MiB sequential write", Points: points, Range: "0 to 1"},
		}}, `Storage; each line from its minimum to
its maximum
  proxmox1: 1 MiB sequential read
    ▁▅█  0 to 2
  proxmox1: 1 MiB sequential write
    ▁▅█  0 to 1
`},
	} {
		if d := cmp.Diff(c.want, rendered(t, block.Document{Blocks: block.Blocks{c.block}}, Options{Width: 40})); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}
