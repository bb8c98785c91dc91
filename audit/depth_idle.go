package audit

import (
	"fmt"

	"assay"
)

var depthIdle = Rule{
	ID: "depth-idle", Number: 114, Applies: "CrystalDiskMark, KDiskMark, AS SSD, fio", Severities: "I",
	Title:   "A deeper queue is no faster",
	Formula: "in one output of others, random operations of one size and direction: with at least eight times as many in flight as the fewest, IOPS within 15 %",
	Source:  "an SSD answers many requests at once: NCQ has 32 places, NVMe 65,535, a USB bridge has several with UASP alone; 15 % is a choice",
	Example: "5,283 IOPS with 32 in flight against 5,079 with 1: 1.04 x",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, all := range e.looked().outputsInOrder() {
			if f := deeperIsNoFaster(all); f != nil {
				found = append(found, *f)
			}
		}
		return found
	},
}

// outputsInOrder returns the looks of each output, in the order of the results.
func (l *looked) outputsInOrder() [][]look {
	var all [][]look
	seen := map[output]bool{}
	for _, one := range l.all {
		of := output{one.Trial.From, one.Trial.Subject.Host}
		if one.Trial.From != "" && one.foreign() && !seen[of] {
			seen[of] = true
			all = append(all, l.outputs[of])
		}
	}
	return all
}

// deeperIsNoFaster finds a result with far more in flight than the shallowest of its
// kind that was no faster; nil if there is none.
func deeperIsNoFaster(all []look) *assay.Finding {
	type load struct {
		look
		depth int
		iops  float64
	}
	for _, dir := range []string{"read", "write"} {
		metric := "storage." + dir + ".iops"
		var loads []load
		shallowest := map[string]load{} // by block size
		for _, l := range all {
			bs, depth := l.label(dir, "bs"), l.meantUnderWay()
			iops, ok := l.median(metric)
			if !ok || !(iops > 0) || depth < 1 || bs == "" || !isRandom(l.label(dir, "pattern")) {
				continue
			}
			loads = append(loads, load{l, depth, iops})
			if s, seen := shallowest[bs]; !seen || depth < s.depth {
				shallowest[bs] = load{l, depth, iops}
			}
		}
		for _, deep := range loads {
			one := shallowest[deep.label(dir, "bs")]
			if deep.depth < manyDeeper*one.depth || deep.iops > (1+noFaster)*one.iops || deep.iops < (1-noFaster)*one.iops {
				continue
			}
			f := deep.finding("depth-idle", assay.Informs, []string{metric},
				fmt.Sprintf("%s IOPS with %d in flight against %s with %d: %s", figure(deep.iops), deep.depth, figure(one.iops), one.depth, times(deep.iops/one.iops)),
				"requests are served one at a time: by a bridge or driver without queueing (USB without UASP), an IOPS limit, or a single hard disk",
				"check which driver the drive uses (lsusb -t: uas or usb-storage; on Windows, the enclosure's driver) and any limit set by the provider")
			return &f
		}
	}
	return nil
}
