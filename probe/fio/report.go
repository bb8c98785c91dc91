package fio

import (
	"strings"
)

// readReport reads fio's human-readable report, versions 2 and 3, line by line,
// and skips lines that are not part of it. ok is false if there is neither a
// figure nor a failed job.
//
// A figure that is cut off in the middle is absent. If only the lines of the
// run status groups are left, they stand in for the jobs.
func readReport(lines []line, command commandLine) (d document, ok bool) {
	r := report{kilo: command.of("").kilo(), jobs: map[string]int{}, grouped: map[string]*job{}}
	r.d.text = true
	for _, l := range lines {
		r.read(l)
	}
	kept := r.d.jobs[:0]
	for _, j := range r.d.jobs {
		if j.moved() || j.failed.v != 0 {
			kept = append(kept, j)
		}
	}
	for _, j := range kept {
		j.cutShares()
		for _, dir := range directionNames {
			j.direction(dir).mendCounts(r.d.version)
		}
	}
	r.d.jobs, r.d.started = kept, r.started
	switch {
	case len(kept) == 0 && len(r.terse) > 0:
		r.d.jobs, r.d.disks = r.terse, r.terseDisks
		if len(r.terse) == 1 { // else each line covers only some
			r.terse[0].members = r.started
		}
	case len(kept) == 0:
		r.d.jobs = r.groups
		for _, g := range r.groups {
			if len(r.groups) == 1 {
				g.name = ""
			}
		}
	}
	headers := announce(r.headers, r.d.jobs)
	for _, j := range r.d.jobs {
		j.options = headers.of(j)
		if j.name == allClients {
			r.d.clients = true
		}
	}
	if r.d.clients {
		r.d.jobs = allFirst(r.d.jobs)
	}
	return r.d, len(r.d.jobs) > 0
}

// report is a report being read.
type report struct {
	d       document
	kilo    float64
	headers []header
	groups  []*job // from the run status groups
	terse   []*job // from lines of --minimal
	// terseDisks are the disks of the last such line.
	terseDisks []disk
	started    int // processes and threads
	grouped    map[string]*job
	jobs       map[string]int

	job   *job // whose lines are being read; nil between jobs
	dir   *direction
	rows  *latency // whose percentiles are being read
	scale float64  // of those, in ns
	group *job

	client bool   // fio collects servers' output
	host   string // the line's server
}

// read reads one line.
func (r *report) read(l line) {
	text := r.speaker(l.text)
	if text == "" {
		return
	}
	if isTerse(text) {
		r.readTerse(text, l.number)
		return
	}
	if text[0] == '|' {
		r.readPercentiles(text, l.number)
		return
	}
	if strings.Contains(text, ": (g") { // far faster than finding the last
		i := strings.LastIndex(text, ": (g")
		if h, ok := readHeader(text, i, r.host, r.kilo); ok {
			r.headers = append(r.headers, h)
			return
		}
		if r.readJob(text, i, l.number) {
			return
		}
	}
	key := text
	if end := strings.IndexAny(text, " :("); end >= 0 {
		key = text[:end]
	}
	switch key {
	case "read", "write", "trim", "mixed":
		r.readDirection(key, text, l.number)
	case "slat", "clat", "lat":
		r.readLatency(key, text, l.number)
	case "sync":
		r.readFlushes(text, l.number)
	case "fsync/fdatasync/sync_file_range", "fsync/fdatasync/sync_file_range/syncfs":
		r.rows = nil
	case "bw", "iops":
		r.readSamples(key, text, l.number)
	case "IO":
		if rest, ok := strings.CutPrefix(text, "IO depths"); ok && r.job != nil {
			r.job.depths = append(r.job.depths, readShares(rest, l.number)...)
		}
	case "cpu":
		if r.job != nil {
			r.job.hasCPU = true
			r.job.cpu = busy(text, l.number)
		}
	case "issued":
		r.readIssued(text, l.number)
	case "errors":
		if total, _, _, ok := field(text, "total=", ","); ok && r.job != nil {
			r.job.errors, _ = plain(total, l.number)
		}
	case "Run":
		r.readGroup(text, l.number)
	case "READ", "WRITE", "TRIM":
		r.readGroupDirection(strings.ToLower(key), text, l.number)
	case "Disk":
		r.d.disks = nil
	default:
		r.readOther(text, l.number)
	}
}

// speaker strips a server's name in angle brackets from a line, and remembers
// it. The name may also stand alone at the end of a progress line.
func (r *report) speaker(text string) string {
	if strings.HasPrefix(text, "hostname=") && strings.Contains(text, ", fio=") {
		r.client = true
		return text
	}
	if !r.client {
		return text
	}
	if strings.HasPrefix(text, "Jobs: ") && strings.HasSuffix(text, ">") {
		if i := strings.LastIndexByte(text, '<'); i >= 0 {
			r.host = text[i+1 : len(text)-1]
		}
		return ""
	}
	if text[0] == '<' {
		if i := strings.IndexByte(text, '>'); i > 0 {
			r.host = text[1:i]
			return strings.TrimSpace(text[i+1:])
		}
	}
	return text
}

// readOther reads lines that do not start with a keyword.
func (r *report) readOther(text string, number int) {
	switch {
	case isVersion(text):
		r.d.version = text
	case r.d.version == "" && r.job == nil && len(r.headers) > 0:
		if version, ok := oldVersion(text); ok {
			r.d.version = version
		}
	case r.client && strings.HasPrefix(text, "hostname="):
		if version, _, _, ok := field(text, ", fio=", ","); ok {
			r.d.version = version
		}
	case strings.HasPrefix(text, "Starting "):
		r.started += startedIn(text)
	case strings.HasPrefix(text, stopping):
		r.d.stopped = signalIn(text)
	case r.d.stopped == "" && isProgress(text):
		r.d.done = progressIn(text)
	case strings.Contains(text, ": ios="):
		if d, ok := readDisk(text, number); ok {
			r.d.disks = append(r.d.disks, d)
		}
	}
	if strings.Contains(text, "percentiles (") {
		r.rows = nil
	}
}

// isVersion reports whether a line is fio's version: fio-3.39.
func isVersion(text string) bool {
	rest, ok := strings.CutPrefix(text, "fio-")
	return ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' && !strings.ContainsAny(rest, " :;,/")
}

// oldVersion returns the version from a line of fio before 2.0.9: 2.0.8, or fio
// 1.59. A line has this meaning only after a job's header.
func oldVersion(text string) (version string, ok bool) {
	text = strings.TrimPrefix(text, "fio ")
	return "fio-" + text, len(text) >= 3 && len(text) <= 6 && (text[0] == '1' || text[0] == '2') && text[1] == '.' &&
		strings.Trim(text, "0123456789.") == ""
}

// readJob begins a job: name: (groupid=0, jobs=1): err= 0: pid=2112: a date. If
// the job was seen before, this is a later status of it.
func (r *report) readJob(text string, at, number int) bool {
	rest := text[at+2:]
	group, _, whole, ok := field(rest, "(groupid=", ",)")
	if !ok || !whole || !strings.HasPrefix(rest, "(groupid=") {
		return false
	}
	members, _, _, _ := field(rest, "jobs=", "):")
	failed, after, whole, ok := field(rest, "err=", ":(")
	if !ok || !whole {
		return false
	}
	j := &job{name: strings.TrimSpace(text[:at]), host: r.host, group: group, line: number}
	if j.failed, ok = plain(failed, number); !ok {
		return false
	}
	if n, ok := plain(members, number); ok && n.v <= 1<<20 {
		j.members = int(n.v)
	}
	if strings.HasPrefix(after, "(") {
		if end := strings.Index(after, "): pid="); end > 0 {
			j.why = after[1:end]
		}
	}
	j.pid, _, _, _ = field(after, "pid=", ": ")
	if j.name == allClients {
		j.host = ""
	}
	r.job, r.dir, r.rows, r.group = j, nil, nil, nil
	key := j.name + "\x00" + j.host + "\x00" + j.group + "\x00" + j.pid
	if i, seen := r.jobs[key]; seen {
		r.d.jobs[i] = j
		return true
	}
	r.jobs[key] = len(r.d.jobs)
	r.d.jobs = append(r.d.jobs, j)
	return true
}

// lost begins a job whose own line was lost.
func (r *report) lost(number int) {
	r.job = &job{line: number, host: r.host}
	r.d.jobs = append(r.d.jobs, r.job)
}

// readGroup begins fio's totals over all jobs of a group.
func (r *report) readGroup(text string, number int) {
	if !strings.HasPrefix(text, "Run status group ") {
		return
	}
	id, _, _, _ := field(text, "Run status group ", " (")
	r.job, r.dir, r.rows = nil, nil, nil
	key := groupKey(r.host, id)
	if r.group = r.grouped[key]; r.group != nil {
		return
	}
	r.group = &job{name: "group " + id, group: id, host: r.host, line: number}
	r.groups, r.grouped[key] = append(r.groups, r.group), r.group
}
