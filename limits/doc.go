// Package limits is the physics: the most that a bus, a link, memory modules, a
// network, a replicated pool or a number of requests in flight allow. Every limit
// is a pure function of facts. The audit rejects figures above one; the analysis
// shows which one binds.
package limits
