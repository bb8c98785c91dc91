package fio

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"assay"
)

// optionsOf gathers what is known of how a job was run: the command line, then
// fio's own account, which wins. known is false where neither said anything.
func optionsOf(step *assay.Step, d document, j job) (o options, known bool) {
	o = commandOptions(step.Argv)
	known = len(o) > 0 || len(d.Global) > 0 || len(j.Options) > 0
	for _, more := range []options{d.Global, j.Options} {
		for k, v := range more {
			o[canonical(k)] = v
		}
	}
	return o, known
}

// commandOptions reads the options on a command line that starts fio.
func commandOptions(argv []string) options {
	o := options{}
	at := slices.IndexFunc(argv, func(word string) bool {
		return path.Base(word) == "fio" || strings.HasPrefix(word, "--name=")
	})
	if at < 0 {
		return o
	}
	for _, word := range argv[at:] {
		if option, ok := strings.CutPrefix(word, "-"); ok {
			key, value, given := strings.Cut(strings.TrimPrefix(option, "-"), "=")
			if !given {
				value = "1"
			}
			o[canonical(key)] = value
		}
	}
	return o
}

func canonical(key string) string {
	switch key {
	case "readwrite":
		return "rw"
	case "blocksize":
		return "bs"
	case "io_engine":
		return "ioengine"
	}
	return key
}

// labelsOf describes how a job was run, as it happened. What nobody said is
// left out, except fio's own defaults where its options are known.
func labelsOf(step *assay.Step, d document, j job) map[string]string {
	version := strings.TrimPrefix(d.Version, "fio-")
	labels := map[string]string{"tool": name}
	put := func(key, value string) {
		if value != "" {
			labels[key] = value
		}
	}
	put("version", version)
	put("job", j.Name)
	put("host", j.Host)

	o, known := optionsOf(step, d, j)
	if !known {
		return labels
	}
	engine := o["ioengine"]
	if engine == "" {
		engine = defaultEngine(version)
	}
	put("engine", engine)
	put("pattern", pattern(o["rw"]))
	put("jobs", jobsIn(o, d, j))
	put("direct", directFlag(o))
	put("sync", syncFlag(o["sync"]))
	for _, key := range []string{"fsync", "fdatasync"} {
		if o[key] != "0" {
			put(key, o[key])
		}
	}
	asked := "1"
	if n, err := strconv.Atoi(o["iodepth"]); err == nil && n > 0 {
		asked = strconv.Itoa(n)
	}
	put("iodepth", asked)
	if asked != "1" && (synchronous(engine) || neverDeeperThanOne(j)) {
		labels["iodepth"], labels["requested_iodepth"] = "1", asked
	}
	return labels
}

// defaultEngine is fio's engine on Linux where none is named: psync, and sync
// before version 3.
func defaultEngine(version string) string {
	if strings.HasPrefix(version, "2.") || strings.HasPrefix(version, "1.") {
		return "sync"
	}
	return "psync"
}

// synchronous says whether an engine waits for each operation before the next.
func synchronous(engine string) bool { return slices.Contains(syncEngines, engine) }

// neverDeeperThanOne says whether fio itself counted no operation beside another.
func neverDeeperThanOne(j job) bool {
	one := j.Depths["1"]
	if !one.set || one.v < 99.995 {
		return false
	}
	for level, share := range j.Depths {
		if level != "1" && share.v > 0 {
			return false
		}
	}
	return true
}

// pattern is the value of rw without the number after a colon that it may carry.
func pattern(rw string) string {
	rw, _, _ = strings.Cut(rw, ":")
	if rw == "readwrite" {
		return "rw"
	}
	return rw
}

// jobsIn is how many jobs the figures of j add up: all that were started where
// fio grouped them, else one. Over all clients nobody says.
func jobsIn(o options, d document, j job) string {
	if j.Name == allClients && len(d.Clients) > 0 {
		return ""
	}
	alike := 0
	for _, other := range d.jobs() {
		if other.Name == j.Name && other.Host == j.Host {
			alike++
		}
	}
	n, err := strconv.Atoi(o["numjobs"])
	if err != nil || n < 1 || alike > 1 {
		return "1"
	}
	return strconv.Itoa(n)
}

func directFlag(o options) string {
	if buffered, given := o["buffered"]; given && o["direct"] == "" {
		if buffered == "0" {
			return "1"
		}
		return "0"
	}
	if o["direct"] == "1" {
		return "1"
	}
	return "0"
}

func syncFlag(value string) string {
	switch value {
	case "", "0", "none":
		return "0"
	case "1", "sync":
		return "1"
	}
	return value
}

// blockLabel is the block size of one direction (4k): from the option, or
// from the counters where fio did not print it and they divide evenly.
func blockLabel(o options, dir string, bytes, ios float64) string {
	if text, given := o["bs"]; given {
		parts := strings.Split(text, ",")
		part := parts[min(slices.Index(directionNames, dir), len(parts)-1)]
		if n, ok := fioSize(part, o["kb_base"]); ok {
			return blockWord(n)
		}
		return text
	}
	for _, key := range []string{"bssplit", "bsrange"} {
		if o[key] != "" {
			return o[key]
		}
	}
	if ios > 0 && bytes >= ios && bytes < 1<<53 && int64(bytes)%int64(ios) == 0 {
		return blockWord(int64(bytes) / int64(ios))
	}
	return ""
}

// fioSize reads a size as fio does: with kb_base=1024, its default, k, kb and m
// are powers of 1024, but KiB and MiB powers of 1000.
func fioSize(text, kbBase string) (int64, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	digits := strings.TrimRight(text, "kmgtib")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > 1<<30 {
		return 0, false
	}
	unit := strings.TrimSuffix(text[len(digits):], "b")
	base := int64(1024)
	prefix, binary := strings.CutSuffix(unit, "i")
	if binary != (kbBase == "1000") {
		base = 1000
	}
	power := 0
	if prefix != "" {
		if power = strings.Index("kmgt", prefix) + 1; power == 0 || len(prefix) > 1 || power > 3 {
			return 0, false
		}
	}
	for range power {
		n *= base
	}
	return n, n > 0
}
