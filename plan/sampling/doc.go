// Package sampling chooses which links of many hosts to measure. All of them would
// be N(N-1), which no budget allows: in each round every host is in one pair, with
// another partner each time.
package sampling
