package audit

// Networks: rules 5 to 11.
const (
	usualMTU       = 1500
	largestSegment = 65535
	// Three digits of 9.40 may be .05 % off, and a sum over some seconds has its
	// ends: chosen so that 9.40 Gb/s of 10 at MTU 1500 is right.
	nicSlack = 1.003
	// Well-tuned hosts reach the ceiling to 1 or 2 %: 5 % is chosen.
	lineUnderuse = .95
	// What a sender has handed to its kernel and the kernel not yet to the line,
	// B of each stream: net.ipv4.tcp_wmem allows 4 MiB by default.
	sendBuffer = 4 << 20
	// The congestion window over the round-trip time is the most that one stream
	// can carry: within this it is what limits.
	windowMatch = .10
	// A window that fills a queue at the narrowest link lengthens the round trip
	// until the quotient matches of itself. Where the mean is above the least by
	// more than this, there was a queue, and the window was no limit: chosen.
	queueGrowth = 1.25
	// Slow start overshoots once, in the first seconds.
	slowStart = 2.0 // s
	// Losses that TCP no longer hides: chosen, a tenth of what halves the speed
	// of one stream at 10 Gb/s and 1 ms (Mathis et al., 1997: the rate goes with
	// the root of the loss).
	resentShare = 1e-4
	// Fewer segments than this, sent again, say nothing of a share: chosen.
	resentLeast = 3
	// Datagrams lost that the application notices: ITU-T G.1010, video.
	datagramLoss = .01
)

// Of all segments of a test, slow start loses no more than this share: chosen; a test
// of a second that sends a tenth of its data in slow start loses half of that at most.
const slowStartLoss = .05
