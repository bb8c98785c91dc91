// Package hypotheses is what may be wrong with a host or with the path between two, as
// data, one a file: what a fault slows and what it leaves alone, which facts and
// counters show it or rule it out, what would decide, and what mends it.
//
// Weigh holds all of them against what was seen of one suspect. A fault is believed for
// everything that it explains together, and less for each figure that it should have
// slowed and did not. It is pure: what was seen in, causes with their probabilities out.
package hypotheses
