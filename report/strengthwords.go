package report

import (
	"fmt"
	"strings"

	"assay/analysis"
	"assay/internal/quantity"
	"assay/reference"
)

// classes says what kind of storage delivers such a figure.
var classes = map[analysis.Class]string{
	analysis.LikeNVMe:       "typical of an NVMe drive",
	analysis.LikeSATA:       "in the range of a SATA SSD",
	analysis.LikeStick:      "in the range of a USB stick, an SD card or a throttled volume",
	analysis.LikeHardDisk:   "in the range of a hard disk",
	analysis.ProtectedFlush: "typical of a drive with power-loss protection",
	analysis.FastFlush:      "a fast flush for a drive without power-loss protection",
	analysis.ConsumerFlush:  "like a consumer SSD without power-loss protection; databases and etcd will feel it",
	analysis.HardDiskFlush:  "like a hard disk or a card; databases and etcd will suffer",
}

// threadsWords says how well threads scale.
var threadsWords = map[analysis.Tone]string{
	analysis.Good:  "threads scale well",
	analysis.Limit: "the rest is lost to shared cores (SMT) or a lower clock under load",
	analysis.Bad:   "the rest is lost to shared cores (SMT), a power limit or a busy neighbour",
}

func syncWritesWords(w analysis.SyncWrites) string {
	if w.Volatile {
		return fmt.Sprintf("Synchronous 4 KiB writes: %s, faster than this drive can make them durable: a power cut may lose them.", Number(w.IOPS))
	}
	latency := ""
	if w.Median != nil {
		latency = fmt.Sprintf(" (median latency %s)", quantity.Of(w.Median.Metric, w.Median.Value))
	}
	if w.Drive != "" && w.Among != (reference.Neighbours{}) {
		return fmt.Sprintf("%s: %s synchronous 4 KiB writes at depth 1%s, %s.", w.Drive, Number(w.IOPS), latency, amongDrives(w))
	}
	return fmt.Sprintf("Synchronous 4 KiB writes: %s%s, %s.", Number(w.IOPS), latency, classes[w.Class])
}

// fitFor says what a raw device is fit for, judging by its synchronous writes.
var fitFor = map[analysis.Class]string{
	analysis.ProtectedFlush: "it likely has power-loss protection",
	analysis.FastFlush:      "too slow for most drives with power-loss protection: check its data sheet before you put a database or a Ceph OSD on it",
	analysis.ConsumerFlush:  "don't put a database or a Ceph OSD on it",
	analysis.HardDiskFlush:  "don't put a database or a Ceph OSD on it",
}

// amongDrives names the nearest published drives, and says what follows.
func amongDrives(w analysis.SyncWrites) string {
	n := w.Among
	var where string
	switch {
	case n.Like != nil:
		where = "like " + a(n.Like.What)
	case n.Below != nil && n.Above != nil:
		where = "between " + a(n.Below.What) + " and " + a(n.Above.What)
	case n.Below != nil:
		where = "faster than " + a(n.Below.What)
	default:
		where = "slower than " + a(n.Above.What)
	}
	if w.Virtual != "" {
		return where + "; but this is " + w.Virtual + ", so the figure also depends on the storage below it"
	}
	return where + ": " + fitFor[w.Class]
}

// a puts the article before a name.
func a(name string) string {
	if strings.ContainsRune("AEIOU", []rune(name)[0]) {
		return "an " + name
	}
	return "a " + name
}

// depthWords says beyond which queue depth there is little to gain.
func depthWords(s analysis.DepthSweep) string {
	metric, what := "storage.read.iops", "reads"
	if s.Writes {
		metric, what = "storage.write.iops", "writes"
	}
	least, deepest := s.Points[0], s.Points[len(s.Points)-1]
	text := fmt.Sprintf("%s: 4 KiB random %s from %s at depth %d to %s at depth %d", s.Drive, what,
		quantity.Of(metric, least.IOPS), least.Depth, quantity.Of(metric, s.Most.IOPS), s.Most.Depth)
	if s.Knee.Depth < deepest.Depth {
		return text + fmt.Sprintf("; beyond depth %d there is less than 10 %% to gain.", s.Knee.Depth)
	}
	return text + ", still growing."
}

func transferWords(t analysis.Transfers) string {
	var parts []string
	if t.Write != nil {
		parts = append(parts, "writes "+Number(*t.Write))
	}
	if t.Read != nil {
		parts = append(parts, "reads "+Number(*t.Read))
	}
	return "Large transfers: " + strings.Join(parts, ", ") + "."
}
