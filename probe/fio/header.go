package fio

import (
	"strconv"
	"strings"

	"assay/internal/setting"
)

// header is the line with which fio announces a job, or several identical ones:
//
//	sync-write: (g=0): rw=write, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
//	test: (g=0): rw=randrw, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=64
type header struct {
	name, host, group string
	options           options
}

// readHeader reads the header whose name ends at offset at of the line. kilo is
// the value of K.
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

var directionMarks = strings.NewReplacer("(R)", "", "(W)", "", "(T)", "", "/", ",")

// blockSizes converts the block sizes of a header to the format of the option
// bs: bytes for reads, writes and trims, as a range where they differ.
func blockSizes(text string, kilo float64) string {
	text = directionMarks.Replace(text)
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
			size = setting.SizeWord(int64(from.v)) + "-" + setting.SizeWord(int64(to.v))
		}
		sizes = append(sizes, size)
	}
	return strings.Join(sizes, ",")
}

// announced holds what headers say about jobs, by server and group.
type announced struct {
	all   options            // common to all headers
	group map[string]options // of one group
	// alone holds those in a group that match no job's name: fio added them up.
	alone map[string]options
	job   map[string]options // of one name
}

// announce collects the headers of jobs that have figures.
func announce(headers []header, jobs []*job) announced {
	a := announced{group: map[string]options{}, alone: map[string]options{}, job: map[string]options{}}
	named := map[string]bool{}
	for _, j := range jobs {
		named[groupKey(j.host, j.group)+j.name] = true
	}
	for _, h := range headers {
		group := groupKey(h.host, h.group)
		name := group + h.name
		a.all = inCommon(a.all, h.options)
		a.group[group] = inCommon(a.group[group], h.options)
		a.job[name] = inCommon(a.job[name], h.options)
		if !named[name] {
			a.alone[group] = inCommon(a.alone[group], h.options)
		}
	}
	return a
}

func groupKey(host, group string) string { return host + "\x00" + group + "\x00" }

// of returns the options that headers give for a job. If fio added up jobs of
// several headers, these are the shared ones.
func (a announced) of(j *job) options {
	group := groupKey(j.host, j.group)
	own, alone := a.job[group+j.name], a.alone[group]
	switch {
	case j.group == "" || j.name == allClients:
		return a.all
	case own == nil && alone == nil:
		return a.group[group]
	case own == nil:
		return alone
	case j.members > 1 && alone != nil:
		return inCommon(own, alone)
	}
	return own
}

// inCommon returns the options with equal values in a and b, or b if a is nil.
func inCommon(a, b options) options {
	if a == nil {
		return b
	}
	o := options{}
	for k, v := range a {
		if b[k] == v {
			o[k] = v
		}
	}
	return o
}
