package report

import (
	"strings"
	"testing"

	"assay/analysis"
)

func TestCacheWords(t *testing.T) {
	iops := func(v float64) analysis.Figure { return analysis.Figure{Metric: "storage.write.iops", Value: v, N: 1} }
	for _, c := range []struct {
		effect analysis.CacheEffect
		words  []string
	}{
		{analysis.CacheEffect{Class: analysis.FlushesReach, Off: iops(310), On: iops(2900)}, []string{"its write cache off: 310 IOPS", "with it on: 2.90k IOPS", "At 345 µs each, flushes appear to reach the media"}},
		{analysis.CacheEffect{Class: analysis.FlushesEnd, Off: iops(400), On: iops(40e3)}, []string{", 100 times as fast, so flushes end in the cache", "a power cut loses acknowledged writes"}},
		{analysis.CacheEffect{Class: analysis.FlushesEnd, Off: iops(400), On: iops(40e3), Protected: true}, []string{"which the drive protects against power loss"}},
		{analysis.CacheEffect{Class: analysis.FlushesFree, Off: iops(39e3), On: iops(40e3)}, []string{"The cache makes no difference"}},
		{analysis.CacheEffect{Class: analysis.FlushesCost, Off: iops(2500), On: iops(1000)}, []string{"Writes are 2.5 times as fast with it off", "hdparm -W 0"}},
		{analysis.CacheEffect{Class: analysis.CacheOfGuest, Off: iops(310), On: iops(2900)}, []string{"This is the hypervisor's cache"}},
		{analysis.CacheEffect{Class: analysis.CacheWasOff, Off: iops(310), On: iops(312)}, []string{"310 IOPS", "with its write cache off, as it was before the run"}},
	} {
		c.effect.Drive = "/dev/disk/by-id/x"
		got := cacheWords(c.effect)
		for _, want := range append(c.words, "/dev/disk/by-id/x, synchronous writes") {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in %q", c.effect.Class, want, got)
			}
		}
	}
}
