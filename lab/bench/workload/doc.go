// Package workload makes up runs of a given size, for measuring assay itself.
//
// Its numbers are the same on every call and mean nothing. It measures nothing,
// reads nothing and is never linked into assay.
package workload
