package migration

import (
	"slices"

	"assay/internal/outage"
)

// Felt is the longest write inside a guest. The guest's clock stops while the guest does: a
// program inside does not measure that time, but whatever waits for the program does.
type Felt struct {
	outage.Gap         // by the observer's clock
	Guest      float64 // duration by the guest's clock, s
}

// inMemory are file systems whose writes reach no disk.
var inMemory = []string{"tmpfs", "ramfs", "rootfs", "-", ""}

// Wrote reports whether the writes went to a disk.
func (s Seen) Wrote() bool { return len(s.Writes) > 0 && !slices.Contains(inMemory, s.Disk) }

// The interval of writes that take no time, in s, plus a margin: any standstill hits one of
// them.
const betweenWrites = .01

// LongestWrite returns the longest write that ended between two moments of the observer's
// clock. st is the longest time without an answer, nil if there was none. ok is false if
// nothing was written.
func (s Seen) LongestWrite(from, to float64, st *Standstill) (f Felt, ok bool) {
	for _, w := range s.Writes {
		began := s.outside(w.Began, st)
		end := s.outside(w.Began+w.Longest, st)
		if end < from || began > to {
			continue
		}
		if !ok || end-began > f.Seconds() {
			f, ok = Felt{outage.Gap{From: began, To: end}, w.Longest}, true
		}
	}
	// A write that was not the longest of its period may have waited through the
	// standstill.
	if ok && st != nil && st.Still > st.Off && st.Still > f.Seconds() && st.From >= from-betweenWrites && st.From < to {
		f = Felt{outage.Gap{From: st.From, To: st.From + st.Still}, 0}
	}
	return f, ok
}

// outside converts a moment of the guest's clock to the observer's.
func (s Seen) outside(guest float64, st *Standstill) float64 {
	if st != nil {
		if guest <= st.From-st.before {
			return guest + st.before
		}
		return guest + st.after
	}
	for _, t := range slices.Backward(s.Clock) {
		if t.Guest <= guest {
			return guest + t.ahead()
		}
	}
	if len(s.Clock) > 0 {
		return guest + s.Clock[0].ahead()
	}
	return guest
}

// Rate returns how many bytes of memory were changed per second between two moments of the
// observer's clock. st is as for LongestWrite. ok is false if that is unknown.
func (s Seen) Rate(from, to float64, st *Standstill) (rate float64, ok bool) {
	begin, was := s.changed(from, st)
	end, is := s.changed(to, st)
	if !was || !is || to <= from || end < begin {
		return 0, false
	}
	return (end - begin) / (to - from), true
}

// changed returns how many bytes had been changed by a moment.
func (s Seen) changed(at float64, st *Standstill) (bytes float64, ok bool) {
	guest, ok := s.Guest(at)
	if !ok {
		return 0, false
	}
	if st != nil && at > st.From {
		guest = max(at, st.To) - st.after
		if at < st.To {
			guest = min(guest, at-st.before)
		}
	}
	i := slices.IndexFunc(s.Load, func(c Change) bool { return c.At >= guest })
	switch {
	case i == 0, len(s.Load) == 0:
		return 0, false
	case i < 0: // the last report stays valid, but for a moment
		last := s.Load[len(s.Load)-1]
		return last.Bytes, guest-last.At < .5
	}
	a, b := s.Load[i-1], s.Load[i]
	if b.At <= a.At {
		return b.Bytes, true
	}
	return a.Bytes + (b.Bytes-a.Bytes)*(guest-a.At)/(b.At-a.At), true
}
