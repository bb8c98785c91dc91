package analysis

import (
	"slices"
	"strings"

	"assay"
	"assay/reference"
)

// Class is the kind of storage that delivers such a figure.
type Class int

// The kinds, by random reads and by synchronous writes.
const (
	LikeNVMe Class = iota
	LikeSATA
	LikeStick
	LikeHardDisk
	ProtectedFlush // by power-loss protection
	FastFlush
	ConsumerFlush
	HardDiskFlush
)

// boundary is where a class begins. Boundaries are orders of magnitude between kinds
// of device, not the rating of any one device.
type boundary struct {
	least float64
	tone  Tone
	class Class
}

// The kinds of device, by 4 KiB random reads and by synchronous 4 KiB writes at
// depth 1. NVMe and SATA are their interfaces' orders of magnitude; a hard disk
// turns 120 times a second; a flush without power-loss protection costs a flash
// program of at least half a millisecond. Of the drives in reference/figures.yaml,
// none without protection does 2,000 flushes a second, and none with it fewer than
// 5,000.
var (
	randomReadClasses = []boundary{{150e3, Good, LikeNVMe}, {20e3, Good, LikeSATA}, {1000, Bad, LikeStick}, {0, Bad, LikeHardDisk}}
	syncWriteClasses  = []boundary{{5e3, Good, ProtectedFlush}, {2000, Good, FastFlush}, {300, Bad, ConsumerFlush}, {0, Bad, HardDiskFlush}}
)

func classOf(v float64, classes []boundary) boundary {
	for _, c := range classes {
		if v >= c.least {
			return c
		}
	}
	return classes[len(classes)-1]
}

// strengths returns what the machine is good and bad at.
func (f Found) strengths() (best, worst []Point) {
	say := func(tone Tone, says any) {
		if tone == Bad {
			worst = append(worst, Point{tone, says})
		} else {
			best = append(best, Point{tone, says})
		}
	}
	for _, r := range f.rowsOf("storage") {
		iops := believed(r, ".iops")
		if iops == nil {
			continue
		}
		sync := f.label(r.Trial, "sync")
		switch {
		case (sync == "1" || strings.HasPrefix(sync, "sync")) && strings.Contains(iops.Metric, "write"):
			if f.largeWrites(r.Trial) || f.label(r.Trial, "lend."+cacheSetting) == "off" { // see cacheEffects
				continue
			}
			w := SyncWrites{IOPS: *iops, Median: believed(r, ".p50"), Volatile: f.doubted(r, flushRule)}
			c := classOf(iops.Value, syncWriteClasses)
			w.Class = c.class
			if w.Volatile {
				c.tone = Bad
			}
			f.amongDrives(&w, r.Trial)
			say(c.tone, w)
		case f.raw(r.Trial): // depth differs from row to row
		case strings.Contains(r.Title, "random read"):
			c := classOf(iops.Value, randomReadClasses)
			say(c.tone, RandomReads{r.Title, *iops, c.class})
		}
	}
	for _, p := range f.cacheEffects() {
		say(p.Tone, p.Says)
	}
	best = append(best, f.depthSweeps()...)
	if t := (Transfers{f.transfer("write"), f.transfer("read")}); t != (Transfers{}) {
		say(Note, t)
	}
	for _, r := range f.rowsOf("cpu") {
		s := believed(r, "cpu.scaling")
		if s == nil || s.Ceiling == nil || s.Ceiling.Value < 2 {
			continue
		}
		tone := Good
		switch {
		case s.Ceiling.Share < .6:
			tone = Bad
		case s.Ceiling.Share < .85:
			tone = Limit
		}
		say(tone, Threads{*s})
	}
	return best, worst
}

// amongDrives ranks the synchronous writes of a raw device among published drives.
func (f Found) amongDrives(w *SyncWrites, trial string) {
	for _, r := range f.Run.Results {
		if s := r.Trial.Subject; r.Trial.ID == trial && isRaw(s) {
			facts := f.Run.Inventory.Facts[s.Host]
			settings := reference.SettingsOf(labelsOf(r, w.IOPS.Metric))
			settings.On = "device"
			w.Drive, w.Among = s.Name, reference.NeighboursOf(w.IOPS.Metric, w.IOPS.Value, settings)
			switch b := facts.DeviceAt(s.Source); {
			case b != nil && b.Kind == "loop":
				w.Virtual = "a loop device"
			case b != nil && b.Bus == assay.BusVirtio:
				w.Virtual = "a virtual disk"
			}
		}
	}
}

// isRaw reports whether a subject is a host's device that may be overwritten, rather
// than a tier.
func isRaw(s assay.Subject) bool { return s.Kind == assay.KindBlock && s.Source != "" && s.Tier == "" }

// transfer returns the speed of large transfers in one direction; nil if unknown.
func (f Found) transfer(dir string) *Figure {
	for _, r := range f.rowsOf("storage") {
		found := believed(r, "storage."+dir+".bandwidth")
		small := slices.ContainsFunc(r.Figures, func(f Figure) bool { return strings.HasSuffix(f.Metric, ".iops") })
		large := !small || strings.Contains(r.Title, "sequential")
		if bs, known := assay.ParseSize(f.label(r.Trial, "bs")); known && bs < assay.LargeBlock {
			large = false // 4 KiB after 4 KiB, as journals write
		}
		if found != nil && large && f.label(r.Trial, "cache") != "warm" {
			return found
		}
	}
	return nil
}

// doubted reports whether a rule has a finding about the row.
func (f Found) doubted(r Row, rule string) bool {
	return slices.ContainsFunc(f.Findings, func(n Footnote) bool { return n.Rule == rule && n.Subject == r.Trial })
}

// label returns a label of a trial's first figure that has any.
func (f Found) label(trial, name string) string {
	for _, r := range f.Run.Results {
		if r.Trial.ID == trial {
			return firstLabels(r)[name]
		}
	}
	return ""
}

// largeWrites reports whether a trial's writes are larger than those the classes describe.
func (f Found) largeWrites(trial string) bool {
	size, known := assay.ParseSize(f.label(trial, "bs"))
	return known && size > smallRequest
}

func firstLabels(r assay.Result) map[string]string {
	for _, rep := range r.Counted() {
		for _, m := range rep.Measurements {
			if len(m.Labels) > 0 {
				return m.Labels
			}
		}
	}
	return nil
}

// believed returns a row's first figure whose metric has that suffix, unless
// the audit rejected it.
func believed(r Row, suffix string) *Figure {
	for i, f := range r.Figures {
		if strings.HasSuffix(f.Metric, suffix) && !f.Rejected && r.Absent == nil {
			return &r.Figures[i]
		}
	}
	return nil
}

// bottleneck returns the storage figure that comes closest to its bus's limit. Nothing
// is known about the bus if no figure is believed.
func (f Found) bottleneck() []Point {
	top, unknown := Bottleneck{}, false
	for _, r := range f.rowsOf("storage") {
		for _, figure := range r.Figures {
			switch c := figure.Ceiling; {
			case !crossesBus(figure.Metric) || figure.Rejected || r.Absent != nil:
			case c == nil:
				unknown = unknown || f.crossesOneBus(r.Trial)
			case top.Ceiling == nil || c.Share > top.Ceiling.Share:
				top = Bottleneck{r.Title, c}
			}
		}
	}
	if top.Ceiling == nil && !unknown {
		return nil
	}
	return []Point{{Limit, top}}
}

// crossesOneBus reports whether one bus, if known, would limit a storage trial: not what
// the page cache delivers, nor several hosts.
func (f Found) crossesOneBus(trial string) bool {
	return slices.ContainsFunc(f.Run.Results, func(r assay.Result) bool {
		return r.Trial.ID == trial && len(r.Trial.Others) == 0 && !fromPageCache(r)
	})
}

// Binds reports whether the ceiling is the limit.
func (b Bottleneck) Binds() bool { return b.Ceiling != nil && b.Ceiling.Share > bindsFrom }

// heat returns what full load does to the machine.
func (f Found) heat() []Point {
	for _, r := range f.rowsOf("thermal") {
		rise, load, throttles := believed(r, "thermal.rise"), believed(r, "thermal.load"), believed(r, "thermal.throttles")
		if rise == nil || load == nil {
			continue
		}
		tone := Note
		switch {
		case throttles == nil:
		case throttles.Value > 0:
			tone = Bad
		default:
			tone = Good
		}
		return []Point{{tone, Heat{*rise, *load, throttles}}}
	}
	return nil
}
