package fio

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/winpath"
)

// percentiles are those requested of fio, in percent. fio takes at most 20.
var percentiles = []float64{1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99}

func percentileList() string {
	var words []string
	for _, p := range percentiles {
		words = append(words, strconv.FormatFloat(p, 'f', -1, 64))
	}
	return strings.Join(words, ":")
}

// readonly makes fio refuse to write.
const readonly = "--readonly"

// measureArgv returns the command that measures a trial for a length of time.
//
// There is no ramp time: the runner measures its own warm-up, and the device's
// counters are compared with exactly the bytes that fio counts. Sizes are in
// plain bytes, since fio's KiB is 1000 of them.
func measureArgv(t assay.Trial, s assay.Scratch, seconds time.Duration) ([]string, error) {
	set, err := readSettings(t.Case, t.Settings)
	if err != nil {
		return nil, err
	}
	if set.engine == engineAsync || set.jobs == 0 {
		return nil, fmt.Errorf("trial %s: engine and numjobs must be set before it runs", t.ID)
	}
	if seconds <= 0 {
		return nil, fmt.Errorf("trial %s: no duration is set", t.ID)
	}
	if isRaw(t) && !set.reads() { // a stored trial may say so: nobody lent the device
		return nil, fmt.Errorf("trial %s: rw: %s would destroy the data on %s", t.ID, set.rw, devicePath(t.Subject))
	}
	if s.Image != nil {
		set = set.onImage()
	}
	region, step, err := regions(set, s.Bytes)
	if err != nil {
		return nil, fmt.Errorf("trial %s: %w", t.ID, err)
	}
	args := []string{
		"--size=" + strconv.FormatInt(region, 10),
		"--rw=" + set.rw,
		"--bs=" + strconv.FormatInt(set.bs, 10),
		"--ioengine=" + set.engine,
		"--iodepth=" + strconv.Itoa(set.depth),
		"--numjobs=" + strconv.Itoa(set.jobs),
		"--direct=" + set.resolved()["direct"],
	}
	if s.Image == nil {
		args = append(args, "--sync="+set.sync)
	} else if set.sync != "0" {
		args = append(args, flushEach)
	}
	if step > 0 {
		args = append(args, "--offset_increment="+strconv.FormatInt(step, 10))
	}
	if isRaw(t) || t.Risk == assay.Reads {
		args = append(args, readonly) // fio then refuses any write
	}
	if set.direct {
		args = append(args, uncached(t)...)
	}
	if set.mix >= 0 {
		args = append(args, "--rwmixread="+strconv.Itoa(set.mix))
	}
	if set.rate > 0 {
		args = append(args, "--rate_iops="+strconv.Itoa(set.rate))
	}
	if set.flush > 0 {
		args = append(args, "--fdatasync="+strconv.Itoa(set.flush))
	}
	args = append(args,
		"--time_based", "--runtime="+runtime(seconds), "--group_reporting",
		"--randrepeat=0", "--allow_file_create=0", "--fallocate=none",
		"--percentile_list="+percentileList(),
		"--output-format=json+", "--status-interval=1", "--eta=never")
	return on(s, jobName(t.Case), args)
}

// on returns fio's command line for one job on the scratch space.
func on(s assay.Scratch, job string, args []string) ([]string, error) {
	if s.Image != nil {
		return imageCommand(job, *s.Image, args)
	}
	return command(job, s.File, args)
}

// uncached keeps fio from dropping the cache of a block device, which needs
// root, and which direct I/O does not use.
func uncached(t assay.Trial) []string {
	if t.Subject.Kind == assay.KindBlock || t.Subject.Kind == assay.KindImage {
		return []string{"--invalidate=0"}
	}
	return nil
}

// regions returns the bytes that one job works on, and the offset between jobs:
// several sequential jobs get a part of the file each, since they would
// otherwise read the same blocks one after another.
func regions(s settings, bytes int64) (size, step int64, err error) {
	parts := int64(1)
	if s.sequential() {
		parts = int64(s.jobs)
	}
	size = bytes / parts / s.bs * s.bs
	if size <= 0 {
		return 0, 0, fmt.Errorf("%d bytes of scratch space are not enough for %d jobs with a block size of %d",
			bytes, s.jobs, s.bs)
	}
	if parts > 1 {
		step = size
	}
	return size, step, nil
}

// prepareArgv returns the command that writes the first bytes of the file,
// sequentially and incompressibly; it stops early when seconds run out (0: never).
// Buffered writes are flushed every 32 MiB: on a slow drive, what is left in the
// page cache when the time is up would take minutes more.
func prepareArgv(t assay.Trial, s assay.Scratch, seconds time.Duration, direct bool) ([]string, error) {
	set, err := fillSettings(t)
	if err != nil {
		return nil, err
	}
	engine, depth := "psync", 1
	if s.Image != nil {
		engine, depth = engineImage, 8
	} else if direct && slices.Contains(asyncEngines, set.engine) {
		engine, depth = set.engine, 8
	}
	args := []string{
		"--size=" + strconv.FormatInt(s.Bytes/mib*mib, 10),
		"--rw=write",
		"--bs=1048576",
		"--ioengine=" + engine,
		"--iodepth=" + strconv.Itoa(depth),
	}
	if direct {
		args = append(args, "--direct=1")
		args = append(args, uncached(t)...)
	} else {
		args = append(args, "--direct=0", "--fsync=32")
	}
	args = append(args, "--refill_buffers", "--end_fsync=1", "--fallocate=none")
	if seconds > 0 {
		args = append(args, "--runtime="+runtime(seconds))
	}
	args = append(args, "--output-format=json", "--eta=never")
	return on(s, "prepare", args)
}

// fillSettings returns the settings that matter for filling a file.
func fillSettings(t assay.Trial) (settings, error) {
	if isUserJob(t) {
		return settings{engine: t.Settings["engine"]}, nil
	}
	return readSettings(t.Case, t.Settings)
}

// runtime formats a length of time for fio.
func runtime(d time.Duration) string {
	if d%time.Second == 0 {
		return strconv.FormatInt(int64(d/time.Second), 10)
	}
	return strconv.FormatInt(max(1, d.Milliseconds()), 10) + "ms"
}

var plainName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// jobName returns the name that fio prints; a name that fio might misread is
// not passed to it.
func jobName(c string) string {
	if plainName.MatchString(c) {
		return c
	}
	return "assay"
}

// command returns fio's command line for one job on one file.
//
// fio parses a file name in two ways, even on its command line: it splits it at
// ":", which a backslash prevents, and cuts it off at "#" and ";", which
// nothing prevents. The shortened name would be another file, and fio would
// remove it to write its own. A directory with such a name is therefore entered
// first.
func command(job, file string, args []string) ([]string, error) {
	if winpath.Absolute(file) {
		return windowsCommand(job, file, args)
	}
	dir, base := path.Split(file)
	switch {
	case !path.IsAbs(file):
		return nil, fmt.Errorf("scratch file %q is not an absolute path", file)
	case base == "" || base == "." || base == ".." || strings.ContainsAny(base, "#;") ||
		strings.TrimSpace(base) != base || strings.HasPrefix(base, "-") || strings.ContainsAny(file, "\n\r\x00"):
		return nil, fmt.Errorf("fio cannot use the scratch file name %q", file)
	}
	words := []string{"fio"}
	if strings.ContainsAny(dir, "#;") {
		words = []string{"sh", "-c", `cd "$1" && shift && exec fio "$@"`, "sh", dir}
		file = base
	}
	words = append(words, "--name="+job, "--filename="+strings.ReplaceAll(file, ":", `\:`))
	return append(words, args...), nil
}
