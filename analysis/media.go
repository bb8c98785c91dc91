package analysis

import (
	"slices"
	"strings"
	"time"

	"assay"
)

// mediaErrors returns what the measured drives of each host count in media errors, by
// their last readings. A host is left out if that is unknown.
func (b *builder) mediaErrors() map[string]float64 {
	out := map[string]float64{}
	for host, drives := range b.readings("smart.media_errors") {
		if sum := errorsOf(b.measuredDrives(host), drives); sum >= 0 {
			out[host] = sum
		}
	}
	return out
}

// errorsOf sums up what some drives count; negative if they are unknown, or if some were
// not read and the others count none.
func errorsOf(drives map[string]bool, read map[string]float64) float64 {
	sum, unread := 0., false
	for id := range drives {
		v, is := read[id]
		sum, unread = sum+v, unread || !is
	}
	if sum > 0 || len(drives) > 0 && !unread {
		return sum
	}
	return -1
}

// readings returns the last value of a metric for each drive, by host and subject.
func (b *builder) readings(metric string) map[string]map[string]float64 {
	out, last := map[string]map[string]float64{}, map[string]time.Time{}
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		if s.Kind != assay.KindDrive || s.Tier != "" {
			continue
		}
		id := driveID(s.Host, s.Name)
		for _, rep := range r.Counted() {
			m := rep.Measurement(metric)
			if m == nil || rep.Started.Before(last[id]) {
				continue
			}
			if out[s.Host] == nil {
				out[s.Host] = map[string]float64{}
			}
			out[s.Host][id], last[id] = m.Value, rep.Started
		}
	}
	return out
}

// measuredDrives returns the drives of a host that its storage tests used, as ids of
// subjects: those under its directories and devices, and those that were read
// themselves.
func (b *builder) measuredDrives(host string) map[string]bool {
	all := map[string]bool{}
	for _, name := range b.drivesOf(host) {
		all[driveID(host, name)] = true
	}
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		if s.Host != host || s.Tier != "" {
			continue
		}
		for _, id := range s.On {
			if strings.HasPrefix(id, driveID(host, "")) {
				all[id] = true
			}
		}
		isStorage := func(metric string) bool { return strings.HasPrefix(metric, "storage.") }
		if s.Kind == assay.KindDrive && slices.ContainsFunc(r.Headlines(), isStorage) {
			all[driveID(host, s.Name)] = true
		}
	}
	return all
}

// driveID returns the id of a drive as a subject.
func driveID(host, name string) string {
	return host + "/" + string(assay.KindDrive) + "/" + strings.TrimPrefix(name, "/dev/")
}
