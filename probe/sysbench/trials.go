package sysbench

import (
	"fmt"
	"maps"
	"strconv"

	"assay"
	"assay/internal/setting"
)

// settings is a case's settings, read and checked.
type settings struct {
	kind, op, level string
	threads         int // 0: all
}

func readSettings(r *setting.Reader) (settings, error) {
	s := settings{
		kind:    r.Choice("kind", kindCPU, kindMemory),
		threads: r.CountOr(allThreads, "threads", 0, 1, 4096),
	}
	r.Need("threads", "use "+allThreads+", or a number")
	if s.kind != kindCPU {
		s.op = r.Choice("op", opRead, opWrite)
		s.level = r.Choice("level", levelDRAM, levelCache)
	}
	return s, r.Err()
}

// Trials returns one trial for each CPU or memory.
func (probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	set, err := readSettings(setting.Of(c.Name, c.Set))
	if err != nil {
		return nil, err
	}
	if on := map[string]assay.SubjectKind{kindCPU: assay.KindCPU, kindMemory: assay.KindMemory}[set.kind]; c.On != on {
		return nil, fmt.Errorf("case %s: kind %q measures a %q, not a %q", c.Name, set.kind, on, c.On)
	}
	var trials []assay.Trial
	for _, s := range inv.Of(c.On) {
		trials = append(trials, trialOn(inv.Facts[s.Host], s, c, set))
	}
	return trials, nil
}

func trialOn(facts assay.Facts, s assay.Subject, c assay.Case, set settings) assay.Trial {
	t := assay.Trial{
		ID:       "sysbench/" + c.Name + "@" + s.ID,
		Probe:    "sysbench",
		Case:     c.Name,
		Title:    c.Title,
		Subject:  s,
		Settings: maps.Clone(c.Set),
		Claims:   s.Claims(),
		Risk:     assay.Reads,
	}
	threads := set.threads
	if threads == 0 {
		threads = facts.CPU.Threads
	}
	if threads < 1 {
		t.Absent = &assay.Absence{Word: assay.Unknown, Why: "the number of CPUs of " + s.Host + " is unknown",
			Hint: "lscpu or /proc/cpuinfo shows it"}
		return t
	}
	t.Settings["threads"] = strconv.Itoa(threads)
	if set.kind == kindMemory {
		t.Absent = sizeBuffers(t.Settings, facts, threads)
	}
	return t
}

// sizeBuffers sets the block, or returns why none will do.
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
