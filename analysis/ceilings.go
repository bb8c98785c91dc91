package analysis

import (
	"slices"
	"strings"

	"assay"
	"assay/limits"
)

// ceilingOf returns what physics allows for a figure, or nil where it is not
// known: the links of the drives under a directory, the memory modules.
func ceilingOf(f Figure, r assay.Result, inv assay.Inventory) *Ceiling {
	if len(r.Trial.Others) > 0 {
		return nil // one host's bus limit says nothing about several hosts
	}
	facts := inv.Facts[r.Trial.Subject.Host]
	var limit limits.Limit
	switch {
	case crossesBus(f.Metric) && !fromPageCache(r):
		limit = limits.Drives(drivesUnder(facts, r.Trial.Subject.Name))
	case f.Metric == "migration.throughput":
		limit = migrationLine(r.Trial.Subject, inv)
	case strings.HasPrefix(f.Metric, "memory.") && r.Trial.Settings["level"] != "cache":
		limit = limits.Memory(facts.Memory)
	}
	return f.under(limit)
}

// crossesBus reports whether a metric counts data on a drive's bus: a trim moves none.
func crossesBus(metric string) bool {
	return strings.HasPrefix(metric, "storage.") && strings.HasSuffix(metric, ".bandwidth") && metric != "storage.trim.bandwidth"
}

// under returns a limit as the ceiling of a figure, or nil if the limit is not
// known.
func (f Figure) under(limit limits.Limit) *Ceiling {
	if !limit.Known() {
		return nil
	}
	return &Ceiling{Name: limit.Name, Value: limit.Value, Share: f.Value / limit.Value}
}

// drivesUnder returns the drives under a directory or block device, or none if any
// of them is not known.
func drivesUnder(f assay.Facts, path string) []assay.BlockDevice {
	var names []string
	if d := f.Dir(path); d != nil {
		names = d.Drives
	} else if d := f.DeviceAt(path); d != nil {
		names = []string{d.Name}
	}
	var found []assay.BlockDevice
	for len(names) > 0 {
		d := f.Device(names[0])
		switch names = names[1:]; {
		case d == nil || len(found)+len(names) > len(f.Block):
			return nil
		case d.Link == nil && len(d.On) > 0:
			names = append(slices.Clone(d.On), names...)
		default:
			found = append(found, *d)
		}
	}
	return found
}

// fromPageCache reports whether the trial measured the page cache on purpose.
func fromPageCache(r assay.Result) bool {
	for _, rep := range r.Counted() {
		for _, m := range rep.Measurements {
			if m.Labels["cache"] == "warm" {
				return true
			}
		}
	}
	return false
}
