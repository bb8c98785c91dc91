// Package hypotheses lists what may be wrong with a host or with the path between two,
// as data, one fault per file: what a fault slows and what it leaves alone, which facts
// and counters show it or rule it out, what would decide, and how to fix it.
//
// Weigh compares all of them with what was seen of one suspect. A fault gains belief
// from everything that it explains together, and loses some for each figure that it
// should have slowed and did not. Weigh is pure: observations in, causes with their
// probabilities out.
package hypotheses
