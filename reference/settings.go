package reference

import (
	"fmt"
	"strconv"
	"strings"

	"assay/internal/bytesize"
)

// Settings describe how something was measured. "" and 0 mean unknown.
type Settings struct {
	Pattern  string `json:"pattern,omitempty"`     // read, write, randread, randwrite, put, get
	Block    int64  `json:"bs,omitempty"`          // B of one operation
	InFlight int    `json:"in_flight,omitempty"`   // operations at once: queue depth × jobs
	Flush    string `json:"flush,omitempty"`       // each, end, none
	Direct   string `json:"direct,omitempty"`      // 1 past the page cache, 0 through it
	Cache    string `json:"cache,omitempty"`       // cold: dropped before; warm
	On       string `json:"on,omitempty"`          // device, file, guest, pod
	Volatile string `json:"write_cache,omitempty"` // off: the drive's write cache is switched off
	Data     string `json:"data,omitempty"`        // zero, random
	Protocol string `json:"protocol,omitempty"`
	Streams  int    `json:"streams,omitempty"`
	MTU      int    `json:"mtu,omitempty"` // B
}

// SettingsOf reads settings from the labels of a measurement: what happened,
// not what was requested.
func SettingsOf(labels map[string]string) Settings {
	s := Settings{
		Pattern: labels["pattern"], Direct: labels["direct"], Data: labels["source"],
		Protocol: labels["protocol"], Block: bytesize.Whole(bytesize.Binary(labels["bs"])),
	}
	s.Cache, _, _ = strings.Cut(labels["cache"], ":") // "cold: drop_caches"
	if s.Block == 0 {
		s.Block = bytesize.Whole(bytesize.Binary(labels["object_size"]))
	}
	if op := labels["op"]; s.Pattern == "" {
		s.Pattern = map[string]string{"seq": "read", "write": "write", "put": "put", "get": "get"}[op]
	}
	s.InFlight = inFlight(labels)
	s.Flush = flushOf(labels)
	s.Volatile = labels["lend.write_cache"]
	s.Streams, _ = strconv.Atoi(labels["streams"])
	s.MTU, _ = strconv.Atoi(labels["mtu"])
	return s
}

// inFlight returns the product of the labels that multiply to it, or 0 if one
// is unknown.
func inFlight(labels map[string]string) int {
	pairs := [][2]string{{"iodepth", "jobs"}, {"threads", "clients"}, {"concurrency", "clients"}}
	for _, p := range pairs {
		if labels[p[0]] == "" {
			continue
		}
		first, err := strconv.Atoi(labels[p[0]])
		if err != nil {
			continue
		}
		second, err := strconv.Atoi(labels[p[1]])
		switch {
		case err == nil:
			return first * second
		case p[0] == "concurrency":
			return first
		}
	}
	return 0
}

// flushOf returns when writes are made durable, as far as the labels tell.
func flushOf(labels map[string]string) string {
	for _, key := range []string{"fsync", "fdatasync"} {
		if labels[key] == "1" {
			return "each"
		}
		if v := labels[key]; v != "" && v != "0" {
			return "every " + v
		}
	}
	switch v := labels["sync"]; v {
	case "1", "sync", "dsync":
		return "each"
	case "0", "none":
		return "none"
	case "fsync", "fdatasync": // dd's conv: once, at the end
		return "end"
	default:
		if labels["pattern"] == "read" || labels["pattern"] == "randread" {
			return "none" // reads need no flush
		}
		return v
	}
}

// depthSlack is the factor by which high numbers of operations in flight may
// differ: a busy drive hardly gets faster with twice as many.
const depthSlack = 2

// Vendors rate random operations at 32 in flight and more, and transfers with
// enough in flight to keep the drive busy. Ratings say nothing about less.
const (
	ratedInFlight  = 32
	ratedTransfers = 8
	ratedBlock     = 128 << 10 // B, the smallest large transfer
)

// comparable reports whether f was measured like s, and which differences
// remain, in words. Unknown settings do not count as equal.
func (f Figure) comparable(s Settings) (apart []string, ok bool) {
	switch f.Kind {
	case OfNetwork:
		return f.comparableFlow(s)
	case OfDrive, OfStack:
		if f.Rated {
			return nil, f.comparableRating(s)
		}
		if !strings.HasPrefix(f.Metric, "storage.") {
			return nil, f.comparableRequests(s)
		}
		return f.comparableIO(s)
	}
	return nil, false
}

func (f Figure) comparableFlow(s Settings) (apart []string, ok bool) {
	p := f.Settings
	if s.Protocol != p.Protocol || s.Streams == 0 || p.Streams > 0 && s.Streams != p.Streams {
		return nil, false
	}
	if p.Streams == 0 {
		apart = append(apart, "with an unknown number of flows")
	}
	switch {
	case p.MTU == 0:
		apart = append(apart, "with an unknown MTU")
	case p.MTU != s.MTU:
		apart = append(apart, fmt.Sprintf("with MTU %d", p.MTU))
	}
	return apart, true
}

// comparableRating reports whether s is what vendors rate: direct, without
// flushes, with enough in flight.
func (f Figure) comparableRating(s Settings) bool {
	if s.Pattern != f.Settings.Pattern || s.Direct != "1" || s.Flush != "none" {
		return false
	}
	if f.Settings.Block > 0 {
		return s.Block == f.Settings.Block && s.InFlight >= ratedInFlight
	}
	return s.Block >= ratedBlock && s.InFlight >= ratedTransfers
}

func (f Figure) comparableRequests(s Settings) bool {
	p := f.Settings
	return s.Pattern == p.Pattern && s.Block == p.Block && s.InFlight > 0 && s.InFlight == p.InFlight
}

func (f Figure) comparableIO(s Settings) (apart []string, ok bool) {
	p := f.Settings
	oneByOne := p.Flush == "each" && p.InFlight == 1
	if s.Block != p.Block || s.Flush != p.Flush || s.Direct != p.Direct || s.Cache != p.Cache {
		return nil, false
	}
	if !depthsAlike(p.InFlight, s.InFlight) {
		return nil, false
	}
	if s.Pattern != p.Pattern {
		// With a flush for each write it does not matter where the write goes, except
		// to a head that seeks.
		if !oneByOne || f.Turns || !isWrite(s.Pattern) || !isWrite(p.Pattern) {
			return nil, false
		}
		apart = append(apart, map[bool]string{true: "one address after the other", false: "at random addresses"}[p.Pattern == "write"])
	}
	if p.On != s.On {
		apart = append(apart, map[string]string{"device": "on the bare device", "file": "on a file", "guest": "in a virtual machine", "pod": "in a pod"}[p.On])
	}
	switch off := "off"; {
	case p.Volatile == off && s.Volatile != off:
		apart = append(apart, "with the write cache off")
	case p.Volatile != off && s.Volatile == off:
		apart = append(apart, "with the write cache not switched off")
	}
	if p.Data == "zero" && s.Data != "zero" {
		apart = append(apart, "of zeros")
	}
	return apart, true
}

func isWrite(pattern string) bool { return pattern == "write" || pattern == "randwrite" }

// depthsAlike reports whether two numbers of operations in flight are comparable:
// low ones must be equal, high ones may differ by depthSlack.
func depthsAlike(a, b int) bool {
	if a <= 0 || b <= 0 {
		return false
	}
	if min(a, b) < 8 {
		return a == b
	}
	return max(a, b) <= depthSlack*min(a, b)
}
