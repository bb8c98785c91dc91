package html

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"assay/report/block"
)

// Bars that begin where others end stay within the picture: the figures come after it.
func TestBarsOfAWaterfallStayInThePicture(t *testing.T) {
	var bars block.Bars
	for i, one := range []struct{ from, share block.Number }{{0, .41}, {.41, .59}, {.3, .7}} {
		bars.Bars = append(bars.Bars, block.Bar{Title: fmt.Sprint(i), From: one.from, Share: one.share})
	}
	ends := []float64{41, 100, 100}
	for i, b := range (&painter{}).bars(bars).Groups[0].Bars {
		if end := percentage(t, b.Start) + percentage(t, b.Width); end > 100.01 || end < ends[i]-.5 {
			t.Errorf("%s begins at %s and is %s wide, want its end at %g %%", b.Title, b.Start, b.Width, ends[i])
		}
	}
}

func percentage(t *testing.T, text string) float64 {
	t.Helper()
	if text == "" {
		return 0
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
