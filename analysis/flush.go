package analysis

import (
	"assay"
	"assay/stats"
)

// flushSaved returns what a change saves in a synchronous write, and what that is called. A
// drive with power-loss protection answers a flush at once, but must still write what came
// before it, such as a ZFS log record: for such a drive, the flush time that the kernel saw
// counts, if it saw any. sync=off saves the whole difference from the same write without a
// flush. Replicated storage also waits for flushes on other hosts, which this kernel does not
// see: of its flush, the drives get the same share as in the storage below.
func (b *builder) flushSaved(c Change, r assay.Result, whole float64) (saved float64, word string, known bool) {
	saved, known = b.flushOf(r.Trial.Subject, whole)
	if c.What != ChangeDrive {
		return saved, "the flush", known
	}
	if b.replicated(r.Trial.Subject) {
		return saved * b.drivesShare(r.Trial.Subject), "the flush", known
	}
	if own, counted := b.driveFlush(r); counted && (!known || own < saved) {
		return own, "the flush of the drive", own < whole
	}
	return saved, "the flush", known
}

// drivesShare returns the drives' share of a flush of the storage below; all of it, if not
// measured.
func (b *builder) drivesShare(of assay.Subject) float64 {
	local := b.localTo(of.Host, b.layerNodes(), "")
	if local == nil || !local.measured(LayerDurable) {
		return 1
	}
	r := local.loads[LayerDurable]
	flush, known := b.flushOf(local.subject, 1/middle(r, local.stems[LayerDurable]+"iops"))
	own, counted := b.driveFlush(r)
	if !known || !counted || own >= flush {
		return 1
	}
	return own / flush
}

// needsNoFlush reports whether each drive under a storage has power-loss protection or no
// volatile cache. Of replicated storage, the other hosts' drives are unknown.
func (b *builder) needsNoFlush(s assay.Subject) bool {
	f, drives := b.run.Inventory.Facts[s.Host], 0
	for _, name := range devicesUnder(f, s) {
		d := f.Device(name)
		if d == nil || d.Kind != "disk" {
			continue
		}
		if drives++; (d.PLP == nil || !*d.PLP) && d.WriteCache != "write through" {
			return false
		}
	}
	return drives > 0 && !b.replicated(s)
}

// flushOf returns how much of a synchronous write is its flush, compared with the same
// write without one.
func (b *builder) flushOf(s assay.Subject, whole float64) (flush float64, known bool) {
	for _, r := range b.run.Results {
		load, _, is := layerLoadOf(r)
		if v := middle(r, "storage.write.iops"); is && load == LayerWrite && r.Trial.Subject.ID == s.ID && v > 0 && (b.cachedWrite(r) || !b.rejectedAny(r, "storage.write.iops")) {
			return max(whole-1/v, 0), true
		}
	}
	return 0, false
}

// flushEach is the minimum number of drive flushes per synchronous write at which every write
// counts as flushed. A drive asked to write through (FUA) has none.
const flushEach = .9

// driveFlush returns the flush time per write of the slowest drive under a storage, as the
// median over a result's repeats. Flushes by other programs count too.
func (b *builder) driveFlush(r assay.Result) (s float64, counted bool) {
	var all []float64
	under := devicesUnder(b.run.Inventory.Facts[r.Trial.Subject.Host], r.Trial.Subject)
	size := requestSize(r, "storage.write.iops")
	for _, rep := range r.Counted() {
		bytes := rep.Measurement("storage.write.bytes")
		if bytes == nil || size <= 0 {
			continue
		}
		writes, slowest := bytes.Value/float64(size), 0.
		for _, name := range under {
			if d, ok := rep.Watch.Device(name); ok && float64(d.Flushes) >= flushEach*writes {
				slowest = max(slowest, d.FlushTime/writes)
			}
		}
		if slowest > 0 {
			all = append(all, slowest)
		}
	}
	return stats.Median(all), len(all) > 0
}
