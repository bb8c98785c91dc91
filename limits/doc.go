// Package limits is the physics: what a bus, a link, memory modules, a network, a
// replicated pool or a number of requests in flight allow at most. Every limit is
// a pure function of facts. The audit rejects what exceeds one, the analysis says
// which of them binds.
package limits
