package audit

// Object stores: rules 45 and 46.
const (
	// A request takes a round trip and its bytes the time on the line. The round
	// trip was measured at another moment: a tenth is chosen for that.
	requestSlack = .90
	// Bytes in a second that are size over latency to within this share are that
	// quotient: three printed digits of each.
	oneAtATime = .02
	// A figure that was rounded by more than this share of itself shows nothing
	// alone.
	tooRounded = .02
	// People write KB for 1,024 and MB for 10^6 in one table: a quotient may be
	// off by one such step.
	unitStep = 1.024
	// From this percentile on a latency is a claim about the tail.
	tailFrom = 99.0
	// A rate that was kept to within this share means that nearly every request
	// began when it was due: one lost in a hundred cannot move the tail far.
	rateKept = .99
	// The share of what a closed loop reached at which an open one is run: well
	// before its queue grows.
	openShare = .70
	// A client that uses more than this share of its CPUs has moments in which all
	// of them are taken: chosen. What else the host does needs some, too.
	busyClient = .80
)
