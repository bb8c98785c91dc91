package diskspd

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"assay"
	"assay/internal/winpath"
)

const program = "diskspd.exe"

// measureArgv returns the command that measures a trial for a length of time. The first
// argument that is not an option is the file: it begins with a drive letter. Sizes are in
// plain bytes.
//
// There is no warm-up: the runner measures its own. -Sh would write through whatever the
// settings; direct and sync mean what they do with fio.
func measureArgv(t assay.Trial, s assay.Scratch, length time.Duration) ([]string, error) {
	set, err := readSettings(t.Case, t.Settings)
	if err != nil {
		return nil, err
	}
	seconds := int(math.Round(length.Seconds()))
	switch {
	case length <= 0:
		return nil, fmt.Errorf("trial %s: no duration is set", t.ID)
	case !winpath.Absolute(s.File) || !ascii(s.File):
		return nil, fmt.Errorf("trial %s: DiskSpd cannot use the scratch file name %q", t.ID, s.File)
	case s.Bytes < set.bs:
		return nil, fmt.Errorf("trial %s: %d bytes of scratch space are not enough for a block size of %d", t.ID, s.Bytes, set.bs)
	}
	seconds = max(seconds, 1)
	number := func(option string, n int64) string { return option + strconv.FormatInt(n, 10) }
	argv := []string{
		program, number("-b", set.bs), number("-o", int64(set.depth)), number("-t", int64(set.jobs)), number("-w", int64(set.writes())),
		number("-f", s.Bytes/set.bs*set.bs),
	}
	switch {
	case set.random():
		argv = append(argv, "-r", "-z") // -z: other places in each repeat
	case set.jobs > 1:
		argv = append(argv, "-si") // one sequence for all, else all would read the same blocks
	}
	argv = append(argv, number("-d", int64(seconds)), "-W0", caching(set))
	if set.writes() > 0 {
		argv = append(argv, "-Zr")
	}
	if set.rate > 0 {
		argv = append(argv, number("-g", set.throttle()))
	}
	argv = append(argv, "-L")
	if step := sampling(set.jobs, seconds); step > 0 {
		argv = append(argv, number("-D", int64(step)*1000))
	}
	return append(argv, "-Rxml", s.File), nil
}

// caching returns the option for whether Windows may cache, and whether writes go
// through all caches.
func caching(s settings) string {
	switch {
	case s.direct && s.sync:
		return "-Suw"
	case s.direct:
		return "-Su"
	case s.sync:
		return "-Sbw"
	}
	return "-Sb"
}

// Limits on what samples add to DiskSpd's output. A guest agent passes on only some MiB,
// and each thread prints a line for each of its samples besides the overall one.
const (
	sampleBytes  = 400
	mostSampled  = 1 << 20
	fewestSample = 5 // fewer say nothing
)

// sampling returns how many seconds a sample takes, the fewest that there is room for; 0 for
// none.
func sampling(jobs, seconds int) int {
	most := mostSampled / (sampleBytes * (jobs + 1))
	step := (seconds + most - 1) / max(most, 1)
	if most < fewestSample || seconds/max(step, 1) < fewestSample {
		return 0
	}
	return step
}
