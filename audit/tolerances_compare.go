package audit

// Comparisons: rules 14, 51 and 52.
const (
	// A difference this large between two CPUs is not chance: hosts with the
	// same CPU model spread by about 1 %.
	fingerprintApart = .05
	// How close an I/O ratio must be to the CPUs' to count as equal: three
	// printed digits are within .5 %, and runs repeat to within 1 to 2 %.
	fingerprintMatch = .02
	// One or two I/O figures may match the CPUs' ratio by chance; three are
	// chosen.
	fingerprintFigures = 3

	// Concurrency derived from latencies (operations a second x latency) counts
	// as different from here on: the limit at which little rejects.
	concurrencyApart = .20

	// How close two ratios must be to count as equal: the print rounding of
	// both.
	restatedMatch = .02
	// Below this difference there is nothing to restate.
	restatedApart = .05
)
