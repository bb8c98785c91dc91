package audit

// Replication, clocks and migration: rules 42, 47 and 48.
const (
	// A replicated write cannot be faster than its parts. Those were measured at
	// another time: a tenth is chosen as allowance.
	replicationSlack = .90
	// A time between two clocks is wrong by their offset: a tenth of the time
	// is chosen as the most that does not change its meaning.
	offsetShare = .10
	// A reported speed may differ by this much from bytes sent over time: the
	// catalogue's limit, above the effect of buffers in flight.
	migrationSlack = .05
	// A speed within this share of guest memory over seconds is taken for that
	// quotient: sizes are printed to a tenth of a GiB.
	sameQuotient = .01
	// Logs have whole seconds: a time between two entries may be off by this
	// much.
	logSecond = 1.0
	// A downtime is known to within the probe interval: a fifth is chosen as the
	// most that a figure can bear.
	probeShare = .20
)
