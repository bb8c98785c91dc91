// Package tierstest gives tests a lab with storage tiers, and takes it down
// when they end.
package tierstest
