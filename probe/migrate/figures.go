package migrate

import (
	"fmt"
	"maps"
	"strconv"

	"assay"
)

// figures returns the figures in a log, and an error if its migration did not
// succeed.
func (r *record) figures() ([]assay.Measurement, error) {
	if r.nonsense != nil {
		return nil, r.nonsense
	}
	if r.disks.bad {
		return nil, fmt.Errorf("migrate's line %d: impossible disk size", r.last)
	}
	if r.error != "" && !r.finished {
		return nil, fmt.Errorf("migrate's line %d: the migration%s failed: %s", r.errorLine, r.of(), r.error)
	}
	labels := r.labels()
	var found []assay.Measurement
	add := func(metric string, f figure, unit assay.Unit) {
		if f.line > 0 && f.value > 0 {
			found = append(found, assay.Measurement{Metric: metric, Value: f.value, Unit: unit, Labels: maps.Clone(labels), Line: f.line})
		}
	}
	add("migration.throughput", r.throughput, assay.BytesPerSecond)
	if len(found) > 0 {
		found[0].Samples = r.progress
	}
	add("migration.transferred", r.transferred, assay.Bytes)
	add("migration.duration", r.duration, assay.Seconds)
	add("migration.downtime", r.downtime, assay.Seconds)
	if sent, took, ok := r.disks.figures(r.finished); ok {
		add("migration.disk.transferred", sent, assay.Bytes)
		add("migration.disk.duration", took, assay.Seconds)
	}
	if len(found) == 0 {
		if r.finished {
			return nil, fmt.Errorf("migrate's line %d: the migration%s took less than a second", r.duration.line, r.of())
		}
		return nil, fmt.Errorf("migrate's line %d: the log ends before the migration%s was complete", r.last, r.of())
	}
	add("migration.memory", r.memory, assay.Bytes)
	add("migration.transfer_time", r.transferTime(), assay.Seconds)
	add("migration.downtime.limit", r.limit, assay.Seconds)
	if r.guest != "" && !r.finished {
		return found, fmt.Errorf("migrate's line %d: the log ends before the migration%s finished: only the figures up to that point are used", r.last, r.of())
	}
	return found, nil
}

// transferTime returns the whole seconds between two lines, which may be off by
// one.
func (r *record) transferTime() figure {
	if r.sending.IsZero() || r.sent.IsZero() {
		return figure{}
	}
	return figure{r.sent.Sub(r.sending).Seconds(), r.sentLine}
}

// of names the guest, if the log does.
func (r *record) of() string {
	if r.guest == "" {
		return ""
	}
	return " of " + r.kind + " " + r.guest
}

func (r *record) labels() map[string]string {
	labels := map[string]string{"tool": "migrate"}
	put := func(key, value string) {
		if value != "" {
			labels[key] = value
		}
	}
	if r.guest != "" {
		put("job", r.kind+" "+r.guest)
	}
	put("guest", r.guest)
	put("to", r.to)
	put("address", r.address)
	put("transport", r.transport)
	put("disks", r.disks.names())
	switch {
	case r.online || r.throughput.line > 0 || len(r.disks.order) > 0:
		put("mode", "online")
	case r.restart:
		put("mode", "restart")
	case r.guest != "" && r.finished:
		put("mode", "offline")
	}
	if r.clock.back > 0 {
		put("clock", "backwards")
		put("clock_step", "-"+strconv.FormatFloat(r.clock.back.Seconds(), 'f', -1, 64)) // s
	}
	return labels
}
