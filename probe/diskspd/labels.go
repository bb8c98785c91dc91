package diskspd

import (
	"slices"
	"strconv"
	"strings"

	"assay/internal/setting"
)

// labelsOf describes how DiskSpd ran, by its own account. It omits anything in which
// several targets differ.
func labelsOf(r results, argv []string) map[string]string {
	labels := map[string]string{"tool": name}
	put := func(key, value string) {
		if value != "" {
			labels[key] = value
		}
	}
	put("version", strings.TrimSpace(r.Version))
	s := r.Spans[0]
	if s.ThreadCount.v > 0 {
		put("jobs", strconv.FormatFloat(s.ThreadCount.v, 'f', 0, 64))
	}
	if s.Busy.set && s.Busy.v <= 100.5 {
		put("cpu_share", strconv.FormatFloat(min(s.Busy.v/100, 1), 'f', 4, 64))
	}
	if files := filesOf(s); len(files) == 1 {
		put("file", files[0].Path)
		if files[0].FileSize.v > 0 {
			put("size", strconv.FormatFloat(files[0].FileSize.v, 'f', 0, 64))
		}
	}
	if len(r.Asked) != 1 {
		return labels
	}
	asked := r.Asked[0]
	put("runtime", count(asked.Duration))
	same := func(of func(target) string) string {
		var all []string
		for _, t := range asked.Targets {
			all = append(all, of(t))
		}
		if all = slices.Compact(all); len(all) == 1 {
			return all[0]
		}
		return ""
	}
	put("bs", same(func(t target) string { return sizeWord(t.BlockSize) }))
	if asked.ThreadCount == "" || asked.ThreadCount == "0" {
		put("iodepth", same(func(t target) string { return count(t.RequestCount) }))
	}
	put("pattern", same(target.pattern))
	put("direct", same(target.direct))
	put("sync", same(target.sync))
	put("rate_iops", same(target.rate))
	if asked.RandomData != "true" && !slices.Contains(argv, "-Zr") {
		put("source", same(target.source))
	}
	return labels
}

// filesOf returns the files that the threads worked on, each once.
func filesOf(s span) []moved {
	var all []moved
	for _, m := range s.Moved {
		if !slices.ContainsFunc(all, func(o moved) bool { return o.Path == m.Path }) {
			all = append(all, m)
		}
	}
	return all
}

// count returns a positive whole number, else "".
func count(text string) string {
	if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil && n > 0 {
		return strconv.FormatInt(n, 10)
	}
	return ""
}

func sizeWord(text string) string {
	n, err := strconv.ParseInt(count(text), 10, 64)
	if err != nil {
		return ""
	}
	return setting.SizeWord(n)
}

// pattern returns the pattern in fio's words.
func (t target) pattern() string {
	random := ""
	if t.Random != nil {
		if random = "rand"; t.RandomRatio != "" && t.RandomRatio != "100" {
			return "" // partly random: fio has no word for it
		}
	}
	switch writes := strings.TrimSpace(t.WriteRatio); writes {
	case "":
		return ""
	case "0":
		return random + "read"
	case "100":
		return random + "write"
	}
	return random + "rw"
}

// direct returns whether Windows' cache was bypassed.
func (t target) direct() string {
	return flag(t.DisableOSCache == "true" || t.DisableAllCache == "true")
}

// sync returns whether writes went through all caches.
func (t target) sync() string { return flag(t.WriteThrough == "true" || t.DisableAllCache == "true") }

func flag(is bool) string {
	if is {
		return "1"
	}
	return "0"
}

// rate returns the limit of each thread in operations per second.
func (t target) rate() string {
	n, err := strconv.ParseFloat(count(t.Throughput.Value), 64)
	if err != nil {
		return ""
	}
	if t.Throughput.Unit != "IOPS" {
		block, err := strconv.ParseFloat(count(t.BlockSize), 64)
		if err != nil {
			return ""
		}
		n *= 1000 / block
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// source returns which data was written; "" for random data.
func (t target) source() string {
	switch {
	case t.WriteRatio == "0", t.Content == "random":
		return ""
	case t.Content == "zero":
		return "zero"
	}
	return "compressible" // 0, 1, … 255, over and over
}
