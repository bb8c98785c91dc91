package fio

import (
	"slices"
	"strings"
)

// readDirection reads the first line of a direction:
//
//	write: IOPS=137, BW=552KiB/s (565kB/s)(32.3MiB/60005msec); 0 zone resets
//	read : io=3071.7MB, bw=74475KB/s, iops=18618, runt= 42234msec
//
// Version 3 prints the bandwidth in two forms; the one with more digits is
// used.
func (r *report) readDirection(dir, text string, number int) {
	var d direction
	text = withoutThousands(text)
	if value, _, whole, ok := field(text, "IOPS=", ","); ok {
		if whole {
			d.iops = count(value, number)
			if q, fine := readQuantity(value, countScale); fine && q.lostCarry() {
				d.iopsUnit = q.factor
			}
		}
		scale := byteScale(false, 1000)
		value, rest, whole, _ := field(text, "BW=", " (,;")
		best, ok := readQuantity(value, scale)
		ok = ok && best.unit != "" && (whole || strings.HasSuffix(value, "/s"))
		open := strings.IndexByte(rest, '(')
		if ok && open >= 0 {
			other, after, whole := strings.Cut(rest[open+1:], ")")
			if q, fine := readQuantity(other, scale); whole && fine {
				best, d.bwWrong = rateOf(best, q)
			}
			d.readAmount(after, scale, number)
		}
		if ok {
			d.bwBytes = best.number(number)
		}
	} else if value, _, whole, ok := field(text, "bw=", ","); ok {
		scale := byteScale(true, r.kilo)
		if q, fine := readQuantity(value, scale); fine && whole {
			d.bwBytes = q.number(number)
		}
		if value, _, whole, _ := field(text, "io=", ","); whole {
			if q, fine := readQuantity(value, scale); fine {
				d.ioBytes = q.number(number)
			}
		}
		if value, _, whole, _ := field(text, "iops=", ","); whole {
			d.iops = count(value, number)
		}
		if value, _, whole, _ := field(text, "runt=", "m"); whole {
			d.runtime, _ = plain(value, number)
		}
	}
	if !d.iops.set && !d.bwBytes.set {
		return
	}
	if r.job == nil || r.job.direction(dir) != nil {
		r.lost(number)
	}
	r.dir, r.rows, r.group = r.job.make(dir), nil, nil
	*r.dir = d
}

// readAmount reads how much was moved, and how long that took:
// (32.3MiB/60005msec).
func (d *direction) readAmount(text string, scale func(string) (float64, bool), number int) {
	amount, ok := strings.CutPrefix(text, "(")
	if !ok {
		return
	}
	bytes, after, ok := strings.Cut(amount, "/")
	if !ok {
		return
	}
	if q, fine := readQuantity(bytes, scale); fine {
		d.ioBytes = q.number(number)
	}
	if milliseconds, _, whole := strings.Cut(after, "msec)"); whole {
		d.runtime, _ = plain(milliseconds, number)
	}
}

// readLatency reads a latency line, the head of its percentiles, or the shares
// of operations by total latency:
//
//	clat (usec): min=603, max=16360, avg=1752.90, stdev=679.44
//	clat percentiles (usec):
//	lat (msec)   : 2=55.05%, 4=44.28%
func (r *report) readLatency(key, text string, number int) {
	rest := strings.TrimSpace(text[len(key):])
	head, isHead := strings.CutPrefix(rest, "percentiles (")
	if isHead || !strings.HasPrefix(rest, "(") {
		r.rows = nil
		unit, _, _ := strings.Cut(head, ")")
		scale, known := latencyUnit(unit)
		if isHead && known && r.dir != nil && key == "clat" {
			r.rows, r.scale = r.dir.make(key), scale
			r.rows.percentiles = slices.Grow(r.rows.percentiles, len(percentiles))
		}
		return
	}
	unit, values, ok := strings.Cut(rest[1:], ")")
	scale, known := latencyUnit(unit)
	values = strings.TrimLeft(values, " :")
	switch {
	case !ok || !known:
	case strings.HasPrefix(values, "min="):
		if r.dir != nil {
			r.dir.make(key).read(values, scale, number)
		}
	case key == "lat" && r.job != nil:
		shares := readShares(values, number)
		switch unit {
		case "nsec":
			r.job.nanoseconds = append(r.job.nanoseconds, shares...)
		case "usec":
			r.job.microseconds = append(r.job.microseconds, shares...)
		case "msec":
			r.job.milliseconds = append(r.job.milliseconds, shares...)
		}
	}
}

// readFlushes reads the latency of flushes, or the head of its percentiles, which
// version 3 prints after the directions of a job:
//
//	sync (usec): min=379, max=4126, avg=414.31, stdev=60.77
//	sync percentiles (usec):
func (r *report) readFlushes(text string, number int) {
	r.rows = nil
	_, behind, _ := strings.Cut(text, "(")
	unit, rest, ok := strings.Cut(behind, ")")
	scale, known := latencyUnit(unit)
	if !ok || !known || r.job == nil {
		return
	}
	if r.job.flush == nil {
		r.job.flush = &latency{key: "sync", unit: 1e-9}
	}
	if strings.HasPrefix(text, "sync percentiles") {
		r.rows, r.scale = r.job.flush, scale
		return
	}
	r.job.flush.read(strings.TrimLeft(rest, " :"), scale, number)
}

// make returns the latency of that name, creating it if needed.
func (d *direction) make(key string) *latency {
	l := &d.total
	switch key {
	case "slat":
		l = &d.submission
	case "clat":
		l = &d.completion
	}
	if *l == nil {
		*l = &latency{key: key, unit: 1e-9}
	}
	return *l
}

func (l *latency) read(values string, scale float64, number int) {
	for _, of := range []struct {
		key string
		n   *float64
		set *bool
		at  *int
	}{
		{"min=", &l.min.v, &l.min.set, &l.min.line},
		{"max=", &l.max.v, &l.max.set, &l.max.line},
		{"avg=", &l.mean.v, &l.mean.set, &l.mean.line},
		{"stdev=", &l.stdDev.v, &l.stdDev.set, &l.stdDev.line},
	} {
		value, _, whole, ok := field(values, of.key, ",")
		if !ok || !whole && !isWholeDecimal(value) {
			continue
		}
		if q, fine := readQuantity(value, countScale); fine {
			*of.n, *of.set, *of.at = q.v*scale, true, number
		}
	}
}

// isWholeDecimal reports whether the last figure of a line has both of its two
// decimals.
func isWholeDecimal(value string) bool {
	point := strings.IndexByte(value, '.')
	return point >= 0 && len(value)-point-1 >= 2
}

// readPercentiles reads a row of percentiles: | 99.00th=[   16], 99.50th=[
// 18],
func (r *report) readPercentiles(text string, number int) {
	if r.rows == nil {
		return
	}
	for {
		at := strings.Index(text, "th=[")
		if at < 0 {
			return
		}
		p, ok := plain(strings.TrimLeft(text[:at], "| ,"), number)
		value, rest, whole := strings.Cut(text[at+len("th=["):], "]")
		if !whole {
			return
		}
		if v, fine := plain(value, number); ok && fine && p.v > 0 && p.v <= 100 {
			v.v *= r.scale
			r.rows.percentiles = append(r.rows.percentiles, percentile{p.v, v})
		}
		text = rest
	}
}

// readShares reads shares in percent: 1=100.0%, 2=0.0%, >=64=0.0%
func readShares(text string, number int) []share {
	var all []share
	text = strings.TrimLeft(text, " :")
	if strings.Contains(text, "&") { // from a web page
		text = strings.NewReplacer("&amp;gt;", ">", "&gt;", ">").Replace(text)
	}
	for word := range strings.SplitSeq(text, ",") {
		at := strings.LastIndexByte(word, '=')
		value, whole := strings.CutSuffix(strings.TrimSpace(word), "%")
		if at < 0 || !whole {
			continue
		}
		level := strings.TrimSpace(word[:at])
		if n, ok := plain(value[strings.LastIndexByte(value, '=')+1:], number); ok && n.v != 0 {
			all = append(all, share{level, n})
		}
	}
	return all
}

// readSamples reads the spread of fio's own rate samples:
//
//	bw (  KiB/s): min=  192, max=  656, per=99.83%, avg=551.92, stdev=95.14, samples=119
//	iops        : min=   48, max=  164, avg=137.97, stdev=23.78, samples=119
func (r *report) readSamples(key, text string, number int) {
	value, _, whole, ok := field(text, "stdev=", ",")
	if !ok || r.dir == nil || !whole && !isWholeDecimal(value) {
		return
	}
	deviation, okDeviation := plain(value, number)
	samples, _, _, _ := field(text, "samples=", ",")
	n, _ := plain(samples, number)
	if !okDeviation {
		return
	}
	mean := sampleMean(text, number)
	if key == "iops" {
		r.dir.iopsStdDev, r.dir.iopsSamples, r.dir.iopsMean = deviation, n, mean
		return
	}
	unit, _, _, ok := field(text, "(", ")")
	unit = strings.ReplaceAll(unit, " ", "")
	scale, known := byteScale(strings.HasPrefix(unit, "KB") || strings.HasPrefix(unit, "MB"), r.kilo)(unit)
	if ok && known {
		deviation.v *= scale / 1024
		mean.v *= scale / 1024
		r.dir.bwStdDev, r.dir.bwSamples, r.dir.bwMean = deviation, n, mean
	}
}

// sampleMean returns the mean of fio's own samples on a line.
func sampleMean(text string, line int) (mean number) {
	value, _, whole, ok := field(text, "avg=", ",")
	if ok && (whole || isWholeDecimal(value)) {
		mean, _ = plain(value, line)
	}
	return mean
}

// readIssued reads the number of operations in each direction:
//
//	issued rwts: total=0,8280,0,0 short=0,0,0,0 dropped=0,0,0,0
//	issued    : total=r=786347/w=262229/d=0, short=r=0/w=0/d=0
//	issued r/w: total=256/0, short=0/0
func (r *report) readIssued(text string, number int) {
	list, _, whole, ok := field(text, "total=", " ")
	if !ok || !whole || r.job == nil {
		return
	}
	separator := ","
	if strings.Contains(list, "/") {
		separator = "/"
	}
	for i, word := range strings.Split(strings.TrimRight(list, ","), separator) {
		if i >= len(directionNames) {
			return
		}
		if d := r.job.direction(directionNames[i]); d != nil {
			d.ios, _ = plain(word[strings.IndexByte(word, '=')+1:], number)
		}
	}
	if m := r.job.mixed; m != nil && !r.job.read.moved() && separator == "," {
		first, _, _ := strings.Cut(list, ",")
		m.ios, _ = plain(first, number)
	}
}

// readGroupDirection reads a group's total in one direction:
//
//	WRITE: bw=552KiB/s (565kB/s), 552KiB/s-552KiB/s (565kB/s-565kB/s), io=32.3MiB (33.9MB), run=60005-60005msec
//	READ: io=3071.7MB, aggrb=74475KB/s, minb=74475KB/s, maxb=74475KB/s, mint=42234msec, maxt=42234msec
func (r *report) readGroupDirection(dir, text string, number int) {
	rate, old := "bw=", false
	if strings.Contains(text, "aggrb=") {
		rate, old = "aggrb=", true
	}
	value, _, whole, ok := field(text, rate, ", (")
	scale := byteScale(old, r.kilo)
	bandwidth, fine := readQuantity(value, scale)
	if !ok || !whole || !fine {
		return
	}
	if r.group == nil {
		if r.job != nil {
			return
		}
		r.readGroup("Run status group 0", number)
	}
	d := direction{}
	if _, rest, _, _ := field(text, rate, ", ("); strings.HasPrefix(strings.TrimSpace(rest), "(") && !old {
		other, _, whole := strings.Cut(strings.TrimSpace(rest)[1:], ")")
		if q, fine := readQuantity(other, scale); whole && fine {
			bandwidth, d.bwWrong = rateOf(bandwidth, q)
		}
	}
	d.bwBytes = bandwidth.number(number)
	r.readRange(dir, text, old, scale)
	if value, _, whole, _ := field(text, "io=", ", ("); whole {
		if q, fine := readQuantity(value, scale); fine {
			d.ioBytes = q.number(number)
		}
	}
	last, key := "", "run="
	if old {
		key = "maxt="
	}
	if value, _, whole, _ := field(text, key, "m"); whole {
		last = value[strings.LastIndexByte(value, '-')+1:]
	}
	d.runtime, _ = plain(last, number)
	*r.group.make(dir) = d
}

// readRange reads the bandwidths of a group's slowest and fastest job, the second
// quantity of its line: bw=552KiB/s (565kB/s), 31.1MiB/s-42MiB/s (…)
func (r *report) readRange(dir, text string, old bool, scale func(string) (float64, bool)) {
	var least, most string
	if old {
		least, _, _, _ = field(text, "minb=", ", ")
		most, _, _, _ = field(text, "maxb=", ", ")
	} else {
		_, rest, _, _ := field(text, "bw=", ",")
		words := strings.Fields(strings.TrimLeft(rest, ", "))
		if len(words) == 0 {
			return
		}
		least, most, _ = strings.Cut(strings.TrimRight(words[0], ","), "-")
	}
	a, okA := readQuantity(least, scale)
	b, okB := readQuantity(most, scale)
	if !okA || !okB || a.unit == "" || b.unit == "" {
		return
	}
	if r.d.shares == nil {
		r.d.shares = map[string][2]float64{}
	}
	r.d.shares[groupKey(r.group.host, r.group.group)+dir] = [2]float64{a.v, b.v}
}

// busy adds up a job's CPU usage, in percent:
//
//	cpu          : usr=8.44%, sys=69.65%, ctx=1935732, majf=0, minf=9
func busy(text string, line int) (sum number) {
	for _, key := range []string{"usr=", "sys="} {
		value, _, whole, ok := field(text, key, "%")
		n, fine := plain(value, line)
		if !ok || !whole || !fine {
			return number{}
		}
		sum = number{v: sum.v + n.v, set: true, line: line}
	}
	return sum
}

// readDisk reads the kernel's counters for one device:
//
//	dm-1: ios=3/50255, sectors=24/430144, merge=0/0, ticks=0/94740, in_queue=94740, util=97.46%, aggrios=3/33377
func readDisk(text string, at int) (d disk, ok bool) {
	name, _, _ := strings.Cut(text, ": ios=")
	d = disk{name: name, line: at, stacked: strings.Contains(text, ", aggrios=")}
	for _, of := range []struct {
		key string
		n   *[2]number
	}{{": ios=", &d.ios}, {", merge=", &d.merges}, {", sectors=", &d.sectors}} {
		value, _, whole, found := field(text, of.key, ",")
		reads, writes, two := strings.Cut(value, "/")
		if !found || !whole || !two {
			continue
		}
		of.n[0], _ = plain(reads, at)
		of.n[1], _ = plain(writes, at)
		ok = true
	}
	return d, ok && !strings.ContainsAny(d.name, " \t")
}
