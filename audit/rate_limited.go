package audit

import (
	"fmt"
	"math"
	"strings"

	"assay"
)

var rateLimited = Rule{
	ID: "rate-limited", Number: 102, Applies: "fio, iperf3, yabs, rados bench", Severities: "I",
	Title:   "Held to a limit",
	Formula: "in imported output: p99 < 1.15 x p1 of the latency at 1 ms and more, or p90 < 1.06 x p10; the rate that iperf3's -b allows all streams together, or the 1 Mbit/s of its UDP, to 5 %; of YABS's block sizes the same operations a second at two that are eight times apart or more, to 5 %, or the same bytes a second at all from 64 KiB on, to 10 %, or from 64 KiB on less than half of the bandwidth at a larger one; writes to a pool and the reads that follow, in operations of one size, at one rate to .5 %",
	Source:  "a choice: what serves requests as they come scatters, and what paces them does not; iperf3(1): -b is 1 Mbit/s for UDP unless given",
	Example: "839 MB/s in blocks of 512 KiB, 2,458 MB/s of 64.0 KiB: 0.341 x",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		written := map[string]look{} // the last writes to a pool, by file and host
		for _, l := range e.looks() {
			if l.foreign() {
				found = append(found, l.evenly()...)
				found = append(found, l.asked()...)
				file := inputOf(l.Trial.From) + "\x00" + l.Trial.Subject.Host
				switch {
				case l.positive("pool.write.bandwidth"):
					written[file] = l
				case l.positive("pool.read.bandwidth"):
					found = append(found, l.bothWays(written[file])...)
				}
			}
			if all := e.looked().outputs[output{l.Trial.From, l.Trial.Subject.Host}]; len(all) > 0 && all[0].Trial.ID == l.Trial.ID {
				found = append(found, sameRates(all)...)
			}
		}
		return found
	},
}

const rateLimitedID = "rate-limited"

// evenly finds latencies that hardly scatter: something meters the requests.
func (l look) evenly() []assay.Finding {
	var found []assay.Finding
	for _, dir := range l.directions() {
		stem := "storage." + dir + "."
		low, ok := l.median(assay.PercentileMetric(stem, 1))
		high, okHigh := l.median(assay.PercentileMetric(stem, 99))
		words := [2]string{"p1", "p99"}
		if !(ok && okHigh && high <= pacedSpread*low) {
			// The extremes hold leftovers of a burst and some delayed requests.
			words = [2]string{"p10", "p90"}
			low, ok = l.median(assay.PercentileMetric(stem, 10))
			high, okHigh = l.median(assay.PercentileMetric(stem, 90))
			okHigh = okHigh && high <= pacedMiddle*low
		}
		if !ok || !okHigh || low < pacedLatency || high < low {
			continue
		}
		if n, ok := l.operations(dir); ok && n < humpOperations {
			continue
		}
		found = append(found, l.finding(rateLimitedID, assay.Informs, []string{stem + "latency.mean"},
			fmt.Sprintf("%s = %s, %s = %s: %s", words[0], seconds(low), words[1], seconds(high), times(high/low)),
			"nearly every request took the same time: the rate is most likely capped, by the provider or a control group for example, so it says nothing about the drive",
			"look for the limit: the volume's type at the provider, io.max of the control group, QEMU's throttling, fio's rate options"))
	}
	return found
}

// asked finds iperf3 rates that merely match the requested one.
func (l look) asked() []assay.Finding {
	if l.label("", "tool") != "iperf3" {
		return nil
	}
	var found []assay.Finding
	for _, protocol := range []string{"tcp", "udp"} {
		metric := "net." + protocol + ".throughput"
		speed, ok := l.median(metric)
		if !ok || !(speed > 0) {
			continue
		}
		streams, _ := parseCount(l.label("", "streams"))
		allowed, told := parseFloat(l.label("", "target_bitrate"))
		if !told && protocol == "udp" {
			allowed = udpDefault
		}
		sum := float64(max(streams, 1)) * allowed
		if !(sum > 0) || math.Abs(8*speed/sum-1) > askedSlack {
			continue
		}
		found = append(found, l.finding(rateLimitedID, assay.Informs, []string{metric},
			fmt.Sprintf("%s of the %d x %s that it was told to send: %s", bitRate(8*speed), max(streams, 1), bitRate(allowed), percent(8*speed/sum)),
			"this is the rate requested, not what the path can carry", "raise the rate until something is lost, or leave it to TCP: iperf3 -c HOST -t 30"))
	}
	return found
}

// inputOf returns the file in a "file:line" position.
func inputOf(from string) string {
	return from[:max(0, strings.LastIndexByte(from, ':'))]
}

// bothWays compares a pool's reads with the preceding writes. Drives and
// replication make the two differ: if they are equal, a path shared by both is
// the limit.
func (l look) bothWays(written look) []assay.Finding {
	out, ok := written.median("pool.write.bandwidth")
	back, okBack := l.median("pool.read.bandwidth")
	size := l.label("read", "bs")
	if !ok || !okBack || size == "" || size != written.label("write", "bs") || math.Abs(back/out-1) > sameBoth {
		return nil
	}
	return []assay.Finding{l.finding(rateLimitedID, assay.Informs, []string{"pool.read.bandwidth"},
		fmt.Sprintf("%s read, %s written: %s", rate(back), rate(out), times(back/out)),
		"reads and writes run at the same rate: the limit is most likely something they share, such as the client's link or a provider's cap, not the drives",
		"compare it with the client's link (ethtool IFACE; iperf3 -c HOST -P 4 -t 30), then add a second client")}
}

// sameRates compares the block sizes within one YABS output.
func sameRates(all []look) []assay.Finding {
	var sized []look
	for _, l := range all {
		if _, ok := parseSize(l.label("", "bs")); ok && strings.EqualFold(l.label("", "tool"), "yabs") && l.positive("storage.read.iops") && l.positive("storage.write.iops") {
			sized = append(sized, l)
		}
	}
	both := func(l look, of string) float64 {
		r, _ := l.median("storage.read." + of)
		w, _ := l.median("storage.write." + of)
		return r + w
	}
	for i, a := range sized {
		for _, b := range sized[i+1:] {
			small, _ := parseSize(a.label("", "bs"))
			large, _ := parseSize(b.label("", "bs"))
			if small > large {
				continue
			}
			if x, y := both(a, "iops"), both(b, "iops"); large >= 8*small && math.Abs(x/y-1) <= sameRate {
				return []assay.Finding{b.finding(rateLimitedID, assay.Informs, []string{"storage.read.iops", "storage.write.iops"},
					fmt.Sprintf("%s IOPS at %s and %s at %s: %s", figure(x), memory(float64(small)), figure(y), memory(float64(large)), times(x/y)),
					"operations of very different sizes at the same rate: the provider most likely limits IOPS", "ask the provider for the limit: the figures reflect it, not the drive")}
			}
		}
	}
	var large []look
	for _, l := range sized {
		if size, _ := parseSize(l.label("", "bs")); size >= 64<<10 {
			large = append(large, l)
		}
	}
	if len(large) < 3 {
		return nil
	}
	for i, a := range large {
		for _, b := range large[i+1:] {
			small, _ := parseSize(a.label("", "bs"))
			size, _ := parseSize(b.label("", "bs"))
			if x, y := both(a, "bandwidth"), both(b, "bandwidth"); size > small && y > 0 && y < halfAsFast*x {
				return []assay.Finding{b.finding(rateLimitedID, assay.Informs, []string{"storage.read.bandwidth", "storage.write.bandwidth"},
					fmt.Sprintf("%s in blocks of %s, %s of %s: %s", rate(y), memory(float64(size)), rate(x), memory(float64(small)), times(y/x)),
					"larger blocks are slower than smaller ones, which is not how drives behave: between the two a burst allowance ran out, a cache filled up or other load began",
					"run the large block sizes first, each for several minutes, and quote the sustained rate")}
			}
		}
	}
	least, most := math.Inf(1), 0.0
	for _, l := range large {
		v := both(l, "bandwidth")
		least, most = min(least, v), max(most, v)
	}
	if most > (1+sameWide)*least {
		return nil
	}
	return []assay.Finding{large[0].finding(rateLimitedID, assay.Informs, []string{"storage.read.bandwidth", "storage.write.bandwidth"},
		fmt.Sprintf("from 64 KiB on %s to %s: %s", rate(least), rate(most), times(most/least)),
		"the same bandwidth at every size: a limit of the provider or of the link to the storage", "ask the provider for the limit: the figures reflect it, not the drive")}
}
