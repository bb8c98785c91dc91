// Package tierstest gives tests a lab with tiers of storage, and takes it down
// when they end.
package tierstest
