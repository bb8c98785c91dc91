package jobfile

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// engines are those that only read and write an ordinary file or a device.
var engines = []string{
	"io_uring", "libaio", "posixaio", "psync", "sync", "pvsync", "pvsync2", "vsync", "mmap",
}

// plainValue matches what a value may consist of. fio expands $, runs bc on
// arithmetic and opens quoted files.
var plainValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.,:%/+-]*$`) })

var rwValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^((rand)?(read|write|rw|trim|trimwrite)|readwrite)(:[0-9A-Za-z]+)?$`)
})

// allowed are the options that only affect how the lent space is read and written. A
// nil check accepts any plain value.
var allowed = map[string]func(string) error{
	"rw": pattern, "readwrite": pattern,
	"bs": blocks, "blocksize": blocks,
	"ioengine": engine,
	"iodepth":  upTo(65536),
	"numjobs":  upTo(1024),
	"size":     share, "io_size": share, "io_limit": share, "offset": share,
	"filesize": size, "offset_increment": size,
	"runtime": span, "timeout": span, "ramp_time": span,
	"loops": upTo(1e6),

	"time_based": nil, "direct": nil, "buffered": nil, "sync": nil, "fsync": nil, "fdatasync": nil,
	"end_fsync": nil, "fsync_on_close": nil, "sync_file_range": nil, "write_barrier": nil, "invalidate": nil,
	"pre_read": nil, "fadvise_hint": nil, "atomic": nil, "write_hint": nil, "offset_align": nil,
	"ba": nil, "blockalign": nil, "bsrange": nil, "blocksize_range": nil, "bssplit": nil,
	"bs_unaligned": nil, "blocksize_unaligned": nil, "bs_is_seq_rand": nil,
	"rwmixread": nil, "rwmixwrite": nil, "rw_sequencer": nil, "percentage_random": nil,
	"random_distribution": nil, "random_generator": nil, "randrepeat": nil, "allrandrepeat": nil,
	"randseed": nil, "norandommap": nil, "softrandommap": nil, "number_ios": nil,
	"iodepth_batch": nil, "iodepth_batch_submit": nil, "iodepth_batch_complete": nil,
	"iodepth_batch_complete_min": nil, "iodepth_batch_complete_max": nil, "iodepth_low": nil,
	"serialize_overlap": nil, "io_submit_mode": nil, "thread": nil,
	"rate": nil, "rate_iops": nil, "rate_process": nil, "rate_ignore_thinktime": nil,
	"thinktime": nil, "thinktime_spin": nil, "thinktime_blocks": nil, "thinktime_blocks_type": nil, "thinktime_iotime": nil,
	"max_latency": nil, "latency_target": nil, "latency_window": nil, "latency_percentile": nil, "latency_run": nil,
	"zero_buffers": nil, "refill_buffers": nil, "scramble_buffers": nil, "buffer_compress_percentage": nil,
	"buffer_compress_chunk": nil, "dedupe_percentage": nil,
	"nice": nil, "prio": nil, "prioclass": nil, "cpumask": nil, "cpus_allowed": nil, "cpus_allowed_policy": nil,
	"numa_cpu_nodes": nil, "numa_mem_policy": nil, "clocksource": nil, "gtod_reduce": nil, "gtod_cpu": nil,
	"hipri": nil, "fixedbufs": nil, "registerfiles": nil, "sqthread_poll": nil, "sqthread_poll_cpu": nil,
	"nonvectored": nil, "uncached": nil, "nowait": nil, "force_async": nil, "userspace_reap": nil,
}

// Why an option is left out of the job that runs.
const (
	lent     = "assay provides the space"
	order    = "assay runs each section by itself"
	reported = "assay chooses what fio reports"
	laidOut  = "assay has written the whole space before the job starts"
)

// left are the options that are not passed on, and why; omitting them does not change
// what is measured.
var left = map[string]string{
	"filename": lent, "directory": lent, "allow_mounted_write": lent, "nrfiles": lent, "nr_files": lent, "openfiles": lent, "file_service_type": lent, "unlink": lent, "filename_format": lent, "unique_filename": lent,
	"stonewall": order, "wait_for_previous": order, "wait_for": order, "new_group": order, "startdelay": order, "exitall": order, "exit_what": order, "exitall_on_error": order, "name": order, "description": order,
	"group_reporting": reported, "percentile_list": reported, "clat_percentiles": reported, "lat_percentiles": reported, "slat_percentiles": reported, "significant_figures": reported, "disk_util": reported, "stats": reported, "log_avg_msec": reported, "unified_rw_reporting": reported,
	"disable_lat": reported, "disable_clat": reported, "disable_slat": reported, "disable_bw": reported, "disable_bw_measurement": reported,
	"fallocate": laidOut, "overwrite": laidOut, "create_serialize": laidOut, "create_fsync": laidOut, "create_on_open": laidOut,
}

// Why an option is refused.
const (
	runs     = "runs a command"
	logs     = "writes a log file into the directory that fio runs in; assay keeps every second's figures itself"
	replays  = "takes what to read and write from another file, which may name other devices"
	machine  = "changes the machine, not only the lent space"
	states   = "leaves files behind when verification fails, and reads back what it wrote: not a benchmark"
	beyond   = "writes beyond the lent space"
	zones    = "resets zones of the whole device"
	identity = "runs the job as another user"
	sizes    = "changes what k and m mean: write powers of 1024 instead"
	together = "ties sections together, but assay runs each on its own"
)

// refused are the options whose effects are not allowed here.
var refused = map[string]string{
	"exec_prerun": runs, "exec_postrun": runs, "trigger": runs, "trigger_file": runs, "trigger-file": runs, "trigger-remote": runs,
	"write_bw_log": logs, "write_lat_log": logs, "write_iops_log": logs, "write_hist_log": logs, "bandwidth_log": logs, "log_store_compressed": logs,
	"write_iolog": "writes a log file", "output": "writes a file", "aux-path": "writes files elsewhere",
	"read_iolog": replays, "replay_redirect": replays, "merge_blktrace_file": "writes a trace file", "opendir": "opens every file below a directory", "profile": "replaces the job by a profile",
	"ioscheduler": machine, "cgroup": machine, "cgroup_weight": machine, "cgroup_nodelete": machine, "lockmem": "locks memory of the whole machine", "hugepage-size": machine, "lockfile": machine,
	"verify": states, "do_verify": states, "verify_only": states, "verify_dump": states, "verify_state_save": states, "verify_state_load": states, "experimental_verify": states,
	"fill_device": beyond, "fill_fs": beyond, "file_append": beyond, "size_range": beyond,
	"unlink_each_loop": "removes the lent file", "create_only": "measures nothing",
	"mem": "may map a file or huge pages of the machine", "iomem": "may map a file or huge pages of the machine",
	"buffer_pattern": "may read any file as its pattern", "verify_pattern": "may read any file as its pattern",
	"zonemode": zones, "zonesize": zones, "zonerange": zones, "zoneskip": zones, "zone_reset_threshold": zones,
	"uid": identity, "gid": identity,
	"kb_base": sizes, "unit_base": sizes,
	"flow": together, "flow_id": together, "flow_watermark": together, "flow_sleep": together, "dedupe_global": together,
	"client": "sends the job to another host", "server": "opens a port to the network",
	"hostname": "talks to another host", "port": "talks to another host", "protocol": "talks to another host", "listen": "opens a port to the network",
}

// check rejects an option that assay does not run.
func check(o Option) error {
	if why := refused[o.Name]; why != "" {
		return fmt.Errorf("%s %s: remove it", o.Name, why)
	}
	if left[o.Name] != "" {
		return nil
	}
	fit, known := allowed[o.Name]
	switch {
	case !known:
		return fmt.Errorf("unknown option %q: assay passes on only options whose effect it knows", clip(o.Name))
	case !plainValue().MatchString(o.Value):
		return fmt.Errorf("%s=%s: write the value itself: fio would expand variables, compute or open files", o.Name, clip(o.Value))
	case fit == nil:
		return nil
	case !o.Given:
		return fmt.Errorf("%s has no value", o.Name)
	}
	if err := fit(o.Value); err != nil {
		return fmt.Errorf("%s=%s: %w", o.Name, clip(o.Value), err)
	}
	return nil
}

func engine(v string) error {
	switch {
	case slices.Contains(engines, v):
		return nil
	case strings.HasPrefix(v, "external"):
		return errors.New("loads a program from a file")
	}
	return fmt.Errorf("this engine does not read and write the lent file; use one of %s", strings.Join(engines, ", "))
}

func pattern(v string) error {
	if !rwValue().MatchString(v) {
		return errors.New("not an access pattern: use read, randwrite, randrw or another of fio's")
	}
	return nil
}

func upTo(most int64) func(string) error {
	return func(v string) error {
		if n, ok := readSize(v); !ok || n < 1 || n > most {
			return fmt.Errorf("not a number from 1 to %d", most)
		}
		return nil
	}
}

// mostBlock is fio's largest buffer per operation in flight, in bytes.
const mostBlock = 64 << 20

func blocks(v string) error {
	for part := range strings.SplitSeq(v, ",") {
		if n, ok := readSize(part); part != "" && (!ok || n < 512 || n > mostBlock) {
			return errors.New("not a block size from 512 to 64m")
		}
	}
	return nil
}

// mostBytes is more than any drive has.
const mostBytes = 1 << 60

func size(v string) error {
	if n, ok := readSize(v); !ok || n > mostBytes {
		return errors.New("not a size such as 512m or 4g")
	}
	return nil
}

func share(v string) error {
	if digits, is := strings.CutSuffix(v, "%"); is {
		if n, ok := readSize(digits); ok && n <= 100 {
			return nil
		}
		return errors.New("not a percentage up to 100%")
	}
	return size(v)
}

func span(v string) error {
	if _, ok := readSpan(v); !ok {
		return errors.New("not a time such as 30, 30s or 5m")
	}
	return nil
}

func clip(word string) string {
	if len(word) > 80 {
		return word[:80] + "…"
	}
	return word
}
