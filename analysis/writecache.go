package analysis

import (
	"cmp"
	"slices"
	"strings"

	"assay"
)

// CacheEffect is what a drive's write cache does for a case: its figure with the
// cache off, and with the drive as found.
type CacheEffect struct {
	Drive   string
	Title   string // of the case
	Off, On Figure // On is with the drive as found
	Class   CacheClass
	// Protected means that the drive is known to have power-loss protection.
	Protected bool
}

// CacheClass is what such a pair of figures means.
type CacheClass string

// The classes.
const (
	FlushesReach CacheClass = "reach" // a flush takes as long as the media need
	FlushesEnd   CacheClass = "end"   // a flush is faster than that, and than a write past the cache
	FlushesCost  CacheClass = "cost"  // a flush takes longer than a write past the cache
	FlushesFree  CacheClass = "free"  // both are faster than the media
	CacheOfGuest CacheClass = "guest" // it is the hypervisor's
	CacheWasOff  CacheClass = "off"   // already off when the drive was found
)

// cacheMatters is the least ratio of write speeds that counts as a difference.
const cacheMatters = 1.3

// cacheSetting is the lending setting for the write cache.
const cacheSetting = "write_cache"

// cacheEffects compares synchronous writes with a drive's write cache off to those
// with the drive as found.
func (f Found) cacheEffects() (all []Point) {
	for _, off := range f.Run.Results {
		if off.Trial.Lend[cacheSetting] != "off" || !isSync(off.Trial) {
			continue
		}
		at := slices.IndexFunc(f.Run.Results, func(r assay.Result) bool { return foundAs(r.Trial, off.Trial) })
		if at < 0 {
			continue
		}
		before, after := rowOf(f.Sections, f.Run.Results[at].Trial.ID), rowOf(f.Sections, off.Trial.ID)
		if before == nil || after == nil {
			continue
		}
		on, without := believed(*before, "write.iops"), believed(*after, "write.iops")
		if on == nil || without == nil || !(without.Value > 0) {
			continue
		}
		s := off.Trial.Subject
		c := CacheEffect{Drive: s.Name, Title: before.Title, Off: *without, On: *on}
		facts := f.Run.Inventory.Facts[s.Host]
		dev := facts.DeviceAt(cmp.Or(s.Source, s.Name))
		c.Protected = dev != nil && dev.PLP != nil && *dev.PLP
		c.Class = c.class(dev, facts.CPU.Virtual, f.doubted(*before, flushRule))
		all = append(all, Point{c.tone(), c})
	}
	return all
}

// foundAs reports whether t is the other trial with the drive as found.
func foundAs(t, other assay.Trial) bool {
	return len(t.Lend) == 0 && t.Probe == other.Probe && t.Subject.ID == other.Subject.ID && len(t.Others) == len(other.Others) &&
		other.Case == strings.Join(append([]string{t.Case}, other.Lend.Words()...), "+")
}

// class judges a pair; tooFast means that the audit considers the flushes of the drive as
// found faster than possible.
func (c CacheEffect) class(dev *assay.BlockDevice, virtual *bool, tooFast bool) CacheClass {
	ratio := c.On.Value / c.Off.Value
	fast := tooFast || classOf(c.On.Value, syncWriteClasses).class == ProtectedFlush
	switch {
	case dev != nil && strings.Contains(dev.WriteCache, "through"):
		return CacheWasOff
	case virtual != nil && *virtual || dev != nil && dev.Bus == assay.BusVirtio:
		return CacheOfGuest
	case ratio <= 1/cacheMatters:
		return FlushesCost
	case fast && ratio >= cacheMatters:
		return FlushesEnd
	case fast:
		return FlushesFree
	}
	return FlushesReach
}

func (c CacheEffect) tone() Tone {
	switch c.Class {
	case FlushesReach, FlushesFree:
		return Good
	case FlushesEnd:
		if !c.Protected {
			return Bad
		}
	}
	return Note
}
