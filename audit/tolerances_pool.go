package audit

// The limits of rules 40, 41, 43 and 44.
const (
	// A generator whose busier end uses more than this share of a core is its
	// own bottleneck: chosen, the rest is lost to wake-ups.
	busyCore = .90
	// If more clients get more than this many times the figure, at a mean
	// latency within flatLatency of the old one, something was idle: runs with
	// one setting differ by less.
	growsBy     = 1.10
	flatLatency = .10
	// A figure this close to a usual line rate may be bound by the line, not by
	// the client.
	nearLine = .97
	// The slowest line, in bit/s, between hosts that anyone benchmarks.
	slowestUsual = 1e9
	// Goodput is computed to the byte; .3 % allows for clock differences and a
	// last packet counted in.
	lineSlack = 1.003
	// A single drive's figure is a rating or from another day, and a printed
	// minimum latency has two or three digits: 5 % is chosen.
	partSlack = 1.05
	// Below this share of every hardware limit, the hardware is not the
	// bottleneck: chosen.
	poolUnderuse = .50
	// Bandwidth, operations and time are three prints of one run; the last
	// operations end after the time is up, so sums over clients differ by up to
	// 1 %.
	radosSlack = .01
	// An extreme more than this many standard deviations from the mean: of 600
	// normal seconds the furthest is at 3.2, and a second-by-second sum of
	// clients stays as close.
	momentSigmas = 7
)
