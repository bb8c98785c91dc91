package audit

import (
	"fmt"
	"strings"

	"assay"
)

var piecemeal = Rule{
	ID: "piecemeal", Number: 109, Applies: "dd, iperf3", Severities: "I",
	Title:   "Small blocks measure overhead",
	Formula: "in imported output: dd in blocks of up to 4 KiB at less than 10 µs each; dd in blocks of less than 4 KiB onto a device, through the page cache; dd in blocks of up to 64 KiB, each direct or flushed; iperf3 in writes of up to 4 KiB",
	Source:  "dd(1): the default block size is 512 B; a system call and its copy take about a microsecond, a flush takes as long as the drive needs; the size limits are a choice",
	Example: "2,097,152 blocks of 512 B in 4.07 s: 1.94 µs each",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if !l.foreign() {
				continue
			}
			if f := l.inPieces(); f != nil {
				found = append(found, *f)
			}
		}
		return found
	},
}

// pieceOf formats a small size.
func pieceOf(bytes int64) string {
	if bytes < 1<<10 {
		return fmt.Sprintf("%d B", bytes)
	}
	return memory(float64(bytes))
}

// inPieces reports what small blocks cost; nil if they were large or the size is
// unknown.
func (l look) inPieces() *assay.Finding {
	const id = "piecemeal"
	switch l.label("", "tool") {
	case "iperf3":
		size, ok := parseSize(l.label("", "block"))
		metrics := l.throughputs()
		if !ok || size <= 0 || size > smallPiece || len(metrics) == 0 || metrics[0] != "net.tcp.throughput" {
			return nil
		}
		speed, _ := l.median(metrics[0])
		each := float64(size) / speed
		f := l.finding(id, assay.Informs, metrics, fmt.Sprintf("%s a write at %s: %s each", pieceOf(size), bitRate(8*speed), seconds(each)),
			"every small block costs a system call: the figure may reflect the sender's CPU, not the network", "leave out -l: iperf3 then writes 128 KiB at a time")
		return &f
	case "dd":
		dir := "read"
		if l.positive("storage.write.bandwidth") {
			dir = "write"
		}
		size, ok := parseSize(l.label(dir, "bs"))
		bytes, known := l.median("storage." + dir + ".bytes")
		ran, _, timed := l.runtime()
		if !ok || size <= 0 || !known || !timed || !(bytes > float64(size)) {
			return nil
		}
		pieces := bytes / float64(size)
		each := ran / pieces
		direct, _ := isOn(l.label(dir, "direct"))
		flushed := l.label(dir, "sync") == "dsync" || l.label(dir, "sync") == "sync"
		arithmetic := fmt.Sprintf("%s blocks of %s in %s: %s each", grouped(pieces, 0), pieceOf(size), seconds(ran), seconds(each))
		metrics := []string{"storage." + dir + ".bandwidth"}
		switch {
		case (direct || flushed) && size <= waitedPiece:
			f := l.finding(id, assay.Informs, metrics, arithmetic,
				"each small block waits for the one before it: this measures latency, not bandwidth",
				"quote the time of each; for the bandwidth: "+l.again(dir, map[string]string{"bs": "1M"}))
			return &f
		case !direct && !flushed && dir == "write" && size < smallPiece && strings.HasPrefix(l.label(dir, "file"), "/dev/"):
			f := l.finding(id, assay.Informs, metrics, arithmetic,
				"every small block costs two system calls, and a write smaller than a page makes the kernel read that page first: this measures overhead, not the drive", "use bs=1M: "+l.again(dir, map[string]string{"bs": "1M"}))
			return &f
		case !direct && !flushed && size <= smallPiece && each < callPrice:
			f := l.finding(id, assay.Informs, metrics, arithmetic,
				"every small block costs two system calls: the figure reflects the CPU as much as the storage", "use bs=1M: "+l.again(dir, map[string]string{"bs": "1M"}))
			return &f
		}
	}
	return nil
}
