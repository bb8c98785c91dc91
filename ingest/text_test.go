package ingest

import (
	"slices"
	"strings"
	"testing"
)

// Text is kept as a terminal would show it. Long lines are cut between letters.
func TestTextIsKept(t *testing.T) {
	var kept Text
	kept.add([]byte("10 %\r\x1b[1m100 %\x1b[0m"))
	kept.add([]byte("a" + strings.Repeat("é", mostKeptLine)))
	if want := []string{"100 %", "a" + strings.Repeat("é", mostKeptLine/2-1) + "…"}; !slices.Equal(kept.Lines, want) {
		t.Errorf("%q, want %q", kept.Lines, want)
	}
	kept.size = mostKept + 1
	kept.add([]byte("more"))
	if len(kept.Lines) != 2 || kept.More != 1 {
		t.Errorf("%d lines kept, %d more", len(kept.Lines), kept.More)
	}
}
