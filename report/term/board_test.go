package term

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		cell Cell
		want string
	}{
		{Cell{}, "–"},
		{Cell{Of: 6}, "·"},
		{Cell{Of: 6, Warming: 1}, "▸0/6"},
		{Cell{Of: 6, Ended: 2, Running: 1}, "▸3/6"},
		{Cell{Of: 6, Ended: 2, Running: 1, Failed: 1}, "▸3/6✗"},
		{Cell{Of: 6, Ended: 3}, "3/6"},
		{Cell{Of: 6, Ended: 3, Failed: 1}, "3/6✗"},
		{Cell{Of: 6, Ended: 6}, "✓"},
		{Cell{Of: 6, Ended: 6, Failed: 2}, "✗2/6"},
		{Cell{Of: 1, Ended: 1, Failed: 1}, "✗"},
		{Cell{Of: 6, Lost: 6}, "?"},
		{Cell{Of: 6, Ended: 2, Lost: 4}, "?2/6"},
		// Of a host's links, some end at a host that is gone; the others
		// continue.
		{Cell{Of: 18, Ended: 4, Lost: 6}, "4/18"},
		{Cell{Of: 18, Ended: 12, Lost: 6}, "?12/18"},
	} {
		if got := c.cell.mark().text; got != c.want {
			t.Errorf("%+v: %s, want %s", c.cell, got, c.want)
		} else if width(got) > c.cell.count() {
			t.Errorf("%s is wider than the %d columns kept for it", got, c.cell.count())
		}
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0:00", 61 * time.Second: "1:01", 59*time.Second + 600*time.Millisecond: "1:00", 75 * time.Minute: "1:15:00",
	} {
		if got := Clock(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}

// baselineOf returns a board of n hosts at work, with the cases of a long
// suite.
func baselineOf(n int) Board {
	b := Board{Share: .4, Left: 80 * time.Second, Text: "120 of 300 repeats"}
	for _, c := range []string{
		"smart/health", "thermal/soak", "fio/randread-4k", "fio/randwrite-4k", "fio/seqread-1m", "fio/seqwrite-1m", "fio/syncwrite-4k",
		"sysbench/cpu-1", "sysbench/cpu-all", "sysbench/memory-read-1", "sysbench/memory-read-all", "sysbench/memory-write-1",
	} {
		probe, name, _ := strings.Cut(c, "/")
		b.Columns = append(b.Columns, BoardColumn{Name: name, Group: probe})
	}
	for i := range n {
		r := BoardRow{Name: fmt.Sprintf("pve%d", i+1), Now: "randread-4k", With: "on /srv/bench", Busy: true}
		for j := range b.Columns {
			c := Cell{Of: 6, Ended: min(max(8-2*j, 0), 6)}
			if c.Ended > 0 {
				c.Figure = "58.9k IOPS"
			}
			r.Cells = append(r.Cells, c)
		}
		r.Cells[0] = Cell{}
		r.Cells[2].Running = 1
		b.Rows = append(b.Rows, r)
	}
	return b
}

func drawn(b Board, columns, lines int) string {
	return strings.Join(b.Lines(columns, lines, false), "\n")
}

// The most detailed picture that fits is drawn: figures, whole names, shortened
// names, one column per probe, hosts alone.
func TestABoardTakesTheRoomThereIs(t *testing.T) {
	b := baselineOf(3)
	b.Rows[2].Away, b.Rows[2].Cells = "down: cannot be reached: no answer in time", nil
	for _, c := range []struct {
		columns  int
		has, not []string
	}{
		{300, []string{"memory-write-1", "✓     58.9k IOPS", "·"}, []string{"…"}},
		{200, []string{"memory-write-1", "▸5/6", "randread-4k on /srv/bench"}, []string{"58.9k IOPS"}},
		{150, []string{"health", "randrea-4k", "pve3  ? down: cannot be reached: no answer in time"}, []string{"memory-write-1", "…", "58.9k"}},
		{80, []string{"smart  thermal  fio", "sysbench", "▸7/30", "randread-4k"}, []string{"randr-4k"}},
		{24, []string{"pve1  ▸", "pve3  ? down: cannot be…"}, []string{"fio"}},
	} {
		got := drawn(b, c.columns, 24)
		for _, w := range c.has {
			if !strings.Contains(got, w) {
				t.Errorf("%d columns: no %q in\n%s", c.columns, w, got)
			}
		}
		for _, w := range c.not {
			if strings.Contains(got, w) {
				t.Errorf("%d columns: %q in\n%s", c.columns, w, got)
			}
		}
	}
}

// With more hosts than lines, those that are away, failed or busy come first,
// in host order; the others are counted.
func TestMoreHostsThanLines(t *testing.T) {
	b := baselineOf(40)
	for i := range b.Rows {
		b.Rows[i].Busy = i == 20
	}
	b.Rows[33].Away = "gone: no answer"
	b.Rows[38].Cells[1].Failed = 1
	lines := b.Lines(80, 6, false)
	want := []string{"pve21 ", "pve34 ", "pve39 ", "and 37 more hosts: "}
	if len(lines) != 6 {
		t.Fatalf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	for i, w := range want {
		if !strings.HasPrefix(lines[i+1], w) {
			t.Errorf("line %d is %q, want %s", i+1, lines[i+1], w)
		}
	}
	// Each has made 6+4+2 of 66 repeats.
	if w := fmt.Sprintf("and 37 more hosts: %d of %d repeats done", 37*12, 37*66); lines[4] != w {
		t.Errorf("%q, want %q", lines[4], w)
	}
	if got := b.Lines(80, 42, false); len(got) != 42 || strings.Contains(strings.Join(got, "\n"), "more hosts") {
		t.Errorf("40 hosts have room in 42 lines:\n%s", strings.Join(got, "\n"))
	}
	if got := b.Lines(80, 1, false); len(got) != 1 || !strings.Contains(got[0], "1:20 left  120 of 300") {
		t.Errorf("of one line: %q", got)
	}
}

func TestShortNamesStayApart(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		want string
	}{
		{"randread-4k", 20, "randread-4k"}, {"randread-4k", 8, "randr-4k"}, {"memory-read-all", 10, "me-rea-all"}, {"a-b-c", 1, "a-b-c"},
	} {
		if got := abbreviate(c.name, c.n); got != c.want {
			t.Errorf("%s in %d: %s, want %s", c.name, c.n, got, c.want)
		}
	}
	b := baselineOf(1)
	for columns := 10; columns < 320; columns++ {
		f := b.fit(columns)
		sorted := slices.Sorted(slices.Values(f.names))
		if len(slices.Compact(sorted)) != len(f.names) {
			t.Fatalf("%d columns: two columns of one name: %v", columns, f.names)
		}
	}
}

// Every board fits, and colours add no visible text.
func TestABoardFits(t *testing.T) {
	cell := rapid.Custom(func(t *rapid.T) Cell {
		n := rapid.IntRange(0, 2000)
		return Cell{
			Of: n.Draw(t, "of"), Ended: n.Draw(t, "ended"), Failed: n.Draw(t, "failed"), Running: n.Draw(t, "running"),
			Lost: n.Draw(t, "lost"), Figure: odd.Draw(t, "figure"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		b := Board{Share: rapid.Float64Range(-1, 2).Draw(t, "share"), Left: 3 * time.Hour, Text: odd.Draw(t, "text")}
		for range rapid.IntRange(0, 9).Draw(t, "columns") {
			b.Columns = append(b.Columns, BoardColumn{odd.Draw(t, "case"), odd.Draw(t, "probe")})
		}
		for range rapid.IntRange(0, 9).Draw(t, "rows") {
			b.Rows = append(b.Rows, BoardRow{
				Name: odd.Draw(t, "host"), Cells: rapid.SliceOfN(cell, 0, len(b.Columns)).Draw(t, "cells"),
				Now: odd.Draw(t, "now"), With: odd.Draw(t, "with"), Away: odd.Draw(t, "away"), Busy: rapid.Bool().Draw(t, "busy"),
			})
		}
		columns, lines := rapid.IntRange(10, 250).Draw(t, "wide"), rapid.IntRange(1, 14).Draw(t, "high")
		got := b.Lines(columns, lines, false)
		if len(got) > lines {
			t.Fatalf("%d lines of %d:\n%s", len(got), lines, strings.Join(got, "\n"))
		}
		for i, l := range b.Lines(columns, lines, true) {
			if Width(l) > columns {
				t.Fatalf("%d columns of %d: %q", Width(l), columns, l)
			}
			if sgr.ReplaceAllString(l, "") != got[i] {
				t.Fatalf("colours change %q to %q", got[i], l)
			}
		}
	})
}

// A lone combining mark takes up no column, and keeps no blanks before it.
func TestABoardFitsRoundACombiningMark(t *testing.T) {
	b := Board{Share: 1, Rows: []BoardRow{{}, {With: "\u0300", Cells: []Cell{{Of: 1}}}}}
	for range 5 {
		b.Columns = append(b.Columns, BoardColumn{})
	}
	for _, l := range b.Lines(10, 9, true) {
		if Width(l) > 10 {
			t.Errorf("%d columns: %q", Width(l), l)
		}
	}
}
