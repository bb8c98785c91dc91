package audit

// Networks: rules 5 to 11.
const (
	usualMTU       = 1500
	largestSegment = 65535
	// Three digits of 9.40 may be .05 % off, and a sum over a few seconds has
	// edge effects: chosen so that 9.40 Gb/s of 10 at MTU 1500 passes.
	nicSlack = 1.003
	// Well-tuned hosts get within 1 or 2 % of the ceiling: 5 % is chosen.
	lineUnderuse = .95
	// Data handed to a sender's kernel but not yet sent, in B per stream:
	// net.ipv4.tcp_wmem allows 4 MiB by default.
	sendBuffer = 4 << 20
	// One stream carries at most the congestion window over the round-trip time:
	// within this share of it, the window is the limit.
	windowMatch = .10
	// A window that fills a queue at the narrowest link lengthens the round trip
	// until the quotient matches by itself. If the mean exceeds the minimum by
	// more than this, there was a queue, and the window was not the limit:
	// chosen.
	queueGrowth = 1.25
	// Slow start overshoots once, in the first seconds.
	slowStart = 2.0 // s
	// Losses that TCP cannot hide: chosen, a tenth of what halves the speed of
	// one stream at 10 Gb/s and 1 ms (Mathis et al., 1997: the rate depends on
	// the root of the loss).
	resentShare = 1e-4
	// Fewer retransmitted segments than this say nothing about a share: chosen.
	resentLeast = 3
	// Datagram loss that applications notice: ITU-T G.1010, video.
	datagramLoss = .01
)

// The largest share of a test's segments that slow start loses: chosen; a test of a
// second that sends a tenth of its data in slow start loses at most half of that.
const slowStartLoss = .05
