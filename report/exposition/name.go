package exposition

import (
	"math"
	"strconv"
	"strings"

	"assay"
)

// suffix is the ending that Prometheus' conventions give a metric in that unit: in
// full, in base units.
var suffix = map[assay.Unit]string{
	assay.Seconds: "seconds", assay.Bytes: "bytes", assay.BytesPerSecond: "bytes_per_second",
	assay.BitsPerSecond: "bits_per_second", assay.Celsius: "celsius", assay.Hertz: "hertz",
}

// ratios lists the metrics that are a share of something. Other unitless metrics are
// counts.
var ratios = []string{"share", "loss", "duplicates", "spare", "percentage_used", "cpu", "scaling"}

// plain renames metrics whose names say a unit that their values do not have.
var plain = map[string]string{
	"smart.power_on_hours":   "smart.power_on",
	"smart.throttle_minutes": "smart.throttled",
	"smart.percentage_used":  "smart.endurance_used",
}

// Name is a metric as Prometheus knows it.
type Name struct {
	Metric string // assay_storage_read_latency_seconds
	Unit   string // that Metric ends with, in OpenMetrics' words; "" for none
	Help   string
	// Quantile is the label quantile of a percentile: "0.99"; "" for all other
	// metrics.
	Quantile string
}

// NameOf returns the Prometheus name of a metric of the vocabulary. Percentiles of one
// latency are one metric with the label quantile.
func NameOf(metric string) (Name, bool) {
	m, known := assay.Describe(metric)
	if !known {
		return Name{}, false
	}
	name := metric
	if p := plain[metric]; p != "" {
		name = p
	}
	n := Name{Unit: suffix[m.Unit], Help: m.Help}
	if p, is := assay.Percentile(metric); is {
		stem, _, _ := strings.Cut(metric, "latency.p")
		name, n.Help, n.Quantile = stem+"latency", "completion latency by quantile", strconv.FormatFloat(math.Round(p*1e10)/1e12, 'f', -1, 64)
	}
	words := strings.Split("assay."+name, ".")
	if m.Unit == assay.One && isRatio(metric) {
		n.Unit = "ratio"
	}
	if n.Unit != "" && words[len(words)-1] != n.Unit {
		words = append(words, n.Unit)
	}
	n.Metric = strings.Join(words, "_")
	return n, true
}

func isRatio(metric string) bool {
	for _, word := range ratios {
		if metric == word || strings.HasSuffix(metric, "."+word) || strings.HasSuffix(metric, "_"+word) {
			return true
		}
	}
	return false
}
