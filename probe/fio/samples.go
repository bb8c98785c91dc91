package fio

import (
	"cmp"
	"slices"

	"assay"
)

// window is what happened between two documents.
type window struct {
	end, length float64 // s since the job began; s
	ios, bytes  float64
}

// windows returns the differences between a run's documents, whose counters are
// cumulative. If they restart (after a ramp time), so do the windows. The last
// document may follow a status at any interval: a window shorter than half the
// usual one is left out.
func windows(documents []document, index int, dir string) []window {
	if len(documents) < 2 {
		return nil
	}
	var all []window
	var before counters
	for _, d := range documents {
		now, ok := countersOf(d, documents[len(documents)-1], index, dir)
		if !ok {
			continue
		}
		if now.seconds < before.seconds || now.ios < before.ios || now.bytes < before.bytes {
			all, before = nil, now
			continue
		}
		if now.seconds > before.seconds {
			all = append(all, window{
				end: now.seconds, length: now.seconds - before.seconds,
				ios: now.ios - before.ios, bytes: now.bytes - before.bytes,
			})
			before = now
		}
	}
	if len(all) == 0 {
		return nil
	}
	lengths := make([]float64, 0, len(all))
	for _, w := range all {
		lengths = append(lengths, w.length)
	}
	slices.Sort(lengths)
	usual := lengths[len(lengths)/2]
	return slices.DeleteFunc(all, func(w window) bool { return w.length < usual/2 })
}

// counters is a job's progress so far.
type counters struct{ seconds, ios, bytes float64 }

// countersOf reads one job of one document; ok is false if the document lists other
// jobs than the last one, or the counters make no sense.
//
// For a status, fio records the time and the bytes, waits for every job, and only then
// reads the operations, while the jobs continue: on a busy machine fractions of a
// second late. So operations that all have the same size are derived from their bytes.
func countersOf(d, last document, index int, dir string) (c counters, ok bool) {
	if len(d.jobs) != len(last.jobs) {
		return c, false
	}
	j, wanted := d.jobs[index], last.jobs[index]
	x := j.direction(dir)
	if j.name != wanted.name || j.host != wanted.host || x == nil || !x.ios.set || !x.runtime.set || x.ios.v < 0 || x.runtime.v < 0 {
		return c, false
	}
	bytes, err := x.bytes()
	c = counters{seconds: x.runtime.v / 1e3, ios: x.ios.v, bytes: bytes}
	if block, known := oneSize(last, wanted, dir); known && !d.text { // a report's bytes are rounded
		c.ios = bytes / block
	}
	return c, err == nil
}

// oneSize returns the size of every operation of a job in one direction, if one was
// set.
func oneSize(d document, j *job, dir string) (bytes float64, known bool) {
	told := options{"bs": cmp.Or(j.options["bs"], d.global["bs"]), "kb_base": cmp.Or(j.options["kb_base"], d.global["kb_base"])}
	n, known := fioSize(blockLabel(told, dir, 0, 0, true), "")
	return float64(n), known
}

// samples turns windows into rates.
func samples(all []window, amount func(window) float64) []assay.Sample {
	var out []assay.Sample
	for _, w := range all {
		out = append(out, assay.Sample{At: w.end, Value: amount(w) / w.length})
	}
	return out
}
