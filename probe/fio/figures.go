package fio

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Parse parses the step "measure": fio's JSON or json+ of versions 2 and 3, or
// else its human-readable report. Of JSON, the last document is the figure,
// earlier ones (status intervals) its samples. Several jobs that fio did not
// group give separate figures, distinguished by the label job; of a server's
// clients, their sum comes first.
//
// Figures of a report are as printed. Those in operations and bytes per second
// have a label rounding: how far they may be from the true value.
func (*Probe) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil, fmt.Errorf("the transcript has no step %q: %w", stepMeasure, assay.ErrNoOutput)
	}
	o, err := figuresOf(step)
	if err != nil {
		return nil, err
	}
	runs := o.runs()
	names := uniqueNames(runs)
	command := readCommand(step.Argv)
	laidOut := bytes.Contains(step.Output.Stdout, []byte("Laying out IO file")) || bytes.Contains(step.Output.Stderr, []byte("Laying out IO file"))
	asked, fileSize := askedToEnd(step.Output), laidOutSize(step.Output) // for all jobs: each scans the whole output
	jobs := 0
	for _, run := range runs {
		jobs += len(run[len(run)-1].jobs)
	}
	all := make([]assay.Measurement, 0, usualFigures*min(jobs, likeFirst))
	done := 0
	for n, run := range runs {
		last := run[len(run)-1]
		if len(last.jobs) == 0 {
			return nil, fmt.Errorf("fio's document contains no job: %w", assay.ErrNoOutput)
		}
		alike := jobsAlike(last)
		for i, j := range last.jobs {
			if j.idle() {
				continue // fio was ended before it, or it only laid out a file
			}
			told := toldTo(command, last, j)
			f := figures{told: told, labels: labelsOf(told, last, j, alike[namesake(j)]), text: last.text, asked: asked, all: all, before: len(all)}
			if names[n][i] != "" {
				f.labels["job"] = names[n][i]
			}
			if j.members != 1 && len(last.jobs) == 1 { // 0: a group of which only the sum is left
				f.shares = func(dir string) [2]float64 { return last.shares[groupKey(j.host, j.group)+dir] }
			}
			if laidOut && !j.read.moved() && !j.mixed.moved() {
				// For a write-only job, fio then sets the length and allocates,
				// but writes no block.
				f.labels["layout"] = "allocated"
			}
			if fileSize != "" && f.labels["size"] == "" && len(last.jobs) == 1 && j.members <= 1 {
				// Not size: that would mean that fio's options are known.
				f.labels["laid_out"] = fileSize
			}
			if last.stopped != "" && !f.asked {
				f.labels["interrupted"] = last.stopped
				if share, err := strconv.ParseFloat(last.done, 64); err == nil {
					f.labels["done"] = strconv.FormatFloat(share/100, 'f', 3, 64)
				}
			}
			if tr.Step(stepMeasureDirect) != nil {
				f.labels["note"] = "direct I/O not supported"
			}
			if err := f.addJob(j, run, i); err != nil {
				return nil, fmt.Errorf("job %s: %w", names[n][i], err)
			}
			if len(last.jobs) == 1 {
				err = f.addDevice(j, last.disks)
			}
			if err != nil {
				return nil, fmt.Errorf("job %s: %w", names[n][i], err)
			}
			all = f.all
			if done++; done == likeFirst {
				all = slices.Grow(all, len(all)/likeFirst*(jobs-likeFirst))
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("job %s: %w", names[0][0], errNothingDone)
	}
	if length, known := lengthOf(step.Argv); known && tr.Settings["until"] == untilSteady {
		all = ofLastRounds(all, length)
	}
	return all, nil
}

// errNothingDone is why a job has no figures.
var errNothingDone = fmt.Errorf("fio completed no operations: %w", assay.ErrNoOutput)

const (
	// usualFigures is the capacity for the measurements of one job in two
	// directions.
	usualFigures = 80
	// likeFirst jobs determine the capacity for all others: thousands are
	// alike.
	likeFirst = 16
)

// namesake returns a key that jobs share if they cannot be told apart.
func namesake(j *job) string { return j.name + "\x00" + j.host }

func jobsAlike(d document) map[string]int {
	count := map[string]int{}
	for _, j := range d.jobs {
		count[namesake(j)]++
	}
	return count
}

// uniqueNames returns the names of each run's jobs, numbering those that occur
// more than once.
func uniqueNames(runs [][]document) [][]string {
	count := map[string]int{}
	for _, run := range runs {
		for key, n := range jobsAlike(run[len(run)-1]) {
			count[key] += n
		}
	}
	seen := map[string]int{}
	names := make([][]string, len(runs))
	for i, run := range runs {
		for _, j := range run[len(run)-1].jobs {
			key, label := namesake(j), j.name
			if count[key] > 1 {
				seen[key]++
				label += "#" + strconv.Itoa(seen[key])
			}
			names[i] = append(names[i], label)
		}
	}
	return names
}

// figures collects the measurements of one job.
type figures struct {
	labels map[string]string
	told   told
	text   bool // of a human-readable report: omit what it lacks
	asked  bool // fio was asked to end
	// shares returns the bandwidths of the slowest and the fastest job; nil if there is
	// only one.
	shares func(dir string) [2]float64
	all    []assay.Measurement // including those of earlier jobs
	before int                 // how many those are
}

// add appends one measurement, found on that line.
func (f *figures) add(metric string, v float64, unit assay.Unit, labels map[string]string, line int) *assay.Measurement {
	f.all = append(f.all, assay.Measurement{Metric: metric, Value: v, Unit: unit, Labels: labels, Line: line})
	return &f.all[len(f.all)-1]
}

func (f *figures) addJob(j *job, documents []document, index int) error {
	if j.mixed.moved() && !j.read.moved() && !j.write.moved() && !j.trim.moved() {
		dir := onlyDirection(f.labels["pattern"])
		if dir == "" {
			return assay.WithHint("run fio without unified_rw_reporting",
				"reads and writes are reported as one total and cannot be separated")
		}
		*j.make(dir) = *j.mixed
	}
	if err := f.mixedUp(j); err != nil {
		return err
	}
	longest, line := 0.0, 0
	for _, dir := range directionNames {
		d := j.direction(dir)
		if !d.moved() {
			continue
		}
		if d.runtime.set || !f.text {
			seconds, err := d.runtime.above("runtime", 1e-3)
			if err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
			if seconds > longest {
				longest, line = seconds, d.runtime.line
			}
		}
		if err := f.addDirection(dir, d, windows(documents, index, dir)); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	if len(f.all) == f.before {
		return errNothingDone
	}
	if err := f.addCompletion("storage.sync.", j.flush, f.labels); err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	if longest > 0 {
		labels := f.labels
		if f.asked {
			labels = maps.Clone(labels)
			labels["ended"] = "asked" // stopped early: its mean was known
		}
		f.add("tool.duration", longest, assay.Seconds, labels, cmp.Or(j.runtime.line, line))
	}
	if err := f.addErrors(j); err != nil {
		return err
	}
	return f.addShares(j)
}

// mixedUp returns the error for figures of a direction that the job did not
// have: two outputs are interleaved, and one has lost its name. A verify job
// reads back what it wrote.
func (f *figures) mixedUp(j *job) error {
	dir := onlyDirection(f.labels["pattern"])
	if dir == "" || !f.text || j.direction(dir).moved() || f.told.options["verify"] != "" || f.told.options["verify_only"] != "" {
		return nil
	}
	for _, other := range directionNames {
		if other != dir && j.direction(other).moved() {
			return assay.WithHint("print each output into a file of its own",
				"figures of a %s under rw=%s: two outputs are mixed", other, f.labels["pattern"])
		}
	}
	return nil
}

// onlyDirection returns the single direction of a pattern, or "" if it has
// several.
func onlyDirection(pattern string) string {
	switch dir := strings.TrimPrefix(pattern, "rand"); dir {
	case "read", "write", "trim":
		return dir
	}
	return ""
}

// addErrors adds the number of failed operations. A report without its head
// does not say whether there were any.
func (f *figures) addErrors(j *job) error {
	if !j.errors.set && !j.failed.set && f.text {
		return nil
	}
	errs := 0.0
	if j.errors.set {
		var err error
		if errs, err = j.errors.notNegative("total_err", 1); err != nil {
			return err
		}
	}
	f.add("storage.errors", errs, assay.One, f.labels, cmp.Or(j.failed.line, j.errors.line, j.line))
	return nil
}

func (f *figures) addDirection(dir string, d *direction, w []window) error {
	labels := maps.Clone(f.labels)
	bytes, err := d.bytes()
	if err != nil && (!f.text || d.ioBytes.set) {
		return err
	}
	if bs := blockLabel(f.told.options, dir, bytes, d.ios.v, f.text); bs != "" {
		labels["bs"] = bs
	}
	if f.shares != nil {
		if s := f.shares(dir); s[0] > 0 && s[1] >= s[0] {
			labels["least_share"], labels["most_share"] = strconv.FormatFloat(s[0], 'g', 6, 64), strconv.FormatFloat(s[1], 'g', 6, 64)
		}
	}
	stem := "storage." + dir + "."
	if !f.text || d.iops.v > 0 { // a report rounds down
		iops, err := d.iops.above("iops", 1)
		if err != nil {
			return err
		}
		f.add(stem+"iops", iops, assay.PerSecond, mended(rounded(labels, d.iops), d.iopsWrong), d.iops.line).
			Samples = samples(w, func(w window) float64 { return w.ios })
	}
	if !f.text || d.bwBytes.v > 0 {
		bandwidth, line, err := d.bandwidth()
		if err != nil {
			return err
		}
		f.add(stem+"bandwidth", bandwidth, assay.BytesPerSecond, mended(rounded(labels, d.bwBytes), d.bwWrong), line).
			Samples = samples(w, func(w window) float64 { return w.bytes })
	}
	if err := f.addLatencies(stem, d, labels); err != nil {
		return err
	}
	if d.ioBytes.set && (!f.text || bytes > 0) {
		f.add(stem+"bytes", bytes, assay.Bytes, labels, d.ioBytes.line)
	}
	if d.ios.set {
		ios, err := d.ios.above("total_ios", 1)
		if err != nil {
			return err
		}
		f.add(stem+"ios", ios, assay.One, labels, d.ios.line)
	}
	return f.addDeviations(stem, d, labels)
}

// rounded adds the maximum rounding error of a figure from the human-readable
// report.
func rounded(labels map[string]string, n number) map[string]string {
	if n.rounding == 0 {
		return labels
	}
	labels = maps.Clone(labels)
	labels["rounding"] = strconv.FormatFloat(n.rounding, 'g', -1, 64)
	return labels
}

// mended marks a figure that fio misprinted.
func mended(labels map[string]string, wrong bool) map[string]string {
	if !wrong {
		return labels
	}
	labels = maps.Clone(labels)
	labels["bug"] = printBug
	return labels
}

// addDeviations adds the standard deviations of fio's own rate samples. A single sample
// has no deviation, and samples of single operations are not rates: fio takes them when
// it writes a log without log_avg_msec.
func (f *figures) addDeviations(stem string, d *direction, labels map[string]string) error {
	for _, of := range []struct {
		metric, key string
		unit        assay.Unit
		scale       float64
		n, samples  number
		mean        number
	}{
		{"iops.stddev", "iops_stddev", assay.PerSecond, 1, d.iopsStdDev, d.iopsSamples, d.iopsMean},
		{"bandwidth.stddev", "bw_dev", assay.BytesPerSecond, 1024, d.bwStdDev, d.bwSamples, d.bwMean},
	} {
		if !of.n.set || of.n.v == 0 || of.samples.set && of.samples.v < 2 {
			continue
		}
		if d.ios.set && d.ios.v > 0 && of.samples.v >= fewOperations && of.samples.v*2 > d.ios.v {
			continue
		}
		v, err := of.n.notNegative(of.key, of.scale)
		if err != nil {
			return err
		}
		labels := labels
		if of.samples.set {
			labels = maps.Clone(labels)
			labels["samples"] = strconv.FormatFloat(of.samples.v, 'f', 0, 64)
		}
		if of.mean.set && of.mean.v > 0 {
			labels = maps.Clone(labels)
			labels["mean"] = strconv.FormatFloat(of.mean.v*of.scale, 'g', -1, 64)
		}
		f.add(stem+of.metric, v, of.unit, labels, of.n.line)
	}
	return nil
}

// fewOperations is a chosen limit: with fewer, a slow device may have as many
// samples.
const fewOperations = 1000

// addDevice adds what the kernel counted at the device directly below the file.
// If several devices are listed that are not stacked, none of them carried all
// of the I/O.
func (f *figures) addDevice(j *job, disks []disk) error {
	if len(disks) == 0 || len(disks) > 1 && !disks[0].stacked || disks[0].name == "" {
		return nil
	}
	labels := maps.Clone(f.labels)
	labels["device"] = disks[0].name
	if disks[0].idle() {
		labels["device_counted"] = "nothing"
	}
	for i, dir := range directionNames[:2] {
		if !j.direction(dir).moved() {
			continue
		}
		for _, of := range []struct {
			metric string
			unit   assay.Unit
			scale  float64
			n      number
		}{
			{"bytes", assay.Bytes, 512, disks[0].sectors[i]},
			{"ios", assay.One, 1, disks[0].ios[i]},
			{"merges", assay.One, 1, disks[0].merges[i]},
		} {
			if !of.n.set {
				continue
			}
			v, err := of.n.notNegative("disk_util "+of.metric, of.scale)
			if err != nil {
				return err
			}
			f.add("storage."+dir+".device."+of.metric, v, of.unit, labels, of.n.line)
		}
	}
	return nil
}

// laying matches fio's note that it creates a file; version 2 writes MB for
// MiB.
var laying = lazyregexp.New(`: Laying out IO file(?:\(s\))? \(1 file(?:\(s\))? / (\d{1,9})Mi?B\)`)

// laidOutSize returns the size in bytes of the one file that fio laid out, or "" if it
// made none or several.
func laidOutSize(out assay.Output) string {
	found := append(laying.FindAllSubmatch(out.Stdout, 2), laying.FindAllSubmatch(out.Stderr, 2)...)
	if len(found) != 1 {
		return ""
	}
	n, err := strconv.ParseInt(string(found[0][1]), 10, 64)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(n<<20, 10)
}
