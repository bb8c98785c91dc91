package canary

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"assay"
	"assay/internal/bytesize"
	"assay/plan"
)

// What is promised unless the user says otherwise.
const (
	Share   = .001 // share of a host's storage and link time
	Written = 50e9 // B per year, per directory
	Least   = time.Hour
)

const year = 8766 * time.Hour

// slowest is the lowest write rate of a drive: it bounds how long the file of a round
// takes to write.
const slowest = 4 << 20 // B/s

// Cost is the most that a round can cost.
type Cost struct {
	// Storage is how long a host's storage is busy, and Link how long a host's links on
	// one network are, each for the busiest host.
	Storage, Link time.Duration
	// Bytes is how much is written to a directory, for the one with the most.
	Bytes   int64
	Figures int // trials in a round
}

// Of returns the most that a round planned like this costs.
func Of(p plan.Plan) Cost {
	storage, link := map[string]time.Duration{}, map[string]time.Duration{}
	written := map[string]int64{}
	file := map[string]int64{} // trials of one directory share it
	var c Cost
	for _, t := range p.Trials {
		if t.Absent != nil {
			continue
		}
		c.Figures++
		long := t.Warmup + time.Duration(t.Repeats)*t.Length
		s := t.Subject
		switch {
		case s.Network != "" && t.Settings["mode"] != "rtt": // pings are a few hundred bytes
			link[s.Network+"\x00"+s.Host] += long
			link[s.Network+"\x00"+t.Peer] += long
		case s.Kind == assay.KindDirectory, s.Kind == assay.KindDevice:
			storage[s.Host] += long
			if t.Risk == assay.Writes {
				file[s.ID] = max(file[s.ID], t.Scratch)
				written[s.ID] += writes(t, long)
			}
		}
	}
	for _, t := range p.Trials {
		if id := t.Subject.ID; file[id] > 0 {
			storage[t.Subject.Host] += time.Duration(float64(file[id]) / slowest * float64(time.Second))
			written[id] += file[id]
			delete(file, id)
		}
	}
	c.Storage, c.Link, c.Bytes = most(storage), most(link), most(written)
	return c
}

// writes returns how many bytes a trial writes at its pace, besides its file.
func writes(t assay.Trial, long time.Duration) int64 {
	if rw := t.Settings["rw"]; rw == "read" || rw == "randread" {
		return 0
	}
	rate, _ := strconv.ParseFloat(t.Settings["rate_iops"], 64)
	block := bytesize.Whole(bytesize.Binary(t.Settings["bs"]))
	return int64(rate * float64(block) * long.Seconds())
}

func most[V int64 | time.Duration](all map[string]V) (v V) {
	if len(all) > 0 {
		v = slices.Max(slices.Collect(maps.Values(all)))
	}
	return v
}

// Every returns the interval between rounds that keeps the promise: an hour, or more
// if a round costs more, in steps of five minutes.
func (c Cost) Every() time.Duration {
	const step = 5 * time.Minute
	least := max(Least.Seconds(), c.Storage.Seconds()/Share, c.Link.Seconds()/Share, float64(c.Bytes)*year.Seconds()/Written)
	long := time.Duration(least * float64(time.Second))
	return (long + step - 1) / step * step
}

// Shares returns the shares of storage and link time that rounds at this
// interval take.
func (c Cost) Shares(every time.Duration) (storage, link float64) {
	return float64(c.Storage) / float64(every), float64(c.Link) / float64(every)
}

// Yearly returns how many bytes rounds at this interval write to a directory
// per year.
func (c Cost) Yearly(every time.Duration) float64 {
	return float64(c.Bytes) * float64(year) / float64(every)
}

// Keeps reports whether rounds at this interval keep the default promise.
func (c Cost) Keeps(every time.Duration) bool {
	storage, link := c.Shares(every)
	return storage <= Share && link <= Share && c.Yearly(every) <= Written
}
