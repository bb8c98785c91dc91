package fio

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"assay"
	"assay/probe/fio/jobfile"
)

// jobText is the setting with a section of a user's own job file, which runs as it is. The
// other settings only describe it.
const jobText = "job"

// isUserJob reports whether a trial runs a user's own job file.
func isUserJob(t assay.Trial) bool { return t.Settings[jobText] != "" }

// usualRate is the assumed throughput of storage for a job without a runtime, in bytes per
// second.
const usualRate = 100 * mib

// userTrials returns one trial of a user's own job for everything that lends space.
func (of tool) userTrials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	for key := range c.Set {
		if key != jobText && key != "size" {
			return nil, assay.WithHint("write it as a line of the job", "case %s: %s: a fio job file takes no other settings", c.Name, key)
		}
	}
	job, err := jobfile.Parse(c.Name, c.Set[jobText])
	switch {
	case err != nil:
		return nil, fmt.Errorf("case %s: %w", c.Name, err)
	case !slices.Contains([]assay.SubjectKind{assay.KindDirectory, assay.KindBlock, assay.KindTier, assay.KindStorage}, c.On):
		return nil, assay.WithHint("on: storage", "case %s: on: fio job files run on directories, blocks and tiers, not %q", c.Name, c.On)
	}
	var trials []assay.Trial
	for _, subject := range inv.Of(c.On) {
		trials = append(trials, of.userTrial(inv, c, job, subject))
	}
	return trials, nil
}

func (of tool) userTrial(inv assay.Inventory, c assay.Case, job jobfile.Section, subject assay.Subject) assay.Trial {
	s := settings{engine: engineAsync, direct: job.Value("direct") == "1"}
	if needs := job.Needs(); needs > 0 {
		s.size = max((needs+mib-1)/mib*mib, leastBytes)
	}
	t := of.trialOn(inv, c, s, subject)
	if subject.Kind == assay.KindImage {
		t.Scratch, t.Absent = 0, &assay.Absence{
			Word: assay.NotSupported, Why: "an image needs fio's engine rbd, and the job file names its own",
			Hint: "use a suite, such as rbd",
		}
	}
	if inv.Facts[subject.Host].OS.Windows && t.Absent == nil {
		t.Scratch, t.Absent = 0, &assay.Absence{
			Word: assay.NotSupported, Why: subject.Host + " runs Windows, and job files are run on hosts of Linux only",
			Hint: "use a suite, such as baseline",
		}
	}
	t.Settings = userSettings(job, t.Scratch)
	if d := job.Runtime(); d > 0 {
		t.Overhead = d + time.Second
		t.Bound = 2*d + 2*time.Minute
	} else {
		work := job.Work(t.Scratch)
		t.Overhead = time.Duration(work/usualRate+1) * time.Second
		t.Bound = time.Duration(min(work/mib, 24*3600))*time.Second + 10*time.Minute
	}
	return t
}

// userSettings returns the job, and what it does in the terms of other cases.
func userSettings(job jobfile.Section, bytes int64) map[string]string {
	set := map[string]string{jobText: job.Text(), "rw": job.Pattern(), "numjobs": strconv.FormatInt(job.Jobs(), 10), "size": strconv.FormatInt(bytes, 10)}
	for key, names := range map[string][2]string{"bs": {"bs", "blocksize"}, "iodepth": {"iodepth"}, "direct": {"direct"}, "sync": {"sync"}, "engine": {"ioengine"}, "runtime": {"runtime", "timeout"}} {
		if v := cmp.Or(job.Value(names[0]), job.Value(names[1])); v != "" {
			set[key] = v
		}
	}
	return set
}

// userArgv returns the command that runs a user's own job. The stored job is parsed again
// with all checks: nothing else determines fio's options.
func userArgv(t assay.Trial, s assay.Scratch) ([]string, error) {
	job, err := jobfile.Parse(t.Case, t.Settings[jobText])
	if err != nil {
		return nil, fmt.Errorf("trial %s: %w", t.ID, err)
	}
	args, err := job.Args(s.Bytes)
	if err != nil {
		return nil, assay.WithHint("give it more time or more space: --time-budget", "trial %s: %w", t.ID, err)
	}
	args = append(args, "--group_reporting", "--allow_file_create=0", "--fallocate=none",
		"--percentile_list="+percentileList(), "--output-format=json+", "--status-interval=1", "--eta=never")
	return command(jobName(t.Case), s.File, args)
}

// measureUserJob runs a user's own job once.
func measureUserJob(t assay.Trial, on assay.Bench) (assay.Cmd, error) {
	argv, err := userArgv(t, on.Scratch)
	return assay.Cmd{Argv: argv, Timeout: t.Bound, Limit: printed(t.Bound), Env: reach(on.Scratch)}, err
}

// sizedJob returns a trial of a user's own job on space of that size, which only works for a
// job that does not say how much it needs.
func sizedJob(t assay.Trial, bytes int64) assay.Trial {
	job, err := jobfile.Parse(t.Case, t.Settings[jobText])
	if err != nil || job.Needs() > 0 {
		return t
	}
	t.Settings = maps.Clone(t.Settings)
	t.Settings["size"], t.Scratch = strconv.FormatInt(bytes, 10), bytes
	return t
}
