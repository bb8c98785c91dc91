package audit

// Replication, clocks and migration: rules 42, 47 and 48.
const (
	// A replicated write cannot be faster than its parts. Those were measured at
	// another moment: a tenth is chosen for that.
	replicationSlack = .90
	// A time from one clock to another is wrong by their offset: a tenth of the
	// time itself is chosen as the most that does not change what it says.
	offsetShare = .10
	// A reported speed may differ this much from what was sent over the time it
	// took: the catalogue's limit, above what buffers in flight make.
	migrationSlack = .05
	// A speed that is the guest's memory over the seconds to within this share is
	// taken for just that: sizes are printed to a tenth of a GiB.
	sameQuotient = .01
	// Logs have whole seconds: a time from two of them may be off by this much.
	logSecond = 1.0
	// A downtime is known to the interval of what probed for it: a fifth is chosen
	// as the most that a figure can bear.
	probeShare = .20
)
