package dd

import (
	"strconv"
	"strings"

	"assay"
)

// Values of the label cache.
const (
	cacheWarm      = "warm"
	cacheDropped   = "cold: drop_caches"
	cacheAdvised   = "cold: fadvise"
	cacheKept      = "unknown: the caches could not be dropped"
	mostResident   = .05 // share of a cold file that may still be in memory
	stepSucceeded  = 0
	zfsKeepsItsOwn = "zfs" // its cache is not the page cache: advice does not reach it
)

// cacheState returns where the reads came from, judged by what was done before each
// pass and its effect; "" if assay did not run it. total is the bytes of all passes.
func cacheState(tr assay.Transcript, passes int, total int64) string {
	switch tr.Settings["op"] {
	case opReadWarm:
		return cacheWarm
	case opReadCold:
	default:
		return "" // nobody says
	}
	dropped, advised := 0, 0
	for _, step := range tr.Steps {
		ok := step.Output.Exit == stepSucceeded
		switch {
		case step.Name == stepDropCaches && ok:
			dropped++
		case step.Name == stepAdvise && ok:
			advised++
		case step.Name == stepResident && ok && resident(step) > mostResident*float64(total)/float64(passes):
			return cacheKept
		}
	}
	switch {
	case dropped == passes:
		return cacheDropped
	case advised == passes && tr.Settings["file_system"] != zfsKeepsItsOwn:
		return cacheAdvised
	}
	return cacheKept
}

// resident returns how many bytes of the file are in memory, as counted by
// fincore; 0 if it does not say.
func resident(step assay.Step) float64 {
	n, err := strconv.ParseInt(strings.TrimSpace(string(step.Output.Stdout)), 10, 64)
	if err != nil {
		return 0
	}
	return float64(n)
}
