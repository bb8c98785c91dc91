package fio

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/setting"
)

// labelsOf describes how a job actually ran. Unknown settings are left out,
// except fio's own defaults if all its options are known. alike is how many
// entries of the document have the name of j.
func labelsOf(t told, d document, j *job, alike int) map[string]string {
	version := strings.TrimPrefix(d.version, "fio-")
	labels := map[string]string{"tool": name}
	put := func(key, value string) {
		if value != "" {
			labels[key] = value
		}
	}
	put("version", version)
	put("job", j.name)
	put("host", j.host)

	engine := t.options["ioengine"]
	if engine == "" && t.complete && !deeperThanOne(j) {
		engine = defaultEngine(version)
	}
	put("engine", engine)
	put("pattern", pattern(t.options["rw"]))
	put("jobs", jobsIn(t, d, j, alike))
	put("direct", directFlag(t))
	put("sync", syncFlag(t))
	put("source", source(t.options))
	put("size", walked(t.options))
	put("file", t.options["filename"])
	for _, key := range []string{"fsync", "fdatasync", "rate", "rate_iops", "thinktime"} {
		if t.options[key] != "0" {
			put(key, t.options[key])
		}
	}
	for _, key := range []string{"end_fsync", "fsync_on_close"} {
		if value, given := t.options[key]; given && value != "0" {
			labels[key] = "1" // a bare name in a job file means 1
		}
	}
	for _, key := range []string{"runtime", "ramp_time", "numjobs", "offset_increment"} {
		put(key, t.options[key])
	}
	if j.cpu.set && j.cpu.v <= 100.5 {
		put("cpu_share", strconv.FormatFloat(min(j.cpu.v/100, 1), 'f', 4, 64))
	}
	if d.started > 0 && d.text && !d.clients {
		put("started", strconv.Itoa(d.started))
	}
	putDepth(labels, t, j, engine)
	return labels
}

// putDepth labels the actual queue depth, and the requested one if it differs.
func putDepth(labels map[string]string, t told, j *job, engine string) {
	asked := ""
	if t.complete {
		asked = "1"
	}
	if n, err := strconv.Atoi(t.options["iodepth"]); err == nil && n > 0 {
		asked = strconv.Itoa(n)
	}
	if asked == "" {
		return
	}
	labels["iodepth"] = asked
	if asked != "1" && (synchronous(engine) || neverDeeperThanOne(j)) {
		labels["iodepth"], labels["requested_iodepth"] = "1", asked
	}
}

// defaultEngine returns fio's default engine on Linux: psync, or sync before
// version 3.
func defaultEngine(version string) string {
	if strings.HasPrefix(version, "2.") || strings.HasPrefix(version, "1.") {
		return "sync"
	}
	return "psync"
}

// synchronous reports whether an engine waits for each operation before the next.
func synchronous(engine string) bool { return slices.Contains(syncEngines, engine) }

// deeperThanOne reports whether fio itself counted overlapping operations: no synchronous
// engine has any, so its default was not one, as on Windows.
func deeperThanOne(j *job) bool {
	return slices.ContainsFunc(j.depths, func(s share) bool { return s.level != "1" && s.percent.v > 0 })
}

// neverDeeperThanOne reports whether fio itself counted no overlapping operations.
func neverDeeperThanOne(j *job) bool {
	one := false
	for _, s := range j.depths {
		switch {
		case s.level == "1":
			one = s.percent.v >= 99.995
		case s.percent.v > 0:
			return false
		}
	}
	return one
}

// pattern returns the value of rw without the number that may follow a colon.
func pattern(rw string) string {
	rw, _, _ = strings.Cut(rw, ":")
	if rw == "readwrite" {
		return "rw"
	}
	return rw
}

// jobsIn returns how many jobs the figures of j add up: as reported, or all that
// were started if fio grouped them, else one. For the sum over all clients, JSON
// does not say.
func jobsIn(t told, d document, j *job, alike int) string {
	switch {
	case j.members > 0:
		return strconv.Itoa(j.members)
	case !t.complete || j.name == allClients && d.clients:
		return ""
	}
	n, err := strconv.Atoi(t.options["numjobs"])
	if err != nil && d.clients {
		n, err = grouped(j), nil // fio --client documents have no options of their jobs
	}
	if err != nil || n < 1 || alike > 1 {
		n = 1
	}
	if alike == 1 && n == 1 {
		n = sections(j)
	}
	return strconv.Itoa(n)
}

// grouped returns how many jobs were added up, judging by times: job_runtime is
// their sum, and a direction lasts as long as its longest job.
func grouped(j *job) int {
	longest := 0.0
	for _, d := range []*direction{j.read, j.write, j.trim, j.mixed} {
		if d != nil {
			longest = max(longest, d.runtime.v)
		}
	}
	if !(longest > 0) {
		return 1
	}
	return int(min(max(math.Round(j.runtime.v/longest), 1), 1e6))
}

// sections returns how many sections of a job file fio added up in one entry,
// which has only the first one's name and options. It is derived from their times,
// provided they ran equally long.
func sections(j *job) int {
	n := grouped(j)
	longest := 0.0
	for _, d := range []*direction{j.read, j.write, j.trim, j.mixed} {
		if d != nil {
			longest = max(longest, d.runtime.v)
		}
	}
	if n < 2 || math.Abs(j.runtime.v/longest/float64(n)-1) > sameLength {
		return 1
	}
	return n
}

// sameLength is the tolerance between the times of jobs that ran equally long.
const sameLength = .02

func directFlag(t told) string {
	direct, buffered := t.options["direct"], t.options["buffered"]
	switch {
	case direct != "":
	case buffered == "0":
		return "1"
	case buffered == "" && !t.complete:
		return ""
	}
	if direct == "1" {
		return "1"
	}
	return "0"
}

func syncFlag(t told) string {
	switch value := t.options["sync"]; value {
	case "":
		if !t.complete {
			return ""
		}
		return "0"
	case "0", "none":
		return "0"
	case "1", "sync":
		return "1"
	default:
		return value
	}
}

// source returns what is written if it is easier than real data: "zero", or
// "compressible".
func source(o options) string {
	set := func(key string) bool { return o[key] != "" && o[key] != "0" }
	_, bare := o["zero_buffers"]
	switch {
	case bare && o["zero_buffers"] != "0", o["buffer_compress_percentage"] == "100" && !set("buffer_pattern"):
		return "zero"
	case o["buffer_pattern"] != "" && strings.Trim(o["buffer_pattern"], "0x\"'") == "":
		return "zero"
	case set("buffer_pattern"), set("buffer_compress_percentage"), set("dedupe_percentage"):
		return "compressible"
	}
	return ""
}

// walked returns how many bytes all jobs of a command touch together: in one
// file from each job's offset, or in a file each.
func walked(o options) string {
	size, ok := o.size("size")
	if !ok {
		return o["size"]
	}
	jobs, err := strconv.ParseInt(o["numjobs"], 10, 32)
	if err != nil || jobs < 1 {
		jobs = 1
	}
	step, apart := o.size("offset_increment")
	if o["filename"] == "" || strings.Contains(o["filename"], "$jobnum") {
		step, apart = size, true
	}
	if apart && step <= (1<<62)/jobs && size <= 1<<62-step*(jobs-1) {
		size += step * (jobs - 1)
	}
	return strconv.FormatInt(size, 10)
}

// blockLabel returns the block size of one direction (4k): from the option, or
// from the counters if fio did not print it and they divide evenly. A report's
// counters are rounded, and not used.
func blockLabel(o options, dir string, bytes, ios float64, rounded bool) string {
	if text, given := o["bs"]; given {
		parts := strings.Split(text, ",")
		part := strings.TrimSpace(parts[min(slices.Index(directionNames, dir), len(parts)-1)])
		if n, ok := fioSize(part, o["kb_base"]); ok {
			return setting.SizeWord(n)
		}
		return part
	}
	for _, key := range []string{"bssplit", "bsrange"} {
		if o[key] != "" {
			return o[key]
		}
	}
	if !rounded && ios > 0 && bytes >= ios && bytes < 1<<53 && int64(bytes)%int64(ios) == 0 {
		return setting.SizeWord(int64(bytes) / int64(ios))
	}
	return ""
}
