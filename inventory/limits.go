package inventory

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay"
)

const cgroups = "/sys/fs/cgroup"

// limits reads the limits of the control groups that hold the commands, of
// version 2 and 1: the lowest of each, because the limits of all groups above
// apply too.
func (r *reader) limits() {
	l := assay.LimitFacts{}
	known := len(r.seenUnder(cgroups)) > 0
	io := map[string]*assay.IOLimit{}
	for _, file := range slices.Sorted(maps.Keys(r.files)) {
		if !strings.HasPrefix(file, cgroups+"/") {
			continue
		}
		known = true
		switch path.Base(file) {
		case "cpu.max": // "50000 100000", "max 100000"
			quota, period, _ := strings.Cut(r.word(file), " ")
			l.CPU = leastCPU(l.CPU, quota, period)
		case "cpu.cfs_quota_us": // -1: none
			l.CPU = leastCPU(l.CPU, r.word(file), r.word(path.Dir(file)+"/cpu.cfs_period_us"))
		case "memory.max", "memory.high", "memory.limit_in_bytes":
			if n, ok := r.number(file); ok && n > 0 && n < r.facts.Memory.Total {
				l.Memory = least(l.Memory, n)
			}
		case "io.max": // "8:0 rbps=1048576 wbps=max riops=max wiops=120"
			for _, line := range r.files[file] {
				device, rest, _ := strings.Cut(line, " ")
				for key, value := range fieldsOf(strings.Fields(rest), "=") {
					r.limitIO(io, device, key, value)
				}
			}
		case "blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device",
			"blkio.throttle.read_iops_device", "blkio.throttle.write_iops_device": // "8:0 1048576"
			key := map[string]string{"read_bps": "rbps", "write_bps": "wbps", "read_iops": "riops", "write_iops": "wiops"}
			name := strings.TrimSuffix(strings.TrimPrefix(path.Base(file), "blkio.throttle."), "_device")
			for _, line := range r.files[file] {
				device, value, _ := strings.Cut(line, " ")
				r.limitIO(io, device, key[name], value)
			}
		}
	}
	if !known {
		r.missing("CPU quota", "/sys/fs/cgroup cannot be read", "mount the control groups there")
		return
	}
	for _, device := range slices.Sorted(maps.Keys(io)) {
		l.IO = append(l.IO, *io[device])
	}
	r.facts.Limits = &l
}

// seenUnder returns the paths below a directory that were looked for and exist.
func (r *reader) seenUnder(dir string) (found []string) {
	for p := range r.seen {
		if strings.HasPrefix(p, dir+"/") {
			found = append(found, p)
		}
	}
	return found
}

// limitIO records one limit of a device, "8:0"; "max" means none.
func (r *reader) limitIO(all map[string]*assay.IOLimit, number, key, value string) {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n <= 0 {
		return
	}
	name := number
	for _, b := range r.facts.Block {
		if r.word(blockDir+b.Name+"/dev") == number {
			name = b.Name
		}
	}
	l := all[name]
	if l == nil {
		l = &assay.IOLimit{Device: name}
		all[name] = l
	}
	switch key {
	case "rbps":
		l.ReadBytes = least(l.ReadBytes, n)
	case "wbps":
		l.WriteBytes = least(l.WriteBytes, n)
	case "riops":
		l.Reads = least(l.Reads, n)
	case "wiops":
		l.Writes = least(l.Writes, n)
	}
}

// least returns the smaller of two limits, where 0 means none.
func least(a, b int64) int64 {
	if a == 0 {
		return b
	}
	return min(a, b)
}

func leastCPU(has float64, quota, period string) float64 {
	q, err := strconv.ParseInt(strings.TrimSpace(quota), 10, 64)
	p, errPeriod := strconv.ParseInt(strings.TrimSpace(period), 10, 64)
	if err != nil || errPeriod != nil || q <= 0 || p <= 0 {
		return has
	}
	if v := float64(q) / float64(p); has == 0 || v < has {
		return v
	}
	return has
}
