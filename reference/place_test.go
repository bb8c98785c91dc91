package reference

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The settings of the suites, as labels of their measurements.
var (
	syncWrite = SettingsOf(map[string]string{"pattern": "randwrite", "bs": "4096", "iodepth": "1", "jobs": "1", "sync": "1", "direct": "1"})
	randRead  = SettingsOf(map[string]string{"pattern": "randread", "bs": "4096", "iodepth": "32", "jobs": "2", "sync": "0", "direct": "1"})
	randWrite = SettingsOf(map[string]string{"pattern": "randwrite", "bs": "4k", "iodepth": "32", "jobs": "1", "sync": "0", "direct": "1"})
	seqRead   = SettingsOf(map[string]string{"pattern": "read", "bs": "1048576", "iodepth": "16", "jobs": "1", "sync": "0", "direct": "1"})
	seqWrite  = SettingsOf(map[string]string{"pattern": "write", "bs": "1m", "iodepth": "16", "jobs": "1", "sync": "0", "direct": "1"})
	ddWrite   = SettingsOf(map[string]string{"pattern": "write", "bs": "1048576", "iodepth": "1", "jobs": "1", "sync": "fdatasync", "direct": "0", "source": "random"})
	ddRead    = SettingsOf(map[string]string{"pattern": "read", "bs": "1m", "iodepth": "1", "jobs": "1", "direct": "0", "cache": "cold: fadvise"})
	oneFlow   = SettingsOf(map[string]string{"protocol": "tcp", "streams": "1", "mtu": "1500"})
)

func plain(v float64) string { return fmt.Sprintf("%.4g /s", v) }

func TestPlacement(t *testing.T) {
	for _, c := range []struct {
		name     string
		metric   string
		value    float64
		settings Settings
		on       Thing
		want     string
	}{
		{"a flush without PLP", "storage.write.iops", 1180, syncWrite, Thing{},
			"like a consumer SSD without PLP (195.3–1855 /s, 17 published), far from a Micron 9300 (5.1e+04 /s)"},
		{"a flush with PLP", "storage.write.iops", 55e3, syncWrite, Thing{},
			"like an NVMe SSD with PLP (2.686e+04–9.912e+04 /s, 6 published), far above a Samsung 850 EVO 1 TB (339 /s)"},
		{"between the two", "storage.write.iops", 3500, syncWrite, Thing{},
			"between a consumer SSD without PLP (195.3–1855 /s, 17 published) and a SATA SSD with PLP (5493–3.979e+04 /s, 13 published), far from a Micron 9300 (5.1e+04 /s)"},
		{"slower than all", "storage.write.iops", 20, syncWrite, Thing{},
			"below every published figure; the lowest is a consumer SSD without PLP (195.3–1855 /s, 17 published), far from a Micron 9300"},
		{"faster than all", "storage.write.iops", 1e6, syncWrite, Thing{},
			"above every published figure; the highest is an NVMe SSD with PLP"},
		{"replicated", "storage.write.iops", 140, syncWrite, Thing{Replicated: true},
			"like a LINSTOR volume of 2 copies on consumer SSDs under ZFS (137 /s)"},
		{"a card", "storage.read.iops", 3000, randRead, Thing{}, "like an SD card (3244 /s)"},
		{"a SATA drive among promises", "storage.read.iops", 80e3, randRead, Thing{}, "like a SATA SSD (rated "},
		{"its own promise", "storage.read.iops", 80e3, randRead, Thing{Model: "Samsung SSD 870 EVO 500GB", Bytes: 500107862016},
			"; this model, Samsung 870 EVO 500 GB, is rated at 9.8e+04 /s"},
		{"random writes of a card", "storage.write.iops", 700, randWrite, Thing{}, "like an SD card (722.7 /s)"},
		{"a hard disk's transfers", "storage.read.bandwidth", 150e6, seqRead, Thing{}, "like a hard disk (rated 8.3e+07–1.75e+08 /s)"},
		{"between SATA and disks", "storage.write.bandwidth", 300e6, seqWrite, Thing{}, "between a hard disk (rated "},
		{"eMMC by dd", "storage.write.bandwidth", 11e6, ddWrite, Thing{}, "like eMMC (1.08e+07 /s)"},
		{"cold reads by dd", "storage.read.bandwidth", 131e6, ddRead, Thing{}, "like eMMC (1.304e+08 /s)"},
		{"a link", "net.tcp.throughput", 9.41e9 / 8, oneFlow, Thing{}, "like 10 GbE (1.17e+09–1.174e+09 /s, 2 published)"},
		{"a slower link", "net.tcp.throughput", 2.34e9 / 8, oneFlow, Thing{}, "like 2.5 GbE (2.938e+08 /s)"},
		{"Ceph", "pool.write.bandwidth", 4e9, SettingsOf(map[string]string{"op": "write", "object_size": "4M", "threads": "16", "clients": "1"}), Thing{Replicated: true}, "like Ceph of 3 nodes"},
		{"Garage", "object.put.latency.mean", .08, Settings{Pattern: "put", Block: 1e6, InFlight: 1}, Thing{}, "like Garage"},
	} {
		p, ok := new(Placer).Place(c.metric, c.value, c.settings, c.on)
		if got := p.Words(plain); !ok || !strings.Contains(got, c.want) {
			t.Errorf("%s: %v, %q\nwant %q", c.name, ok, got, c.want)
		}
	}
}

// Figures with different settings are not compared.
func TestUnlikeSettingsSayNothing(t *testing.T) {
	with := func(s Settings, change func(s *Settings)) Settings { change(&s); return s }
	for name, c := range map[string]struct {
		metric string
		s      Settings
	}{
		"another block":                   {"storage.write.iops", with(syncWrite, func(s *Settings) { s.Block = 16384 })},
		"an unknown block":                {"storage.write.iops", with(syncWrite, func(s *Settings) { s.Block = 0 })},
		"synchronous, many at once":       {"storage.write.iops", with(syncWrite, func(s *Settings) { s.InFlight = 2 })},
		"an unknown depth":                {"storage.write.iops", with(syncWrite, func(s *Settings) { s.InFlight = 0 })},
		"no flush at depth 1":             {"storage.write.iops", with(syncWrite, func(s *Settings) { s.Flush = "none" })},
		"a flush after every 8 writes":    {"storage.write.iops", with(syncWrite, func(s *Settings) { s.Flush = "every 8" })},
		"an unknown flush":                {"storage.write.iops", with(syncWrite, func(s *Settings) { s.Flush = "" })},
		"through the page cache":          {"storage.read.iops", with(randRead, func(s *Settings) { s.Direct = "0" })},
		"unknown whether direct":          {"storage.read.iops", with(randRead, func(s *Settings) { s.Direct = "" })},
		"random reads one at a time":      {"storage.read.iops", with(randRead, func(s *Settings) { s.InFlight = 1 })},
		"sequential reads of 4 KiB":       {"storage.read.iops", with(randRead, func(s *Settings) { s.Pattern = "read" })},
		"mixed":                           {"storage.read.iops", with(randRead, func(s *Settings) { s.Pattern = "randrw" })},
		"from the page cache":             {"storage.read.bandwidth", with(ddWrite, func(s *Settings) { s.Pattern, s.Flush, s.Cache = "read", "none", "warm" })},
		"a cache that was not dropped":    {"storage.read.bandwidth", with(ddWrite, func(s *Settings) { s.Pattern, s.Flush, s.Cache = "read", "none", "unknown" })},
		"transfers one at a time":         {"storage.read.bandwidth", with(seqRead, func(s *Settings) { s.InFlight = 1 })},
		"an unknown number of flows":      {"net.tcp.throughput", with(oneFlow, func(s *Settings) { s.Streams = 0 })},
		"far beyond the only two":         {"storage.read.bandwidth", ddRead},
		"UDP":                             {"net.udp.throughput", with(oneFlow, func(s *Settings) { s.Protocol = "udp" })},
		"latency, of which there is none": {"storage.write.latency.p50", syncWrite},
		"no settings at all":              {"storage.write.iops", Settings{}},
	} {
		if p, ok := new(Placer).Place(c.metric, 1000, c.s, Thing{}); ok {
			t.Errorf("%s: %s", name, p.Words(plain))
		}
	}
	for _, v := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if p, ok := new(Placer).Place("storage.write.iops", v, syncWrite, Thing{}); ok {
			t.Errorf("%v: %s", v, p.Words(plain))
		}
	}
}

// A single-host volume is not compared with replicated ones, nor a seeking disk
// head with one that does not seek.
func TestWhatIsNotComparedWithWhat(t *testing.T) {
	for _, f := range figures() {
		if f.Metric != "storage.write.iops" {
			continue
		}
		p, ok := placeAmong([]Figure{f}, f.Metric, f.Low, syncWrite, Thing{})
		if ok && (f.Kind == OfStack || f.Turns) {
			t.Errorf("a local random write is compared with %s: %s", f.What, p.Words(plain))
		}
	}
	sequential := syncWrite
	sequential.Pattern = "write"
	if p, ok := new(Placer).Place("storage.write.iops", 120, sequential, Thing{}); !ok || p.Like == nil || p.Like.Name != "a hard disk" {
		t.Errorf("a sequential synchronous write of a disk: %s", p.Words(plain))
	}
}

// A median measured differently says so.
func TestDifferencesAreTold(t *testing.T) {
	onFile := syncWrite
	onFile.On = "file"
	p, _ := new(Placer).Place("storage.write.iops", 1180, onFile, Thing{})
	for _, want := range []string{"one address after the other", "on the bare device", "with the write cache off"} {
		if !strings.Contains(p.Difference(), want) {
			t.Errorf("%q does not say %q", p.Difference(), want)
		}
	}
	off := onFile
	off.Volatile = "off"
	if p, _ = new(Placer).Place("storage.write.iops", 1180, off, Thing{}); !strings.Contains(p.Difference(), "with the write cache not switched off") || strings.Contains(p.Difference(), "write cache off") {
		t.Errorf("measured with the write cache off: %q", p.Difference())
	}
	if s := SettingsOf(map[string]string{"lend.write_cache": "off"}); s.Volatile != "off" {
		t.Errorf("the write cache is %q", s.Volatile)
	}
	p, _ = new(Placer).Place("net.tcp.throughput", 2.34e9/8, oneFlow, Thing{})
	if !strings.Contains(p.Difference(), "unknown MTU") {
		t.Errorf("an unknown MTU is not told: %q", p.Difference())
	}
}

// Each published figure is like its own class, or like one that contains it.
func TestEveryFigureFindsItsPlace(t *testing.T) {
	for _, f := range figures() {
		s, on := f.Settings, Thing{Replicated: f.Kind == OfStack}
		if f.Rated {
			s.Direct, s.Flush, s.InFlight = "1", "none", 64
			if s.Block == 0 {
				s.Block = 1 << 20
			}
		}
		if f.Kind == OfNetwork && s.Streams == 0 {
			s.Streams = 1
		}
		value := math.Sqrt(f.Low * f.High)
		p, ok := new(Placer).Place(f.Metric, value, s, on)
		if !ok || p.Like == nil || value < p.Like.Low/likeSlack || value > p.Like.High*likeSlack {
			t.Errorf("%s of %s has no place: %s", f.What, f.Source.Title, p.Words(plain))
		}
	}
}

// A higher figure never ranks lower.
func TestMoreNeverStandsLower(t *testing.T) {
	ways := []struct {
		metric string
		s      Settings
		on     Thing
	}{
		{"storage.write.iops", syncWrite, Thing{}}, {"storage.write.iops", syncWrite, Thing{Replicated: true}},
		{"storage.read.iops", randRead, Thing{}}, {"storage.write.iops", randWrite, Thing{}},
		{"storage.read.bandwidth", seqRead, Thing{}}, {"storage.write.bandwidth", seqWrite, Thing{}},
		{"storage.write.bandwidth", ddWrite, Thing{}}, {"net.tcp.throughput", oneFlow, Thing{}},
	}
	rapid.Check(t, func(t *rapid.T) {
		way := rapid.SampledFrom(ways).Draw(t, "way")
		exponents := rapid.SliceOfN(rapid.Float64Range(0, 11), 2, 2).Draw(t, "log10 of the values")
		slices.Sort(exponents)
		less, one := new(Placer).Place(way.metric, math.Pow(10, exponents[0]), way.s, way.on)
		more, other := new(Placer).Place(way.metric, math.Pow(10, exponents[1]), way.s, way.on)
		if !one || !other {
			return // far beyond the few published ones
		}
		if less.N != more.N || less.Fewer > more.Fewer {
			t.Fatalf("%d of %d are less, then %d of %d", less.Fewer, less.N, more.Fewer, more.N)
		}
		if less.Below != nil && (more.Below == nil || more.Below.High < less.Below.High) {
			t.Fatalf("below: %v, then %v", less.Below, more.Below)
		}
		if more.Above != nil && (less.Above == nil || less.Above.Low > more.Above.Low) {
			t.Fatalf("above: %v, then %v", less.Above, more.Above)
		}
		if less.Like != nil && more.Like != nil && less.Like.Median > more.Like.Median {
			t.Fatalf("like %s, then like %s", less.Like.Name, more.Like.Name)
		}
		if less.Far != nil && more.Far != nil && less.FarUp == more.FarUp && less.Far.Low > more.Far.Low {
			t.Fatalf("far from %s, then %s", less.Far.What, more.Far.What)
		}
		if less.Far != nil && more.Far != nil && !less.FarUp && more.FarUp {
			t.Fatalf("far above %s, then far from %s", less.Far.What, more.Far.What)
		}
	})
}

func TestSpan(t *testing.T) {
	for _, c := range [][3]string{{"1", "2", "1–2 /s"}, {"5", "5", "5 /s"}} {
		var low, high float64
		fmt.Sscan(c[0]+" "+c[1], &low, &high)
		if got := Span(low, high, plain); got != c[2] {
			t.Errorf("Span(%s, %s) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
