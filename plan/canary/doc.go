// Package canary computes what a round of assay watch costs before it runs: how long it
// occupies a host's storage and links, and how much it writes. That determines how often
// rounds may run. It is pure.
package canary
