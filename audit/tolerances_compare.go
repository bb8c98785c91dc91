package audit

// Comparisons: rules 14, 51 and 52.
const (
	// Two CPUs this far apart leave a mark that can be told from chance: the
	// spread of hosts with one model of CPU is about 1 %.
	fingerprintApart = .05
	// How near an I/O ratio must be to the CPUs' to count as the same: what is
	// printed with three digits is within .5 %, and runs repeat to 1 to 2 %.
	fingerprintMatch = .02
	// One or two I/O figures have the CPUs' ratio by chance; three are chosen.
	fingerprintFigures = 3

	// The concurrency that latencies tell (operations a second x latency) is
	// another one from this far on: what little rejects.
	concurrencyApart = .20

	// How near two ratios must be to be one: the print rounding of both.
	restatedMatch = .02
	// Below this difference there is nothing to tell twice.
	restatedApart = .05
)
