package audit

// The limits of rules 40, 41, 43 and 44.
const (
	// A generator whose busier end uses more than this share of a core waits for
	// itself: chosen, what is left is lost to wake-ups.
	busyCore = .90
	// More clients that get more than this many times the figure, at a mean
	// latency within flatLatency of the old, found something idle: runs of one
	// setting differ by less.
	growsBy     = 1.10
	flatLatency = .10
	// A figure this near to what a usual line carries was perhaps bound by it,
	// and not by the client.
	nearLine = .97
	// The slowest line, in bit/s, between hosts that are measured for their speed.
	slowestUsual = 1e9
	// A goodput is computed to the byte; .3 % is for clocks that differ and for a
	// last packet that is counted in.
	lineSlack = 1.003
	// What one drive gives is a rating or a measurement on another day, and a
	// printed least latency has two or three digits: 5 % is chosen.
	partSlack = 1.05
	// Below this share of every limit of the hardware, the hardware is not what
	// limits: chosen.
	poolUnderuse = .50
	// Bandwidth, operations and time are three prints of one run; the last
	// operations end after the time was up, so that sums over clients differ by
	// up to 1 %.
	radosSlack = .01
	// An extreme further from the mean than this many standard deviations: of
	// 600 normal seconds the furthest is at 3.2, and the sum of clients that
	// were added up second by second stays as near.
	momentSigmas = 7
)
