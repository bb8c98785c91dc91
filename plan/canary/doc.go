// Package canary says what a round of assay watch costs, before it is made: how long it
// occupies the storage of a host and its links, and how much it writes. From that follows
// how often a round may be. It is pure.
package canary
