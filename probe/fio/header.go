package fio

import (
	"strconv"
	"strings"
)

// header is the line with which fio announces a job, or several alike:
//
//	sync-write: (g=0): rw=write, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
//	test: (g=0): rw=randrw, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=64
type header struct {
	name, host, group string
	options           options
}

// readHeader reads the header whose name ends at offset at of the line. kilo is
// what K stands for.
func readHeader(text string, at int, host string, kilo float64) (h header, ok bool) {
	rest := text[at+2:]
	group, rest, whole, ok := field(rest, "(g=", ")")
	if !ok || !whole || !strings.HasPrefix(text[at+2:], "(g=") {
		return h, false
	}
	h = header{name: strings.TrimSpace(text[:at]), host: host, group: group, options: options{}}
	if value, _, whole, ok := field(rest, "rw=", ","); ok && whole {
		h.options["rw"] = value
	}
	if from := strings.Index(rest, "bs="); from >= 0 {
		if to := strings.Index(rest[from:], ", ioengine="); to > 0 {
			if sizes := blockSizes(rest[from+len("bs="):from+to], kilo); sizes != "" {
				h.options["bs"] = sizes
			}
		}
	}
	if value, _, whole, ok := field(rest, "ioengine=", ","); ok && whole {
		h.options["ioengine"] = value
	}
	if value, _, _, ok := field(rest, "iodepth=", ", "); ok {
		if n, err := strconv.Atoi(value); err == nil && n > 0 {
			h.options["iodepth"] = value
		}
	}
	return h, true
}

// blockSizes turns the block sizes of a header into those of the option bs:
// bytes for reads, writes and trims, with a range where there is one.
func blockSizes(text string, kilo float64) string {
	text = strings.NewReplacer("(R)", "", "(W)", "", "(T)", "", "/", ",").Replace(text)
	scale := byteScale(true, kilo)
	var sizes []string
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		from, ok := readQuantity(low, scale)
		to := from
		if isRange {
			var okTo bool
			to, okTo = readQuantity(high, scale)
			ok = ok && okTo
		}
		if !ok || from.v > 1<<50 || to.v > 1<<50 {
			return ""
		}
		size := strconv.FormatInt(int64(from.v), 10)
		if to.v != from.v {
			size = blockWord(int64(from.v)) + "-" + blockWord(int64(to.v))
		}
		sizes = append(sizes, size)
	}
	return strings.Join(sizes, ",")
}

// headerOf gives what the headers say of a job. Where fio added up jobs of
// several headers, that is what all of them say.
func (r *report) headerOf(j *job) options {
	var own, others []header
	for _, h := range r.headers {
		switch {
		case j.group != "" && h.group != j.group || j.host != "" && h.host != j.host:
		case h.name == j.name:
			own = append(own, h)
		default:
			others = append(others, h)
		}
	}
	if j.name == "" || j.name == allClients || len(own) == 0 || j.members > 1 {
		for _, h := range others {
			if !r.hasJob(h) {
				own = append(own, h)
			}
		}
	}
	if len(own) == 0 {
		own = others
	}
	return inCommon(own)
}

// hasJob says whether there are figures of the jobs of a header alone.
func (r *report) hasJob(h header) bool {
	for _, j := range r.d.jobs {
		if j.name == h.name && j.host == h.host && j.group == h.group {
			return true
		}
	}
	return false
}

func inCommon(headers []header) options {
	o := options{}
	for i, h := range headers {
		if i == 0 {
			for k, v := range h.options {
				o[k] = v
			}
			continue
		}
		for k, v := range o {
			if h.options[k] != v {
				delete(o, k)
			}
		}
	}
	return o
}
