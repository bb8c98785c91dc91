package exposition

import (
	"math"
	"strconv"
	"strings"

	"assay"
)

// suffix is how Prometheus' conventions end the name of a metric in that unit: in full,
// in base units.
var suffix = map[assay.Unit]string{
	assay.Seconds: "seconds", assay.Bytes: "bytes", assay.BytesPerSecond: "bytes_per_second",
	assay.BitsPerSecond: "bits_per_second", assay.Celsius: "celsius", assay.Hertz: "hertz",
}

// ratios are the metrics that are a share of something. Others of no unit are counts.
var ratios = []string{"share", "loss", "duplicates", "spare", "percentage_used", "cpu", "scaling"}

// plain are names that say a unit that the value does not have.
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
	// Quantile is the value of the label quantile of a percentile: "0.99"; "" for all
	// other metrics.
	Quantile string
}

// NameOf returns what a metric of the vocabulary is called in Prometheus. Percentiles of
// one latency are one metric with the label quantile.
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
