package audit

// Object stores: rules 45 and 46.
const (
	// A request takes a round trip plus the transfer time of its bytes. The
	// round trip was measured at another time: a tenth is chosen as allowance.
	requestSlack = .90
	// A throughput within this share of size over latency is that quotient: each
	// is printed with three digits.
	oneAtATime = .02
	// A figure rounded by more than this share of itself proves nothing alone.
	tooRounded = .02
	// People write KB for 1,024 and MB for 10^6 in one table: a quotient may be
	// off by one such step.
	unitStep = 1.024
	// From this percentile on a latency is a claim about the tail.
	tailFrom = 99.0
	// A rate kept to within this share means that nearly every request began on
	// time: one lost in a hundred cannot move the tail far.
	rateKept = .99
	// The share of a closed loop's rate at which an open loop is run: well
	// before its queue grows.
	openShare = .70
	// A client that uses more than this share of its CPUs has moments when all of
	// them are busy: chosen. The rest of the host needs some, too.
	busyClient = .80
)
