package loadgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"assay"
)

// Bounds of a histogram: from a microsecond to an hour, with three significant
// digits, so that percentiles are off by a thousandth at most.
const (
	least  = int64(time.Microsecond)
	most   = int64(time.Hour)
	digits = 3
)

// Histogram is an HdrHistogram of durations. Its JSON has the usual figures in
// seconds and, under "hdr", the whole histogram in HdrHistogram's compressed
// format (V2, nanoseconds), from which it can be merged.
type Histogram struct{ h *hdrhistogram.Histogram }

// NewHistogram returns an empty histogram.
func NewHistogram() *Histogram { return &Histogram{hdrhistogram.New(least, most, digits)} }

// Record counts one duration; one out of bounds counts as the bound.
func (h *Histogram) Record(d time.Duration) {
	_ = h.h.RecordValue(min(max(int64(d), least), most)) // it fails only out of bounds
}

// Count returns the number of durations recorded.
func (h *Histogram) Count() int64 { return h.h.TotalCount() }

// At returns the given percentile; 0 if nothing was recorded.
func (h *Histogram) At(percent float64) time.Duration {
	return time.Duration(h.h.ValueAtPercentile(percent))
}

// Mean returns the mean.
func (h *Histogram) Mean() time.Duration { return time.Duration(h.h.Mean()) }

// Min returns the shortest duration; 0 if nothing was recorded.
func (h *Histogram) Min() time.Duration { return time.Duration(h.h.Min()) }

// Max returns the longest duration.
func (h *Histogram) Max() time.Duration { return time.Duration(h.h.Max()) }

// Merge adds the durations that other recorded.
func (h *Histogram) Merge(other *Histogram) {
	if other != nil {
		h.h.Merge(other.h)
	}
}

// histogramJSON is the JSON form of a histogram. Durations are in seconds.
type histogramJSON struct {
	Count int64   `json:"count"`
	Min   float64 `json:"min"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p99.9"`
	Max   float64 `json:"max"`
	HDR   string  `json:"hdr"`
}

// MarshalJSON writes the histogram with its figures.
func (h *Histogram) MarshalJSON() ([]byte, error) {
	packed, err := h.h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return nil, err
	}
	return json.Marshal(histogramJSON{
		Count: h.Count(), Min: h.Min().Seconds(), Mean: h.Mean().Seconds(),
		P50: h.At(50).Seconds(), P90: h.At(90).Seconds(), P99: h.At(99).Seconds(), P999: h.At(99.9).Seconds(),
		Max: h.Max().Seconds(), HDR: string(packed),
	})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (h *Histogram) UnmarshalJSON(b []byte) error {
	var j histogramJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	if len(j.HDR) == 0 {
		return errors.New("a histogram without counts")
	}
	read, err := decode(j.HDR)
	if err != nil {
		return fmt.Errorf("a histogram: %w", err)
	}
	if read.TotalCount() != j.Count {
		return fmt.Errorf("a histogram with %d counts that claims %d", read.TotalCount(), j.Count)
	}
	h.h = read
	return nil
}

// decode decodes HdrHistogram's format. Some versions of its reader panic on
// truncated input.
func decode(text string) (h *hdrhistogram.Histogram, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cannot parse it: %v", p)
		}
	}()
	return hdrhistogram.Decode([]byte(text))
}

// Deviation returns the standard deviation.
func (h *Histogram) Deviation() time.Duration { return time.Duration(h.h.StdDev()) }

// binsADoubling is the number of bins between a duration and its double: each is
// 1.6 % wide at most.
const binsADoubling = 64

// Bins returns the histogram in bins whose edges all histograms share, so that
// they can be added up.
func (h *Histogram) Bins() []assay.Bin {
	var bins []assay.Bin
	for _, bar := range h.h.Distribution() {
		if bar.Count == 0 {
			continue
		}
		upper := edge(bar.To).Seconds()
		if n := len(bins); n > 0 && bins[n-1].Upper >= upper {
			bins[n-1].Count += bar.Count
			continue
		}
		bins = append(bins, assay.Bin{Upper: upper, Count: bar.Count})
	}
	return bins
}

// edge returns the upper end of the bin that a duration falls into.
func edge(ns int64) time.Duration {
	width := int64(1)
	for width <= ns/(2*binsADoubling) {
		width *= 2
	}
	return time.Duration((ns/width + 1) * width)
}
