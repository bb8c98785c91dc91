package iperf3

// sum is the id of the row for all streams together.
const sum = "SUM"

// gather makes one flow of the rows of that many streams.
func (f *flow) gather(intervals, summaries []row, streams int, tcp bool) {
	for _, group := range groups(intervals, streams) {
		f.intervals = append(f.intervals, group.interval)
	}
	for _, side := range []string{"sender", "receiver", ""} {
		var rows []row
		for _, r := range summaries {
			if r.side == side {
				rows = append(rows, r)
			}
		}
		all := groups(rows, streams)
		if len(all) == 0 {
			continue
		}
		last := all[len(all)-1].summary()
		f.slowest, f.fastest = apart(rows, streams)
		switch {
		case side == "receiver":
			f.got = last
		case side == "sender" || f.sent.line == 0:
			f.sent = last
		}
	}
	if tcp {
		f.window(intervals)
	}
}

// apart returns the rates of the slowest and fastest of that many streams; 0 if any of
// them is missing.
func apart(rows []row, streams int) (slowest, fastest float64) {
	last := map[string]float64{}
	for _, r := range rows {
		if r.id != sum {
			last[r.id] = r.rate
		}
	}
	if len(last) != streams || streams < 2 {
		return 0, 0
	}
	for _, rate := range last {
		if slowest == 0 || rate < slowest {
			slowest = rate
		}
		fastest = max(fastest, rate)
	}
	return slowest, fastest
}

// groups returns one row for all streams of each part of the test: the tool's own
// sum if there is one, else the streams' sum if all of them are present.
func groups(rows []row, streams int) []row {
	var sums, added []row
	var open row
	seen := map[string]bool{}
	for _, r := range rows {
		if r.id == sum {
			sums = append(sums, r)
			continue
		}
		if seen[r.id] {
			clear(seen)
		}
		if len(seen) == 0 {
			open = r
		} else {
			open.add(r)
		}
		seen[r.id] = true
		if len(seen) == streams {
			added = append(added, open)
			clear(seen)
		}
	}
	if len(sums) > 0 {
		return sums
	}
	return added
}

// add adds a stream that ran alongside r.
func (r *row) add(other row) {
	r.line = other.line
	r.bytes += other.bytes
	r.rate += other.rate
	r.end = max(r.end, other.end)
	r.resent = plus(r.resent, other.resent)
	r.lost, r.total = plus(r.lost, other.lost), plus(r.total, other.total)
	if other.jitter.value > r.jitter.value {
		r.jitter = other.jitter
	}
}

// plus adds figures; if either was not printed, the sum is unknown.
func plus(a, b figure) figure {
	if a.line == 0 || b.line == 0 {
		return figure{}
	}
	return figure{a.value + b.value, b.line}
}

// window averages the last congestion windows of the streams.
func (f *flow) window(rows []row) {
	last := map[string]figure{}
	for _, r := range rows {
		if r.cwnd.line != 0 {
			last[r.id] = r.cwnd
		}
	}
	for _, w := range last {
		f.cwnd.value += w.value / float64(len(last))
		f.cwnd.line = max(f.cwnd.line, w.line)
	}
}
