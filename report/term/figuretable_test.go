package term

import (
	"strings"
	"testing"

	"assay/report/block"

	"pgregory.net/rapid"
)

// tiers returns a table with rows of one name and ratios below the figures.
func tiers() block.Table {
	ratio := func(value, times, interval string) block.Cell {
		return block.Cell{Text: value, Under: []string{times, interval}, Figure: &block.Figure{Spread: "± 0.25 %"}}
	}
	plain := func(value string) block.Cell {
		return block.Cell{Text: value, Figure: &block.Figure{Spread: "± 0.25 %"}}
	}
	return block.Table{
		Wide: true, Grouped: true, Columns: []block.Column{{Heading: "test"}, {Heading: "sd", Right: true}, {Heading: "usb", Right: true}},
		Rows: []block.Row{
			{Cells: []block.Cell{{Text: "1 MiB sequential read", Under: []string{"bandwidth in B/s"}}, plain("90.2 M"), ratio("35.7 M", "0.396 ×", "[0.395–0.397]")}},
			{Cells: []block.Cell{{Text: "1 MiB sequential read", Under: []string{"p50"}}, plain("170 ms"), ratio("440 ms", "2.588 ×", "[2.580–2.596]")}},
		},
	}
}

// With enough room, a figure has its spread beside it and its ratio on the next
// line; otherwise each has its own line. A name is printed once.
func TestATableOfTiersTakesTheRoomThereIs(t *testing.T) {
	for columns, want := range map[int]string{
		100: `test                                sd                    usb
1 MiB sequential read  90.2 M ± 0.25 %        35.7 M ± 0.25 %
bandwidth in B/s                        0.396 × [0.395–0.397]
p50                    170 ms ± 0.25 %        440 ms ± 0.25 %
                                        2.588 × [2.580–2.596]
`,
		52: `test                         sd            usb
1 MiB sequential read    90.2 M         35.7 M
bandwidth in B/s       ± 0.25 %       ± 0.25 %
                                       0.396 ×
                                 [0.395–0.397]
p50                      170 ms         440 ms
                       ± 0.25 %       ± 0.25 %
                                       2.588 ×
                                 [2.580–2.596]
`,
		40: `test        sd            usb
1 MiB sequential read · bandwidth in B/s
        90.2 M         35.7 M
      ± 0.25 %       ± 0.25 %
                      0.396 ×
                [0.395–0.397]
p50
        170 ms         440 ms
      ± 0.25 %       ± 0.25 %
                      2.588 ×
                [2.580–2.596]
`,
	} {
		got := rendered(t, block.Document{Blocks: block.Blocks{tiers()}}, Options{Width: columns})
		if got != want {
			t.Errorf("%d columns:\n%s\nwant\n%s", columns, got, want)
		}
	}
}

// With many columns of hosts, whatever their names and cells, no line is too long
// and no figure is lost.
func TestTablesOfHostsStayWithinTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := block.Table{Wide: true, Grouped: rapid.Bool().Draw(t, "grouped"), Columns: []block.Column{{Heading: odd.Draw(t, "corner")}}}
		hosts := rapid.IntRange(0, 12).Draw(t, "hosts")
		for range hosts {
			table.Columns = append(table.Columns, block.Column{Heading: odd.Draw(t, "host"), Right: true})
		}
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			row := block.Row{Cells: []block.Cell{{Text: rapid.SampledFrom(names).Draw(t, "name"), Under: rapid.SliceOfN(odd, 0, 2).Draw(t, "under")}}}
			for range hosts {
				row.Cells = append(row.Cells, block.Cell{
					Text: "12.3 G", Under: rapid.SliceOfN(odd, 0, 2).Draw(t, "beside"), Notes: rapid.SliceOfN(rapid.IntRange(1, 99), 0, 3).Draw(t, "notes"),
					Figure: &block.Figure{Spread: rapid.SampledFrom([]string{"", "± ?", "± 1.2 %"}).Draw(t, "spread"), Count: odd.Draw(t, "count"), Rejected: rapid.Bool().Draw(t, "rejected")},
				})
			}
			table.Rows = append(table.Rows, row)
		}
		columns := rapid.IntRange(40, 200).Draw(t, "width")
		p := newPage(Options{Width: columns})
		p.blocks(block.Blocks{table})
		checkLines(t, p.String(), columns)
		if got, want := strings.Count(squash(p.String()), "12.3G"), hosts*len(table.Rows); got != want {
			t.Fatalf("%d figures of %d:\n%s", got, want, p.String())
		}
	})
}

// What stands under a cell is wrapped, its numbers whole.
func TestFiguresUnderCellsAreWhole(t *testing.T) {
	good := func(text string) block.Cell { return block.Cell{Text: "good", Under: []string{text}} }
	table := block.Table{
		Wide: true, Columns: []block.Column{{Heading: "use"}, {Heading: "sd"}, {Heading: "usb"}, {Heading: "longhorn"}},
		Rows: []block.Row{{Cells: []block.Cell{{Text: "databases"}, good("random reads 7.47k IOPS"), good("random reads 12.3k IOPS"), good("sync writes 1.23k IOPS")}}},
	}
	want := `use                  sd           usb     longhorn
databases          good          good         good
           random reads  random reads  sync writes
             7.47k IOPS    12.3k IOPS   1.23k IOPS
`
	if got := rendered(t, block.Document{Blocks: block.Blocks{table}}, Options{Width: 80}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
