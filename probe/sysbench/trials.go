package sysbench

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"assay"
)

// Trials returns one trial for each CPU or memory. The settings are kind (cpu,
// memory) and threads (all or a number); for memory also op (read, write) and
// level (dram, cache).
func (probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	if err := checkCase(c); err != nil {
		return nil, fmt.Errorf("case %s: %w", c.Name, err)
	}
	var trials []assay.Trial
	for _, s := range inv.Of(c.On) {
		trials = append(trials, trialOn(inv.Facts[s.Host], s, c))
	}
	return trials, nil
}

// checkCase refuses what could only be a mistake in a suite.
func checkCase(c assay.Case) error {
	allowed := map[string][]string{"kind": {kindCPU}}
	on := assay.KindCPU
	if c.Set["kind"] == kindMemory {
		allowed = map[string][]string{
			"kind": {kindMemory}, "op": {opRead, opWrite}, "level": {levelDRAM, levelCache},
		}
		on = assay.KindMemory
	}
	if c.On != on {
		return fmt.Errorf("kind %q measures a %q, not a %q", c.Set["kind"], on, c.On)
	}
	for key, values := range allowed {
		if !slices.Contains(values, c.Set[key]) {
			return assay.WithHint(fmt.Sprintf("%s is one of %v", key, values), "unknown %s %q", key, c.Set[key])
		}
	}
	for key := range c.Set {
		if allowed[key] == nil && key != "threads" {
			return fmt.Errorf("unknown setting %q", key)
		}
	}
	if n, err := strconv.Atoi(c.Set["threads"]); c.Set["threads"] != allThreads && (err != nil || n < 1 || n > 4096) {
		return assay.WithHint("threads is all, or a number", "invalid threads %q", c.Set["threads"])
	}
	return nil
}

func trialOn(facts assay.Facts, s assay.Subject, c assay.Case) assay.Trial {
	t := assay.Trial{
		ID:       "sysbench/" + c.Name + "@" + s.ID,
		Probe:    "sysbench",
		Case:     c.Name,
		Title:    c.Title,
		Subject:  s,
		Settings: maps.Clone(c.Set),
		Claims:   claims(s),
		Risk:     assay.Reads,
	}
	threads, err := strconv.Atoi(c.Set["threads"])
	if err != nil {
		threads = facts.CPU.Threads
	}
	if threads < 1 {
		t.Absent = &assay.Absence{Word: assay.Unknown, Why: "the number of CPUs of " + s.Host + " is unknown",
			Hint: "lscpu or /proc/cpuinfo shows it"}
		return t
	}
	t.Settings["threads"] = strconv.Itoa(threads)
	if c.Set["kind"] == kindMemory {
		t.Absent = sizeBuffers(t.Settings, facts, threads)
	}
	return t
}

// claims are the subject and the CPU that does all the work.
func claims(s assay.Subject) []string {
	cpu := s.Host + "/cpu/cpu"
	if s.ID == cpu {
		return []string{cpu}
	}
	return []string{s.ID, cpu}
}

// sizeBuffers sets the block, or says why none will do.
func sizeBuffers(set map[string]string, facts assay.Facts, threads int) *assay.Absence {
	var block int64
	if set["level"] == levelCache {
		block = cacheBlock(facts.CPU)
	} else {
		var assumed bool
		block, assumed = dramBlock(facts.CPU, threads)
		if assumed {
			set["llc"] = fmt.Sprintf("assumed %d MiB", assumedCache>>20)
		}
	}
	set["block"] = strconv.FormatInt(block, 10)
	return tooLittleMemory(facts.Memory.Available, block*int64(threads), facts.Host)
}

// tooLittleMemory compares the buffers with the memory available, both in bytes.
func tooLittleMemory(available, buffers int64, host string) *assay.Absence {
	switch {
	case available <= 0 && buffers > assumedCache:
		return &assay.Absence{Word: assay.Unknown, Why: "the memory available on " + host + " is unknown",
			Hint: "MemAvailable in /proc/meminfo shows it (Linux 3.14 and later)"}
	case available > 0 && buffers > available/memoryShare:
		return &assay.Absence{
			Word: assay.NotSupported,
			Why: fmt.Sprintf("%d MiB of buffers are needed to exceed the caches, which is more than a quarter of the %d MiB available",
				buffers>>20, available>>20),
			Hint: "free some memory: stop other processes on " + host,
		}
	}
	return nil
}
