package audit

import (
	"fmt"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Everything is the subject of a finding about several foreign results: a check
// that could not be done on any of them is reported once.
const Everything = "all of it"

// foreign reports whether somebody else ran it: nothing was planned, the kernel was
// not watched, and people supplied the facts.
func (l look) foreign() bool { return l.Trial.Repeats <= 0 }

// givenDrive returns the drive that the figures are about if no directory names
// one: the one called disk, or the only one given. It is "" if there are
// several candidates or none.
func (l look) givenDrive() string {
	if l.facts.Device(givenDisk) != nil {
		return givenDisk
	}
	if len(l.facts.Block) == 1 {
		return l.facts.Block[0].Name
	}
	return ""
}

// givenDisk is the name of the block device in given facts.
const givenDisk = "disk"

// deviceName matches device names, which are no models.
var deviceName = lazyregexp.New(`^(?:[shv]d[a-z]{1,3}|nvme\d+(?:n\d+|c\d+)*|nvd\d+|a?da\d+|disk\d+|mmcblk\d+|pass\d+)$`)

// rawDevice reports whether there is no file system between the tool and the device.
func (l look) rawDevice() bool {
	if l.isDevice() || l.label("", "fs") == "none" {
		return true
	}
	file := l.file()
	return strings.HasPrefix(file, "/dev/") && !strings.HasPrefix(file, "/dev/shm/")
}

// file is the file that was read or written, "" if unknown.
func (l look) file() string {
	if f := l.label("", "file"); f != "" {
		return f
	}
	return option(l.argv(), "filename")
}

// fileSystem is the file system under the result, from the facts or as
// published beside the figure; "" if unknown.
func (l look) fileSystem() string {
	if d := l.dir(); d != nil && d.FileSystem != "" {
		return d.FileSystem
	}
	if fs := l.label("", "fs"); l.foreign() && fs != "none" {
		return fs
	}
	return ""
}

// model returns the drive's model and its size in bytes, as printed beside the
// figures or else from the facts; "" and 0 if unknown.
func (l look) model() (name string, bytes int64) {
	name = l.label("", "model")
	if drive := l.label("", "drive"); !deviceName.MatchString(drive) {
		name = orDefault(name, drive)
	}
	if name != "" && l.foreign() {
		if bytes = l.capacity(); bytes > 0 {
			return name, bytes
		}
		for _, d := range l.facts.Block {
			if d.Model != "" && (strings.Contains(d.Model, name) || strings.Contains(name, d.Model)) {
				return name, d.Bytes
			}
		}
		return name, 0
	}
	for _, device := range []string{strings.TrimPrefix(l.Trial.Subject.Name, "/dev/"), l.givenDrive()} {
		if d := l.facts.Device(device); d != nil && d.Model != "" && (l.foreign() || device != givenDisk) {
			return d.Model, d.Bytes
		}
	}
	return "", 0
}

// capacity returns the label capacity in bytes: vendors' gigabytes are decimal.
func (l look) capacity() int64 {
	bytes, _ := parseAmount(l.label("", "capacity"))
	return int64(bytes)
}

// runtime returns how long one repeat measured, in s: as the tool says, else
// the requested amount over its rate, else the requested run time. sum shows
// the calculation, "" if there was none.
func (l look) runtime() (seconds float64, sum string, known bool) {
	if v, ok := l.median("tool.duration"); ok && v > 0 {
		return v, "", true
	}
	for _, metric := range []string{"memory.read.bandwidth", "memory.write.bandwidth", "storage.read.bandwidth", "storage.write.bandwidth", "pool.read.bandwidth", "pool.write.bandwidth"} {
		bandwidth, ok := l.median(metric)
		if !ok || !(bandwidth > 0) {
			continue
		}
		for _, key := range []string{"total", "bytes"} {
			if total, ok := parseAmount(l.label("", key)); ok {
				return total / bandwidth, volume(total) + " / " + rate(bandwidth), true
			}
		}
	}
	if v, sum, ok := l.requestTime(); ok {
		return v, sum, true
	}
	for _, key := range []string{"runtime", "duration"} {
		if v, ok := parseSeconds(l.label("", key)); ok {
			return v, "", true
		}
	}
	return 0, "", false
}

// requestTime returns the upper bound on the time of a number of sequential
// requests.
func (l look) requestTime() (total float64, sum string, known bool) {
	n := l.requests()
	for _, op := range []string{"put", "get", "delete", "head", "list"} {
		if latency, ok := l.median("object." + op + ".latency.mean"); ok && latency > 0 && n > 0 {
			return n * latency, grouped(n, 0) + " requests x " + seconds(latency), true
		}
	}
	return 0, "", false
}

// requests returns how many requests an object store got; 0 if unknown.
func (l look) requests() float64 {
	for _, op := range []string{"put", "get", "delete", "head", "list"} {
		if n, ok := l.median("object." + op + ".requests"); ok && n > 0 {
			return n
		}
	}
	n, _ := parseCount(l.label("", "requests"))
	return float64(n)
}

// figures returns the headlines, including those of pools and object stores:
// each needs to have been measured over some time.
func (l look) figures() []string {
	found := l.headlinesOf("storage", "cpu", "memory", "pool", "database")
	for _, op := range []string{"put", "get"} {
		for _, metric := range []string{"object." + op + ".throughput", "object." + op + ".ops", "object." + op + ".latency.mean"} {
			if l.positive(metric) {
				found = append(found, metric)
				break
			}
		}
	}
	return found
}

// sayOnce merges the unchecked findings of a rule that lack the same fact for several
// foreign results into one, and says how to supply it.
func sayOnce(e Evidence, found []assay.Finding) []assay.Finding {
	foreign, hosts := map[string]bool{}, map[string]bool{}
	for _, l := range e.looks() {
		if l.foreign() {
			foreign[l.Trial.ID] = true
			hosts[l.Trial.Subject.Host] = true
		}
	}
	type what struct{ rule, missing string }
	first, further := map[what]int{}, map[int]map[string]bool{}
	var kept []assay.Finding
	for _, f := range found {
		if f.Severity != assay.NotChecked || !foreign[f.Subject] && !hosts[f.Subject] {
			kept = append(kept, f)
			continue
		}
		key := what{f.Rule, kindOfFact(f.Missing)}
		if i, seen := first[key]; seen {
			if f.Missing != kept[i].Missing {
				if further[i] == nil {
					further[i] = map[string]bool{}
				}
				further[i][f.Missing] = true
			}
			if kept[i].Subject != f.Subject {
				kept[i].Subject, kept[i].Metrics = Everything, nil
			}
			continue
		}
		if e.Give != nil && !ofTheOutput(f.Advice) {
			if flag := e.Give(f.Rule); flag != "" {
				f.Advice = "give it: " + flag
			}
		}
		first[key] = len(kept)
		kept = append(kept, f)
	}
	for i, more := range further {
		kept[i].Missing += fmt.Sprintf(" and of %d more", len(more))
		kept[i].Message = "not checked: " + kept[i].Missing + " unknown"
	}
	return kept
}

// kindOfFact is a missing fact without the name of its drive.
func kindOfFact(missing string) string {
	for _, kind := range []string{"link of ", "model of ", "vendor's rating of ", "rated TBW of ", "write cache of ", "power-loss protection of ", "facts of ", "drive under the virtual disk "} {
		if strings.HasPrefix(missing, kind) {
			return kind
		}
	}
	return missing
}

// ofTheOutput reports whether the missing value is in a tool's output or command
// line, which no fact about the machine can replace, or whether the advice already
// names a remedy.
func ofTheOutput(advice string) bool {
	for _, word := range []string{"output", "command line", "prints", "print ", "--fact ", "reference/"} {
		if strings.Contains(advice, word) {
			return true
		}
	}
	return false
}
