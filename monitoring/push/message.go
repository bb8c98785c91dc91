package push

import (
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"assay/report/exposition"
)

// message is a prometheus.WriteRequest. It encodes itself: Prometheus' own types for it
// pull in most of Prometheus.
type message []byte

// Size and MarshalToSizedBuffer are what the client needs of a message.
func (m message) Size() int { return len(m) }

func (m message) MarshalToSizedBuffer(to []byte) (int, error) {
	if len(to) != len(m) {
		return 0, errors.New("the buffer has another size than the message")
	}
	return copy(to, m), nil
}

// The field numbers of prometheus.WriteRequest, TimeSeries, Label and Sample.
const (
	requestSeries = 1
	seriesLabel   = 1
	seriesSample  = 2
	labelName     = 1
	labelValue    = 2
	sampleValue   = 1
	sampleTime    = 2
)

// messageOf returns a message with these values at a time. more are labels added to
// all.
func messageOf(samples []exposition.Sample, more map[string]string, at time.Time) message {
	var m, series, part []byte
	for _, s := range samples {
		labels := maps.Clone(more)
		maps.Copy(labels, s.Labels)
		labels["__name__"] = s.Metric
		series = series[:0]
		for _, name := range slices.Sorted(maps.Keys(labels)) { // the protocol wants them sorted
			part = text(text(part[:0], labelName, name), labelValue, labels[name])
			series = protowire.AppendBytes(protowire.AppendTag(series, seriesLabel, protowire.BytesType), part)
		}
		part = protowire.AppendFixed64(protowire.AppendTag(part[:0], sampleValue, protowire.Fixed64Type), math.Float64bits(s.Value))
		part = protowire.AppendVarint(protowire.AppendTag(part, sampleTime, protowire.VarintType), uint64(at.UnixMilli()))
		series = protowire.AppendBytes(protowire.AppendTag(series, seriesSample, protowire.BytesType), part)
		m = protowire.AppendBytes(protowire.AppendTag(m, requestSeries, protowire.BytesType), series)
	}
	return m
}

func text(to []byte, field protowire.Number, value string) []byte {
	return protowire.AppendString(protowire.AppendTag(to, field, protowire.BytesType), value)
}
