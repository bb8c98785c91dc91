package s3

import (
	"fmt"
	"maps"
	"net/url"
	"strconv"

	"assay"
	"assay/internal/setting"
	"assay/stacks/s3/loadgen"
)

// with returns the labels plus more: key, value, key, value.
func (f *figures) with(more ...string) map[string]string {
	labels := maps.Clone(f.labels)
	for i := 0; i+1 < len(more); i += 2 {
		labels[more[i]] = more[i+1]
	}
	return labels
}

// labelsOf describes the load that was applied. iodepth and jobs are fio's terms:
// their product is the number of requests in flight.
func labelsOf(tr assay.Transcript, r loadgen.Result) map[string]string {
	l := r.Load
	labels := map[string]string{
		"tool": name, "object_size": setting.SizeWord(l.Size), "bs": setting.SizeWord(l.Size), "concurrency": strconv.Itoa(l.Concurrency),
		"payload": string(r.Payload), "source": "urandom", "loop": "closed", "mix": mixWord(l.Mix),
	}
	put := func(key, value string, there bool) {
		if there && value != "" {
			labels[key] = value
		}
	}
	jobs, err := strconv.Atoi(tr.Settings["numjobs"])
	if err != nil || jobs < 1 || l.Concurrency%jobs != 0 {
		jobs = 1
	}
	labels["iodepth"], labels["jobs"] = strconv.Itoa(l.Concurrency/jobs), strconv.Itoa(jobs)
	if l.Rate > 0 {
		labels["loop"], labels["rate"] = "open", strconv.FormatFloat(l.Rate, 'f', -1, 64)
	}
	put("mixed", "yes", len(l.Mix) > 1)
	put("part", setting.SizeWord(l.PartSize), l.PartSize > 0)
	put("objects", strconv.Itoa(l.Objects), l.Objects > 0)
	if n := distinct(r); n > 1 {
		labels["endpoints"] = strconv.Itoa(n)
	} else if len(r.Endpoints) > 0 {
		put("endpoint", hostOf(r.Endpoints[0].Endpoint), true)
	}
	if l.Mix[loadgen.Get] > 0 {
		labels["cache"] = cacheState(tr.Settings, int64(l.Objects)*l.Size)
	}
	return labels
}

// cacheState describes what is known about the store's caches before the reads.
// Only the store can empty them, so only two things are certain: a small amount of
// data written just before is in memory, and data larger than all memory is partly
// not.
func cacheState(settings map[string]string, set int64) string {
	if settings["read"] != cold {
		return fmt.Sprintf("warm: %s that this run wrote", sizeWords(set))
	}
	memory, err := strconv.ParseInt(settings["store_memory"], 10, 64)
	switch {
	case err != nil || memory <= 0:
		return fmt.Sprintf("unknown: %s are read, and the store's memory size is unknown", sizeWords(set))
	case set < overMemory*memory:
		return fmt.Sprintf("unknown: %s are read, and the store has %s of memory", sizeWords(set), sizeWords(memory))
	}
	return fmt.Sprintf("cold: %s are read, and the store has %s of memory", sizeWords(set), sizeWords(memory))
}

// sizeWords formats a size for people.
func sizeWords(n int64) string {
	switch {
	case n >= 10*gib:
		return fmt.Sprintf("%d GiB", n/gib)
	case n >= 10*mib:
		return fmt.Sprintf("%d MiB", n/mib)
	}
	return fmt.Sprintf("%d KiB", n/kib)
}

// hostOf returns an endpoint without its scheme.
func hostOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Host
}
