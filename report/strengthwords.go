package report

import (
	"fmt"
	"strings"

	"assay/analysis"
	"assay/internal/quantity"
)

// classes say what kind of storage delivers such a figure.
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

// threadsWords say how well threads scale.
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
	return fmt.Sprintf("Synchronous 4 KiB writes: %s%s, %s.", Number(w.IOPS), latency, classes[w.Class])
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
